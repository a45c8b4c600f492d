// From a workbook, a Word document and a PDF to a report, by what is written on the pages.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { docx, pdf, xlsx } from "./files.mjs";
import { launch, open, serve } from "./served.mjs";

const LIST = xlsx([
  ["Cover", [["Control catalogue"], ["Version 3"]]],
  ["Controls", [
    ["Our controls, 2026"],
    ["Ref", "Control text", "Statement", "Owner"],
    ["V-1", "Visitors have to sign a book at the front desk.", "The front desk keeps a book that visitors sign.", "Reception"],
    ["V-2", "Doors are locked when the office closes.", "When the office closes all of its doors are locked.", "Facilities"],
    ["V-3", "Keys are counted every month.", "Once in each month all keys are counted.", "Facilities"],
    ["", "A row without a name.", "It cannot be used at all.", "Nobody"],
  ]],
]);
const WORD = docx(["Visitor policy", "The front desk keeps a book that visitors sign.", "Doors are locked when the office closes."]);
const PDF = pdf(["Key policy", "Once in each month all keys are counted."]);
const SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

let server, browser, page, refused, quiet;

before(async () => {
  server = await serve();
  browser = await launch();
  ({ page, refused, quiet } = await open(browser, server.address));
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test("columns are chosen with three rows in sight, the cost is told, and the run begins", async () => {
  await page.goto("/");
  await page.getByRole("button", { name: "New run with your files" }).click();
  await page.getByLabel("Or import a list").setInputFiles({ name: "controls.xlsx", mimeType: SHEET, buffer: LIST });
  await page.getByLabel("Files").setInputFiles([
    { name: "visitors.docx", mimeType: "application/octet-stream", buffer: WORD },
    { name: "keys.pdf", mimeType: "application/pdf", buffer: PDF },
  ]);
  await page.getByLabel("Name of the new document set").fill("office policies");
  await page.getByRole("button", { name: "Continue" }).click();
  // Two columns say about as much: nothing is guessed.
  await page.getByText("which column holds the requirement").waitFor();
  assert.equal(await page.getByRole("button", { name: "Start", exact: true }).count(), 0);
  assert.equal(await page.locator("#columns tbody tr").count(), 3);
  await page.getByLabel("Requirement column").selectOption("Statement");
  await page.getByRole("button", { name: "Update preview" }).click();
  await page.getByText("3 can be used").waitFor();
  // A row is lost only where somebody says so.
  assert.equal(await page.getByRole("button", { name: "Start", exact: true }).count(), 0);
  await page.getByRole("checkbox", { name: "Leave out 1 row" }).check();
  await page.getByRole("button", { name: "Update preview" }).click();
  await page.locator("#estimate").waitFor();
  const columns = page.locator("#columns");
  assert.match(await columns.textContent(), /As the judge will read them/);
  assert.match(await columns.locator(".quoted").first().textContent(), /V-1.*The front desk keeps a book/s);
  assert.match(await columns.textContent(), /row 6: the identifier is missing/);
  assert.match(await page.locator("#estimate").textContent(), /2 documents × 3 criteria = 6 judgements/);
  assert.match(await page.locator("#estimate").textContent(), /costs nothing/);
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/\/eval\/\d+/);
  await page.locator(".head .badge", { hasText: "done" }).waitFor();
  assert.equal(await page.locator("#lines tbody tr").count(), 6);
});

test("a citation stands in the Word document and in the PDF", async () => {
  await page.goto("/eval/1?sort=best");
  const quoted = new Set();
  for (const at of [0, 1, 2]) {
    await page.goto("/eval/1?sort=best");
    await page.locator("#lines tbody tr").nth(at).locator("a.main").click();
    await page.locator("#quote-1 a").click();
    assert.ok(await page.locator("#cite-1").isVisible());
    quoted.add(await page.locator("#cite-1").textContent());
  }
  assert.ok([...quoted].some((text) => /all keys are counted/.test(text)), [...quoted].join("; "));
  assert.ok([...quoted].some((text) => /visitors sign/.test(text)), [...quoted].join("; "));
});

test("the same list again is not taken for the set that is there", async () => {
  await page.goto("/runs/new");
  await page.getByLabel("Or import a list").setInputFiles({ name: "controls.csv", mimeType: "text/csv", buffer: Buffer.from("id,requirement\nV-1,Visitors sign.\n") });
  await page.getByLabel("Existing document set").selectOption("office policies");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("there is a criteria set `controls` already").waitFor();
  await page.getByLabel("Name of the new criteria set").fill("controls, second list");
  await page.getByRole("button", { name: "Update preview" }).click();
  await page.getByText("2 documents × 1 criterion").waitFor();
});

test("a model's cost is told before anything is sent, and a budget can be set", async () => {
  await page.goto("/runs/new?criteria=controls");
  await page.getByLabel("Existing document set").selectOption("office policies");
  await page.getByText("Another model").click();
  await page.getByLabel("Model", { exact: true }).fill("openai/gpt-4o-mini");
  await page.getByRole("button", { name: "Continue" }).click();
  const estimate = page.locator("#estimate");
  await estimate.waitFor();
  assert.match(await estimate.textContent(), /Requests6/);
  assert.match(await estimate.textContent(), /Maximum cost(\$0\.\d+|unknown)/);
  await page.getByLabel("Budget in US dollars (optional)").fill("0.5");
  await page.goto("/runs/new");
  await page.getByText("Another model").click();
  await page.getByLabel("Model", { exact: true }).fill("nobody");
  refused(400);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator(".notice.bad").waitFor();
});

test("a workbook becomes a criteria set of its own, column by column", async () => {
  await page.goto("/admin/org/eval/criteria-sets");
  await page.getByLabel("Name", { exact: true }).fill("Office controls");
  await page.getByLabel("File").setInputFiles({ name: "controls.xlsx", mimeType: SHEET, buffer: LIST });
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByText("which column holds the requirement").waitFor();
  await page.getByLabel("Sheet").selectOption("Controls");
  await page.getByLabel("Requirement column").selectOption("Control text");
  await page.getByLabel("Description column").selectOption("Statement");
  await page.getByRole("button", { name: "Update preview" }).click();
  await page.getByRole("checkbox", { name: "Leave out 1 row" }).check();
  await page.getByRole("button", { name: "Update preview" }).click();
  await page.getByRole("button", { name: "Import 3 criteria" }).click();
  await page.getByText("row 6: the identifier is missing").waitFor();
  await page.getByRole("link", { name: "Office controls", exact: true }).click();
  assert.match(await page.locator("tbody tr").first().textContent(), /V-1.*Visitors have to sign a book.*The front desk keeps/s);
});

test("a file of summaries with other names for its columns becomes a run", async () => {
  await page.goto("/runs/new?instrument=summary");
  const rows = [
    ["Ref", "Left", "Right"],
    ["s1", "The ferry to Mull was late because of the storm. It carried forty people.", "The ferry was late because of the storm."],
    ["s2", "The library opens at nine. It closes at six.", "The library opens at seven."],
  ];
  await page.getByLabel("Article and summary pairs").setInputFiles({ name: "pairs.xlsx", mimeType: SHEET, buffer: xlsx([["Pairs", rows]]) });
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator(".notice.bad", { hasText: "no column `article`" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Start", exact: true }).count(), 0);
  await page.getByLabel("Article column").selectOption("Left");
  await page.getByLabel("Summary column").selectOption("Right");
  await page.getByLabel("ID column").selectOption("Ref");
  await page.getByRole("button", { name: "Update preview" }).click();
  await page.getByText("2 can be judged").waitFor();
  assert.match(await page.locator("#columns tbody tr").first().textContent(), /s1.*The ferry to Mull.*late because of the storm/s);
  await page.getByLabel("Name (optional)").fill("Ferries");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/\/runs\/\d+/);
  await page.getByRole("heading", { name: "Ferries" }).waitFor();
  await page.getByRole("link", { name: "s2" }).click();
  await page.getByText("The library opens at seven.").first().waitFor();
});

test("progress is seen while it grows, without loading the page again", async () => {
  await page.goto("/runs/new?criteria=controls");
  const paragraph = "The front desk keeps a book that visitors sign. Doors are locked when the office closes. Keys are counted.\n\n";
  const document = (at) => ({ name: `part ${at}.txt`, mimeType: "text/plain", buffer: Buffer.from(`Part ${at}.\n\n${paragraph.repeat(150)}`) });
  await page.getByLabel("Files").setInputFiles(Array.from({ length: 25 }, (_, at) => document(at)));
  await page.getByLabel("Name of the new document set").fill("many parts");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("25 documents × 3 criteria = 75 judgements").waitFor();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  const seen = [];
  await page.locator("#progress").waitFor();
  while ((await page.locator(".head .badge", { hasText: "done" }).count()) === 0) {
    const words = await page.locator("#progress").textContent({ timeout: 1000 }).catch(() => "");
    const done = Number(words.match(/(\d+) of 75/)?.[1] ?? NaN);
    if (!Number.isNaN(done)) seen.push(done);
    await page.waitForTimeout(100);
  }
  assert.ok(new Set(seen).size >= 2, `it stood still: ${seen}`);
  assert.deepEqual(seen, seen.toSorted((one, other) => one - other));
});

test("it works without scripts", async () => {
  const { page, context } = await open(browser, server.address, { javaScriptEnabled: false });
  await page.goto("/runs/new?criteria=controls");
  await page.getByLabel("Existing document set").selectOption("office policies");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/\/eval\/\d+/);
  await context.close();
});

test("a browser found nothing to complain about", async () => assert.deepEqual(await quiet(), []));
