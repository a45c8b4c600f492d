// Evidence of a reader: two tiny models of random numbers read a document, and the page of a result lists what they read for each
// part, whatever was decided. What they say means nothing; that the page says the same as the ledger does.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { violations } from "./axe.mjs";
import { WIDTHS } from "./paths.mjs";
import { launch, open, serve } from "./served.mjs";

const MODELS = fileURLToPath(new URL("../../crates/readers/tests/models/", import.meta.url));
const TEXT = "Doors are locked at night by the porter.\n\nKeys are kept in a safe.\n";
const WORDS = { stated: "stated", in_part: "stated in part", denied: "denied", silent: "silent", undecided: "undecided" };

let shelf, server, browser, page, quiet;

async function api(path, body) {
  const answer = await page.request.fetch(`/api/v1${path}`, body);
  assert.ok(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}

before(async () => {
  shelf = mkdtempSync(join(tmpdir(), "assize-readers-"));
  const settings = `[readers]\nencoder = "${MODELS}bert-encoder"\nentailment = "${MODELS}bert-entailment"\nfolder = "${shelf}"\n`;
  server = await serve({ settings });
  browser = await launch();
  ({ page, quiet } = await open(browser, server.address));
  const requirements = ["Doors are locked at night and keys are kept in a safe.", "Buildings are shut in the evening.", "Ships are painted red."];
  const criteria = requirements.map((requirement, at) => ({ criteria_id: `E-${at + 1}`, requirement }));
  await api("/criteria-sets", { method: "POST", data: { name: "house", criteria } });
  await api("/document-sets", { method: "POST", data: { name: "house" } });
  const file = { name: "house.txt", mimeType: "text/plain", buffer: Buffer.from(TEXT) };
  await api("/document-sets/house/documents", { method: "POST", multipart: { file } });
  await api("/runs", { method: "POST", data: { instrument: "compliance", criteria_set: "house", document_set: "house" } });
  await page.goto("/eval/1");
  await page.locator(".head .badge", { hasText: "done" }).waitFor();
});

after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(shelf, { recursive: true, force: true });
});

test("every statement that was read is in the table with the reader's three shares", async () => {
  let read = 0;
  for (const position of [0, 1, 2]) {
    const { parts } = (await api(`/runs/1/items/${position}`)).ledger;
    await page.goto(`/eval/1/results/${position + 1}`);
    const heads = await page.locator("#evidence p", { has: page.locator(".badge") }).allTextContents();
    assert.equal(heads.length, parts.length);
    for (const [at, part] of parts.entries()) assert.ok(heads[at].includes(part.text) && heads[at].includes(WORDS[part.decision]), heads[at]);
    const statements = parts.flatMap((part) => part.read ?? []);
    const rows = await page.locator("#evidence tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
    const own = rows.filter(([words]) => words.startsWith("“"));
    assert.equal(own.length, statements.length);
    for (const [at, { quote, shares }] of statements.entries()) {
      const [words, ...cells] = own[at];
      assert.ok(words.startsWith(`“${quote}”`), words);
      const { stated, open, denied } = shares[0];
      for (const [place, share] of [stated, open, denied].entries()) assert.ok(Math.abs(Number(cells[place]) - share) <= 0.00501, `${cells} ${share}`);
      assert.ok(Math.abs(stated + open + denied - 1) < 1e-4);
    }
    read += statements.length;
  }
  assert.ok(read > 0, "the models read something");
});

test("a result that nobody decided says why it needs a look, until somebody does", async () => {
  // A rule overrides whatever these models say: the only statement denies the part.
  await api("/criteria-sets", { method: "POST", data: { name: "keys", criteria: [{ criteria_id: "K-1", requirement: "Keys are counted every month." }] } });
  await api("/document-sets", { method: "POST", data: { name: "keys" } });
  const file = { name: "keys.txt", mimeType: "text/plain", buffer: Buffer.from("Keys are not counted every month.\n") };
  await api("/document-sets/keys/documents", { method: "POST", multipart: { file } });
  await api("/runs", { method: "POST", data: { instrument: "compliance", criteria_set: "keys", document_set: "keys" } });
  await page.goto("/eval/2");
  await page.locator(".head .badge", { hasText: "done" }).waitFor();
  await page.goto("/eval/2/results/1");
  for (const colorScheme of ["dark", "light"]) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      assert.deepEqual(await violations(page), [], `${width}, ${colorScheme}`);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, `too wide at ${width}`);
    }
  }
  assert.match(await page.locator("#look").textContent(), /This is denied: part 1, “Keys are counted every month/);
  assert.match(await page.locator("#evidence").textContent(), /denied.*“Keys are not counted every month\.”.*decides/s);
  await page.getByLabel("Score", { exact: true }).fill("0");
  await page.getByLabel("Reason").fill("They are not.");
  await page.getByRole("button", { name: "Save decision" }).click();
  await page.getByText("Decision saved.").waitFor();
  assert.equal(await page.locator("#look").count(), 0);
  assert.equal(await page.locator("#evidence").count(), 1, "what was read stays");
});

test("no browser found anything to complain about", async () => assert.deepEqual(await quiet(), []));
