// Small data sets that are changed in a table and run again.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, samples, serve } from "./served.mjs";

let server, browser, page, quiet, refused, run;

before(async () => {
  server = await serve();
  browser = await launch();
  ({ page, quiet, refused } = await open(browser, server.address));
  run = await samples(page);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

for (const javaScriptEnabled of [true, false]) {
  test(`pairs are changed in a table and judged as a new run ${javaScriptEnabled ? "with" : "without"} scripts`, async () => {
    const one = await open(browser, server.address, { javaScriptEnabled });
    await one.page.goto(`${run.Summaries}/items/1`.replace(/\/items.*/, "/data"));
    const count = await one.page.locator(".data-row").count();
    assert.equal(count, 6);
    await one.page.getByRole("button", { name: "+ Add row" }).click();
    assert.equal(await one.page.locator(".data-row").count(), count + 1);
    await one.page.locator(`#id-${count}`).fill("added");
    one.refused(400);
    await one.page.getByRole("button", { name: "Run again" }).click();
    await one.page.getByText(`Row ${count + 1} needs an article and a summary.`).waitFor();
    await one.page.locator(`#article-${count}`).fill("The harbour opens at six in the morning.");
    await one.page.locator(`#summary-${count}`).fill("The harbour opens at six.");
    const name = await one.page.getByLabel("Name of the new run").inputValue();
    assert.match(name, / v\d+$/);
    await one.page.getByRole("button", { name: "Run again" }).click();
    await one.page.waitForURL(/\/runs\/\d+/);
    assert.match(await one.page.locator("h1").textContent(), new RegExp(name));
    assert.equal(await one.page.getByRole("link", { name: "added", exact: true }).count(), 1);
    await one.context.close();
  });
}

test("criteria are changed in a table, and go on to a new run", async () => {
  await page.goto("/admin/org/eval/criteria-sets");
  await page.getByRole("link", { name: "Sample criteria", exact: true }).click();
  await page.getByRole("link", { name: "Edit as a table" }).click();
  const rows = await page.locator(".data-row").count();
  await page.getByRole("button", { name: "+ Add row" }).click();
  await page.locator(`#id-${rows}`).fill("LIB-1");
  await page.locator(`#requirement-${rows}`).fill("Visitors sign a book.");
  refused(422);
  await page.getByRole("button", { name: "Save and run again" }).click();
  await page.getByText(`Row ${rows + 1} has the ID of another row.`).waitFor();
  await page.locator(`#id-${rows}`).fill("LIB-99");
  await page.getByRole("button", { name: "Save and run again" }).click();
  await page.waitForURL(/\/runs\/new/);
  assert.equal(await page.getByLabel("Existing criteria set").inputValue(), "Sample criteria");
  await page.goto("/admin/org/eval/criteria-sets");
  await page.getByRole("link", { name: "Sample criteria", exact: true }).click();
  await page.getByText("Visitors sign a book.").waitFor();
});

test("no browser found anything to complain about", async () => assert.deepEqual(await quiet(), []));
