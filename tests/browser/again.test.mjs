// What failed asked again, runs scored another way, labels corrected: from the pages, with and without scripts.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scripted } from "./model.mjs";
import { launch, open, serve } from "./served.mjs";

const POLICY = "Visitors sign a book at the front desk.\nDoors are locked at night.\n";
const ANSWER = { score: 55, confidence: 64, explanation: "A book is kept.", citations: ["Visitors sign a book at the front desk."] };
const PAIRS = [
  { id: "right", article: "The bridge opened in 1932. It cost nine million pounds.", summary: "The bridge opened in 1932." },
  { id: "wrong", article: "The bridge opened in 1932. It cost nine million pounds.", summary: "The bridge opened in 1950." },
];

let model, server, browser, page, refused, quiet, recovers, asked;

before(async () => {
  recovers = false;
  asked = 0;
  model = await scripted((question) => {
    asked += 1;
    return question.includes("ID: B-1") && !recovers ? { words: "no score at all" } : ANSWER;
  });
  server = await serve({ settings: model.settings });
  browser = await launch();
  ({ page, refused, quiet } = await open(browser, server.address));
});

after(async () => {
  await browser?.close();
  await server?.stop();
  model?.stop();
});

test("what a model gave no score for is asked again, and nothing else", async () => {
  await page.goto("/admin/org/eval/criteria-sets");
  await page.getByLabel("Name", { exact: true }).fill("Visitors");
  await page.getByLabel("File").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer: Buffer.from("id,requirement\nA-1,Visitors sign a book.\nB-1,Keys are counted.\n") });
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByRole("button", { name: "Import 2 criteria" }).click();
  await page.goto("/runs/new?criteria=Visitors");
  await page.getByLabel("Files").setInputFiles([{ name: "policy.txt", mimeType: "text/plain", buffer: Buffer.from(POLICY) }]);
  await page.getByText("Another model").click();
  await page.getByLabel("Model", { exact: true }).fill("hub/auditor");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator(".head .badge", { hasText: "done" }).waitFor();
  const button = page.getByRole("button", { name: "Retry unscored (1)" });
  await button.waitFor();
  recovers = true;
  asked = 0;
  const without = await open(browser, server.address, { javaScriptEnabled: false });
  await without.page.goto("/eval/1");
  await without.page.getByRole("button", { name: "Retry unscored (1)" }).click();
  await without.page.getByText("Retrying. Only the items without a score").waitFor();
  await without.context.close();
  await page.goto("/eval/1");
  await page.locator(".head .badge", { hasText: "done" }).waitFor();
  assert.equal(await button.count(), 0, "nothing is left to retry");
  assert.equal(asked, 1, "one item has one question");
  const lines = await page.locator("#lines tbody tr").allTextContents();
  assert.equal(lines.filter((line) => line.includes("55")).length, 2);
});

test("labels follow the rubric of the set as it is today, as a version of their own", async () => {
  await page.goto("/runs/1/rescore");
  await page.getByText("There is nothing to score again").waitFor();
  await page.goto("/admin/org/eval/criteria-sets");
  await page.getByRole("link", { name: "5 tiers" }).click();
  await page.locator("#label-2").fill("In between");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await page.goto("/eval/1");
  await page.getByText("More", { exact: true }).click();
  await page.getByRole("link", { name: "Score again…" }).click();
  await page.getByLabel("Reason (optional)").fill("The board renamed a tier");
  await page.getByRole("button", { name: "Score again" }).click();
  await page.getByText("Label version 2").waitFor();
  await page.locator("#lines tbody", { hasText: "In between" }).waitFor();
});

test("summaries are counted by another framework, and both versions can be looked at", async () => {
  await page.goto("/runs/new?instrument=summary");
  const lines = PAIRS.map((pair) => JSON.stringify(pair)).join("\n");
  await page.getByLabel("Article and summary pairs").setInputFiles({ name: "pairs.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(`${lines}\n`) });
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Framework").selectOption("judge-lock");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/\/runs\/2/);
  await page.getByText("More", { exact: true }).click();
  await page.getByRole("link", { name: "Score again…" }).click();
  await page.getByLabel("Framework").selectOption("twin-lock");
  await page.getByRole("button", { name: "Score again" }).click();
  await page.getByText("Scored again and saved as a new version.").waitFor();
  await page.getByRole("link", { name: "Version 1" }).click();
  await page.getByText("You are viewing version 1 of the scores; version 2 is current.").waitFor();
  await page.getByRole("link", { name: "Show the current version" }).click();
  await page.locator("#versions b", { hasText: "Version 2" }).waitFor();
});

test("a label is corrected, and the score by it stands beside the judge's", async () => {
  await page.goto("/runs/2/items/2");
  const label = page.locator("#label-1");
  const judged = await label.inputValue();
  assert.notEqual(judged, "supported");
  await label.selectOption("supported");
  await page.getByRole("button", { name: "Preview scores" }).click();
  await page.getByText("nothing is saved yet").waitFor();
  const cells = async () => (await page.locator("#by-labels tr", { hasText: "Hallucination" }).locator("td").allTextContents()).map(Number);
  const [judge, tried] = await cells();
  assert.ok(tried > judge, `${tried} by a better label, ${judge} by the judge's`);
  refused(422);
  await page.getByRole("button", { name: "Save correction" }).click();
  await page.getByText("A correction needs a reason").waitFor();
  assert.equal(await label.inputValue(), "supported", "what was chosen is lost");
  await page.locator("#why").fill("1950 is the year of the second bridge");
  await page.getByRole("button", { name: "Save correction" }).click();
  await page.getByText("Correction saved").waitFor();
  assert.deepEqual(await cells(), [judge, tried], "what was shown is not what is kept");
  await page.locator("#comments", { hasText: "claim 1 is supported" }).waitFor();
});

test("a label is corrected back without scripts, and the judge's score counts again", async () => {
  const { page, context } = await open(browser, server.address, { javaScriptEnabled: false });
  await page.goto("/runs/2/items/2");
  const row = page.locator("#by-labels tr", { hasText: "Hallucination" });
  const [judge] = await row.locator("td").allTextContents();
  await page.locator("#label-1").selectOption("unsupported");
  await page.locator("#why").fill("The summary speaks of the first bridge");
  await page.getByRole("button", { name: "Save correction" }).click();
  await page.getByText("Correction saved").waitFor();
  assert.equal(await page.locator("#by-labels").count(), 0, "nothing differs from the judge any more");
  await page.goto("/runs/2");
  assert.ok((await page.locator("#items tbody tr").nth(1).textContent()).includes(String(Number(judge))));
  await context.close();
});

test("a browser found nothing to complain about", async () => assert.deepEqual(await quiet(), []));
