// A search for a better prompt, with a model on this machine that answers better when it is told to be strict.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { scripted } from "./model.mjs";
import { launch, open, samples, serve } from "./served.mjs";

const EXAMPLES = new URL("../../examples/compliance/", import.meta.url);
const read = (name) => readFileSync(new URL(name, EXAMPLES), "utf8");
/** What analysts say, by document and criterion. */
const TRUTH = new Map(read("truth.csv").trim().split("\n").slice(1).map((line) => line.split(",", 3)).map(([document, id, score]) => [`${document} ${id}`, Number(score)]));
/** A line that only that document has. */
const TITLES = Object.fromEntries(["access-policy.md", "continuity-plan.md"].map((name) => [name, read(name).trim().split("\n")[0]]));

let model, server, browser, page, refused, quiet;

function reply(question) {
  const id = question.match(/ID: (\S+)/)[1];
  const document = Object.keys(TITLES).find((name) => question.includes(TITLES[name]));
  const truth = TRUTH.get(`${document} ${id}`);
  const score = question.includes("Be strict.") ? truth : truth > 50 ? truth - 40 : truth + 40;
  return { score, confidence: 80, explanation: "As asked.", citations: [TITLES[document].replace(/^#+ /, "")] };
}

before(async () => {
  model = await scripted(reply);
  server = await serve({ settings: model.settings });
  browser = await launch();
  ({ page, refused, quiet } = await open(browser, server.address));
  await samples(page);
});

after(async () => {
  await browser?.close();
  await server?.stop();
  model?.stop();
});

test("a search with nothing to choose from is refused with the reason", async () => {
  await page.goto("/optimise");
  await page.getByText("No searches yet").waitFor();
  refused(422);
  await page.getByRole("button", { name: "Start search" }).click();
  await page.locator(".notice.bad", { hasText: "nothing to choose from" }).waitFor();
});

test("candidates are tuned, the best meets the keys held out, and a person promotes it", async () => {
  await page.goto("/admin/prompts");
  const body = await page.getByLabel("Prompt", { exact: true }).inputValue();
  await page.getByLabel("Template").fill("strict");
  await page.getByLabel("Prompt", { exact: true }).fill(`Be strict.\n${body}`);
  await page.getByRole("button", { name: "Save as new version" }).click();
  await page.getByText("Saved as a new version.").waitFor();
  await page.goto("/optimise");
  await page.getByRole("checkbox", { name: "rules" }).uncheck();
  await page.getByText("Other models").click();
  await page.getByLabel("Models, one per line").fill("hub/auditor");
  await page.getByText("strict@1").click();
  await page.getByRole("button", { name: "Start search" }).click();
  await page.waitForURL(/\/optimise\/.+/);
  // The page asks for itself until it is decided.
  await page.locator("#verdict .badge", { hasText: "done" }).waitFor({ timeout: 60_000 });
  const rows = page.locator("#candidates tbody tr");
  assert.equal(await rows.count(), 2);
  // The one in use is 40 off on every key: 1 - 40 / 100.
  assert.match(await rows.nth(0).textContent(), /in use.*0\.600 n = 12.*0\.600 n = 8/s);
  assert.match(await rows.nth(1).textContent(), /strict@1.*1\.000 n = 12\+0\.400.*1\.000 n = 8\+0\.400/s);
  assert.match(await page.locator(".diff ins").first().textContent(), /^\+ Be strict\./);
  assert.equal(await page.locator(".diff del").count(), 0);
  await page.getByRole("button", { name: /^Promote 2\. hub\/auditor strict@1/ }).click();
  await page.getByText("Promoted. New runs of this set will use it").waitFor();
  await page.locator("#candidates .badge", { hasText: "promoted" }).waitFor();
  await page.goto("/admin/prompts?show=strict%401");
  await page.locator("tr", { hasText: "strict@1" }).getByText("Sample criteria").waitFor();
  await page.goto("/optimise");
  await page.locator("tbody tr", { hasText: "Promoted: 2. hub/auditor strict@1" }).waitFor();
});

test("a new run with that judge uses the promoted prompt", async () => {
  await page.goto("/runs/new?criteria=Sample%20criteria");
  await page.getByLabel("Existing document set").selectOption("Sample policies");
  await page.getByText("Another model").click();
  await page.getByLabel("Model", { exact: true }).fill("hub/auditor");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator(".head .badge", { hasText: "done" }).waitFor();
  assert.match(await page.locator(".head").textContent(), /prompt strict@1/);
});

test("it works without scripts", async () => {
  const { page, context } = await open(browser, server.address, { javaScriptEnabled: false });
  await page.goto("/optimise");
  await page.getByText("Other models").click();
  await page.getByLabel("Models, one per line").fill("hub/auditor");
  await page.getByRole("button", { name: "Start search" }).click();
  await page.waitForURL(/\/optimise\/.+/);
  while ((await page.locator("#verdict .badge", { hasText: "done" }).count()) === 0) {
    await page.waitForTimeout(300);
    await page.reload();
  }
  assert.equal(await page.locator("#candidates tbody tr").count(), 2);
  await context.close();
});

test("a browser found nothing to complain about", async () => assert.deepEqual(await quiet(), []));
