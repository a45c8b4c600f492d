// Which verdicts a person looks at first: five answers of a model, four of them dangerous in different ways.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scripted } from "./model.mjs";
import { launch, open, serve } from "./served.mjs";

const FOUND = "Visitors sign a book at the front desk.";
const ABSENT = "The book is kept for nine years.";
const ANSWERS = {
  "C-1": { score: 90, citations: [FOUND, ABSENT] },
  "C-2": { score: 90, citations: [] },
  "C-3": { score: 59.5, citations: [FOUND] },
  "C-4": { score: 95, citations: [ABSENT] },
  "C-5": { score: 150, citations: [FOUND] },
};

let model, server, browser, page, quiet, run;

async function api(path, body) {
  const answer = await page.request.post(`/api/v1${path}`, body);
  assert.ok(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}

before(async () => {
  model = await scripted((question) => ({ confidence: 80, explanation: "So it is.", ...ANSWERS[question.match(/ID: (C-\d)/)[1]] }));
  server = await serve({ settings: model.settings });
  browser = await launch();
  ({ page, quiet } = await open(browser, server.address));
  const criteria = Object.keys(ANSWERS).map((id) => ({ criteria_id: id, requirement: `Visitors are registered (${id}).` }));
  await api("/criteria-sets", { data: { name: "visitors", criteria } });
  await api("/document-sets", { data: { name: "visitors" } });
  const file = { name: "desk.txt", mimeType: "text/plain", buffer: Buffer.from(`${FOUND}\nDoors are locked at night.\n`) };
  await api("/document-sets/visitors/documents", { multipart: { file } });
  const made = await api("/runs", { data: { instrument: "compliance", criteria_set: "visitors", document_set: "visitors", judge: "hub/auditor" } });
  run = `/eval/${made.number}`;
  await page.goto(run);
  await page.locator(".head .badge", { hasText: "done" }).waitFor();
});

after(async () => {
  await browser?.close();
  await server?.stop();
  model?.stop();
});

test("the dangerous verdicts come first, each with its reason", async () => {
  await page.goto(run);
  await page.getByRole("link", { name: "4 verdicts to look at first" }).click();
  const rows = page.locator("#lines tbody tr th");
  const said = (await rows.allTextContents()).map((text) => text.replace(/\s+/g, " ").trim());
  assert.deepEqual(said, [
    "C-1 met, and a quote is not in the document",
    "C-4 a quote is not in the document",
    // Without any quote it is held below what counts as met, which is near.
    "C-2 near a tier boundary",
    "C-3 near a tier boundary",
  ]);
});

test("what a person decided is looked at no longer", async () => {
  await page.goto(`${run}?show=triage`);
  await page.getByRole("link", { name: "C-2", exact: true }).click();
  await page.locator("#score").fill("30");
  await page.getByLabel("Reason").fill("Nothing is quoted.");
  await page.getByRole("button", { name: "Save decision" }).click();
  await page.getByText("Decision saved.").waitFor();
  await page.goto(`${run}?show=triage`);
  assert.equal(await page.locator("#lines tbody tr").count(), 3);
});

test("a score beyond the scale is held at its end, with a note", async () => {
  await page.goto(`${run}/results/5`);
  assert.equal(await page.locator("#verdict .score-big b").textContent(), "100");
  assert.match(await page.locator("#workings").textContent(), /the stated score 150 lies outside 0 to 100/);
});

test("the confidence leads to its plot, whose numbers are the table of the truth keys", async () => {
  // By hand, four keys at confidence 80: C-1 is in the tier that was judged; C-3 is not, nor are C-2 and C-4, whose scores are held
  // below met because nothing is quoted, and because the only quote is invented.
  const keys = [["C-1", 90], ["C-2", 95], ["C-3", 100], ["C-4", 90]].map(([id, score]) => `desk.txt,${id},${score}\n`);
  const file = { name: "keys.csv", mimeType: "text/csv", buffer: Buffer.from(`document,criteria_id,expected_score\n${keys.join("")}`) };
  await api("/truth-keys?criteria_set=visitors&document_set=visitors", { multipart: { file } });
  await page.goto(`${run}/results/1`);
  await page.getByRole("link", { name: "confidence 80" }).click();
  await page.waitForURL(/\/accuracy\?run=\d+#calibration$/);
  const plot = page.locator("#calibration + *");
  assert.equal(await plot.locator("circle").count(), 1, "one group of confidence");
  assert.match(await plot.getAttribute("aria-label"), /share in the right tier at each stated confidence/);
  const numbers = page.locator("#calibration ~ p.numbers a").first();
  const csv = decodeURIComponent((await numbers.getAttribute("href")).split("utf-8,")[1]);
  assert.equal(csv, "stated confidence,share in the right tier,low,high,count\n0.8,0.25,,,4\n");
  await page.getByText("Expected calibration error 0.550.").waitFor();
});

test("no browser found anything to complain about", async () => assert.deepEqual(await quiet(), []));
