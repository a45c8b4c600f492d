// The truth loop: measure a judge, correct what is wrong, measure again, with every click counted.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, samples, serve } from "./served.mjs";

const CLICKS_MAX = 15;

let server, browser, page, quiet, run;
let clicks = 0;

before(async () => {
  server = await serve();
  browser = await launch();
  ({ page, quiet } = await open(browser, server.address));
  run = await samples(page);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Somebody clicks into a field before typing. */
async function fill(label, words) {
  clicks += 1;
  await page.getByLabel(label, { exact: true }).fill(words);
}

async function click(locator) {
  clicks += 1;
  await locator.click();
}

const accuracy = async () => Number((await page.locator("#figures tr", { hasText: /^accuracy/ }).locator("td").nth(1).textContent()).trim());

test("measured, corrected and measured again in at most fifteen clicks", async () => {
  await page.goto(run.Compliance);
  clicks = 0;
  await click(page.getByRole("link", { name: "Accuracy", exact: true }).last());
  const before = await accuracy();
  // The largest difference leads to its result, where a person says what is right.
  const worst = page.locator("tr", { has: page.locator("td.n") }).filter({ has: page.locator("a[href*='/results/']") }).first();
  const [criterion, cells] = [await worst.locator("a").textContent(), await worst.locator("td.n").allTextContents()];
  await click(worst.locator("a"));
  await fill("Score", cells[0]);
  await fill("Reason", "The judge is right about this.");
  await click(page.getByRole("button", { name: "Save decision" }));
  await click(page.getByRole("button", { name: "Save as truth key" }));
  await page.getByText("Saved as a truth key.").waitFor();
  await click(page.getByRole("link", { name: "Sample policies × Sample criteria" }));
  await click(page.getByRole("link", { name: "Run again…" }));
  await click(page.getByRole("button", { name: "Continue" }));
  await click(page.getByRole("button", { name: "Start", exact: true }));
  await page.locator(".head .badge", { hasText: "done" }).waitFor();
  const again = new URL(page.url()).pathname;
  assert.notEqual(again, run.Compliance);
  await click(page.getByRole("link", { name: "Accuracy", exact: true }).last());
  // Two analysts now have a key for it, so their mean counts: half of the difference is gone, over all keys with a score.
  const keys = Number((await page.getByText(/truth keys have a score/).textContent()).match(/^(\d+)/)[1]);
  const gained = Math.abs(Number(cells[2].replace("−", "-"))) / 2 / 100 / keys;
  assert.ok(Math.abs((await accuracy()) - before - gained) < 0.002, `${criterion}: ${before} + ${gained} is not ${await accuracy()}`);
  await page.locator("#figures thead", { hasText: "analysts" }).waitFor();
  assert.ok(clicks <= CLICKS_MAX, `${clicks} clicks`);
  console.log(`# ${clicks} clicks`);
});

test("what is measured now is there before the run is: a criterion is changed and judged again", async () => {
  clicks = 0;
  await page.goto(run.Compliance);
  await click(page.getByRole("link", { name: "Sample criteria", exact: true }));
  await click(page.getByRole("link", { name: "Edit LIB-10", exact: true }));
  await fill("Requirement", "Visitors sign the book at the desk.");
  await click(page.getByRole("button", { name: "Save", exact: true }));
  await click(page.getByRole("link", { name: "Evaluate documents" }));
  clicks += 1;
  await page.getByLabel("Existing document set").selectOption("Sample policies");
  await click(page.getByRole("button", { name: "Continue" }));
  await click(page.getByRole("button", { name: "Start", exact: true }));
  await page.locator(".head .badge", { hasText: "done" }).waitFor();
  const line = page.locator("#lines tbody tr", { hasText: "LIB-10" }).first();
  assert.match(await line.textContent(), /Visitors sign the book/);
  await click(page.getByRole("link", { name: "Accuracy", exact: true }).last());
  await page.locator("#figures").waitFor();
  assert.ok(clicks <= CLICKS_MAX, `${clicks} clicks`);
});

test("no browser found anything to complain about", async () => assert.deepEqual(await quiet(), []));
