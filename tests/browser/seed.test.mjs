// What the seed asks of its pages: labels follow from scores at every edge, every type of section shows, and a rubric
// that changes reaches the prompt and new runs only.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, samples, serve } from "./served.mjs";

const EDGES = [
  [0, "Non-Compliant"], [20, "Non-Compliant"], [20.5, "Non-Compliant"], [21, "Mostly Non-Compliant"], [40, "Mostly Non-Compliant"],
  [40.5, "Mostly Non-Compliant"], [41, "Partially Compliant"], [60, "Partially Compliant"], [60.5, "Partially Compliant"], [61, "Mostly Compliant"],
  [80, "Mostly Compliant"], [80.5, "Mostly Compliant"], [81, "Fully Compliant"], [100, "Fully Compliant"],
];

let server, browser, page, quiet, run;

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

test("a score on any edge has the label of its tier", async () => {
  await page.goto(`${run.Compliance}/results/2`);
  for (const [score, label] of EDGES) {
    await page.getByLabel("Score", { exact: true }).fill(String(score));
    await page.getByLabel("Reason").fill(`on the edge: ${score}`);
    await page.getByRole("button", { name: "Save decision" }).click();
    await page.locator("#history b", { hasText: new RegExp(`^score ${String(score).replace(".", "\\.")}$`) }).first().waitFor();
    assert.equal(await page.locator("#verdict .score-big b").textContent(), String(score));
    assert.equal((await page.locator("#verdict .badge").first().textContent()).trim(), label, String(score));
  }
  await page.goto(`${run.Compliance}?show=decided`);
  assert.match(await page.locator("#lines tbody tr").first().textContent(), /100.*Fully Compliant/);
});

test("a rubric that changes reaches the prompt and new runs, and no run that is done", async () => {
  await page.goto("/admin/org/eval/criteria-sets");
  await page.getByRole("link", { name: /tiers/ }).first().click();
  await page.locator("#label-4").fill("All there");
  await page.locator("#preview pre[aria-label='The rubric in the prompt']", { hasText: "- 81-100 (All there)" }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved. New runs use it").waitFor();
  await page.goto(`${run.Compliance}/results/3`);
  assert.equal((await page.locator("#verdict .badge").first().textContent()).trim(), "Fully Compliant");
  await page.goto("/runs/new?criteria=Sample%20criteria");
  await page.getByLabel("Existing document set").selectOption("Sample policies");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator(".head .badge", { hasText: "done" }).waitFor();
  await page.goto(`${new URL(page.url()).pathname}/results/3`);
  assert.equal((await page.locator("#verdict .badge").first().textContent()).trim(), "All there");
});

test("a browser found nothing to complain about", async () => assert.deepEqual(await quiet(), []));
