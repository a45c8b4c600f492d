// What a model said, as a person reads it: sections of every type, a quote that is in the document and one that is not,
// the exchange itself, and words that would be markup anywhere else.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scripted } from "./model.mjs";
import { launch, open, serve } from "./served.mjs";

const HOSTILE = '<img src=x onerror="alert(1)"> [a](javascript:alert(2)) \u202etxt.exe';
const POLICY = "Visitors sign a book at the front desk.\nDoors are locked at night.\n";
const ANSWER = {
  score: 55.5, confidence: 64, explanation: `A book is kept. ${HOSTILE}`, gaps: ["nobody checks it", "no years are named"], days: 30,
  citations: ["Visitors sign a book at the front desk.", "The book is kept for nine years."],
};

let model, server, browser, page, quiet;

before(async () => {
  model = await scripted((question) => (question.includes("ID: B-1") ? { words: "no score at all" } : ANSWER));
  server = await serve({ settings: model.settings });
  browser = await launch();
  ({ page, quiet } = await open(browser, server.address));
});

after(async () => {
  await browser?.close();
  await server?.stop();
  model?.stop();
});

test("a set with sections of three types is judged by a model", async () => {
  await page.goto("/admin/org/eval/criteria-sets");
  await page.getByLabel("Name", { exact: true }).fill("Visitors");
  await page.getByLabel("File").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer: Buffer.from("id,requirement\nA-1,Visitors sign a book.\nB-1,Keys are counted.\n") });
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByRole("button", { name: "Import 2 criteria" }).click();
  await page.getByRole("link", { name: "Response structure" }).click();
  for (const [place, id, kind] of [[1, "gaps", "list"], [2, "days", "number"]]) {
    await page.getByRole("button", { name: "+ Add section" }).click();
    await page.locator(`#id-${place}`).fill(id);
    await page.locator(`#kind-${place}`).selectOption(kind);
  }
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await page.goto("/runs/new?criteria=Visitors");
  await page.getByLabel("Files").setInputFiles([{ name: "policy.txt", mimeType: "text/plain", buffer: Buffer.from(POLICY) }]);
  await page.getByText("Another model").click();
  await page.getByLabel("Model", { exact: true }).fill("hub/auditor");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator(".head .badge", { hasText: "done" }).waitFor();
});

test("text, list and number are shown as what they are, and markup as words", async () => {
  await page.goto("/eval/1/results/1");
  assert.equal(await page.locator("#verdict .score-big b").textContent(), "55.5");
  await page.locator("p.section-text", { hasText: '<img src=x onerror="alert(1)">' }).waitFor();
  assert.deepEqual(await page.locator("ul.section-text li").allTextContents(), ANSWER.gaps);
  await page.locator("h3", { hasText: "Days" }).locator("+ p", { hasText: /^30$/ }).waitFor();
  assert.equal(await page.locator("main img, main a[href^=javascript]").count(), 0);
});

test("a quote that is not in the document is named, and the other one is marked", async () => {
  await page.locator("#quote-1", { hasText: "found" }).waitFor();
  assert.match(await page.locator("#cite-1").textContent(), /Visitors sign a book/);
  const missing = page.locator("#quote-2");
  assert.match(await missing.textContent(), /The book is kept for nine years\..*not in the document/s);
  assert.equal(await page.locator("#cite-2").count(), 0);
  await page.goto("/eval/1");
  await page.getByRole("link", { name: "1 result quotes what is not in its document" }).click();
  assert.equal(await page.locator("#lines tbody tr").count(), 1);
});

test("an answer without a score is no zero, and what was asked and answered can be read", async () => {
  await page.goto("/eval/1?show=unscored");
  assert.match(await page.locator("#lines tbody tr").textContent(), /B-1.*–/s);
  await page.locator("#lines tbody a.main").click();
  assert.equal(await page.locator("#verdict .score-big b").textContent(), "–");
  await page.getByText("The judge’s raw answer").click();
  await page.getByText("no score at all").first().waitFor();
});

test("a browser found nothing to complain about", async () => assert.deepEqual(await quiet(), []));
