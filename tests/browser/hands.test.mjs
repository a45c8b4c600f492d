// What a person has at hand: keys, the menu on a phone, messages that are told once, and a way back where there is nothing.
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

const focused = (one) => one.evaluate(() => document.activeElement?.id);

test("five keys at most lead to the score field, one with scripts", async () => {
  await page.goto(`${run.Compliance}/results/1`);
  for (const key of ["Tab", "Enter", "Tab", "Enter"]) await page.keyboard.press(key);
  assert.equal(await focused(page), "score");
  await page.goto(`${run.Compliance}/results/1`);
  await page.keyboard.press("e");
  assert.equal(await focused(page), "score");
  await page.getByLabel("Reason").focus();
  await page.keyboard.type("e7j");
  assert.equal(await page.getByLabel("Reason").inputValue(), "e7j", "keys are only letters while somebody types");
});

test("a slash goes to the search", async () => {
  await page.goto(run.Compliance);
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.type), "search");
});

for (const javaScriptEnabled of [true, false]) {
  test(`the menu is a drawer below 900 px ${javaScriptEnabled ? "with" : "without"} scripts`, async () => {
    const one = await open(browser, server.address, { javaScriptEnabled, viewport: { width: 360, height: 800 } });
    await one.page.goto("/runs");
    const link = one.page.getByRole("link", { name: "Truth keys", exact: true });
    assert.equal(await link.isVisible(), false);
    await one.page.getByText("Menu", { exact: true }).click();
    await link.click();
    await one.page.waitForURL(/truth-keys/);
    await one.page.setViewportSize({ width: 901, height: 800 });
    assert.ok(await one.page.getByRole("link", { name: "Runs", exact: true }).isVisible());
    assert.equal(await one.page.getByText("Menu", { exact: true }).isVisible(), false);
    await one.context.close();
  });
}

test("the matrix folds on a phone", async () => {
  const one = await open(browser, server.address, { viewport: { width: 360, height: 800 } });
  await one.page.goto(`${run.Compliance}/matrix`);
  const widths = await one.page.locator(".matrix").evaluate((table) => [table.scrollWidth, table.parentElement.clientWidth]);
  assert.ok(widths[0] <= widths[1], `${widths}`);
  const name = await one.page.locator(".matrix td.cell").first().evaluate((cell) => getComputedStyle(cell, "::before").content);
  assert.match(name, /policy/, "each cell says which document it is of");
  await one.context.close();
});

test("a message is told once: not again after a reload", async () => {
  await page.goto(`${run.Compliance}/results/2`);
  await page.locator("#score").fill("55");
  await page.getByLabel("Reason").fill("Half of it.");
  await page.getByRole("button", { name: "Save decision" }).click();
  await page.getByText("Decision saved.").waitFor();
  await page.reload();
  assert.equal(await page.getByText("Decision saved.").count(), 0);
});

test("what is not there keeps the menu", async () => {
  refused(404, 404);
  await page.goto("/nothing-here");
  assert.ok(await page.getByRole("link", { name: "Audit", exact: true }).isVisible(), "an administrator's menu");
  await page.goto("/runs/9999");
  assert.ok(await page.getByRole("link", { name: "Audit", exact: true }).isVisible());
});

test("a fresh server on this machine offers its first account where people sign in", async () => {
  await page.goto("/login");
  await page.getByRole("link", { name: "create the first account" }).click();
  await page.getByLabel("Your name").waitFor();
  assert.match(page.url(), /\/setup\?link=./);
});

test("no two runs of a selector read alike, and each says judge and set", async () => {
  for (const path of ["/compare", "/accuracy"]) {
    await page.goto(path);
    const all = await page.locator("select").first().locator("option").allTextContents();
    assert.equal(new Set(all).size, all.length);
    const compliance = all.find((words) => words.includes("Sample criteria"));
    assert.match(compliance, /Sample policies × Sample criteria · rules/);
  }
});

test("a blind review shows neither score nor what the judge quoted", async () => {
  const number = run.Compliance.split("/").pop();
  await page.goto(`/review?run=${number}`);
  assert.equal(await page.locator(".doc mark").count(), 0);
  assert.equal(await page.getByText("quoted by the judge").count(), 0);
  assert.equal(await page.getByText(/judge: \d/).count(), 0);
  await page.goto(`/review?run=${number}&open=yes`);
  assert.ok((await page.locator(".doc mark").count()) > 0);
});

test("a truth key has its sections, and accuracy shows them with the analysts' ceiling", async () => {
  await page.goto("/truth-keys?criteria=Sample%20criteria&documents=Sample%20policies");
  const form = page.locator("form[action='/truth-keys'][method=post]");
  await form.getByLabel("Document").selectOption("access-policy.md");
  await form.getByLabel("Criterion").selectOption("LIB-1");
  await form.getByLabel("Score", { exact: true }).fill("70");
  await form.getByText("Sections", { exact: true }).click();
  await form.getByLabel("Explanation").fill("Accounts are personal.");
  await form.getByRole("button", { name: "Save" }).click();
  const row = page.locator("#keys tbody tr", { hasText: "Accounts are personal." });
  assert.equal(await row.count(), 1);
  await page.goto(`/accuracy?run=${run.Compliance.split("/").pop()}`);
  const figures = page.locator("#figures");
  assert.match(await figures.locator("tr", { hasText: "section explanation" }).textContent(), /0\.\d{3}/);
  assert.match(await figures.locator("thead").textContent(), /analysts/);
  // The sample's analyst says 92 there: 1 - |92 - 70| / 100.
  const accuracy = await figures.locator("tr", { hasText: /^accuracy/ }).textContent();
  assert.match(accuracy, /0\.\d{3}$/, accuracy);
});

test("no browser found anything to complain about", async () => assert.deepEqual(await quiet(), []));
