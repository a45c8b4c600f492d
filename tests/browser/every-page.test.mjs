// What holds for every page: axe finds nothing serious in light and dark, nothing is wider than a phone, no inline
// style, no complaint of the browser, and no page weighs more than 200 kB.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { launch, open, samples, serve } from "./served.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WEIGHT_MAX = 200_000;
const REFUSED = { "/nothing-here": 404 };

let server, browser, paths;

before(async () => {
  server = await serve();
  browser = await launch();
  const { page, context } = await open(browser, server.address);
  const run = await samples(page);
  await page.goto("/admin/org/eval/criteria-sets");
  await page.getByRole("link", { name: "Sample criteria" }).click();
  const set = new URL(page.url()).pathname;
  // The rules are tried with another rubric: nothing is better, and that is a page too.
  await page.goto("/optimise");
  await page.getByText("that of Sample criteria").click();
  await page.getByRole("button", { name: "Begin" }).click();
  await page.waitForURL(/\/optimise\/.+/);
  const search = new URL(page.url()).pathname;
  await page.locator("#verdict .badge", { hasText: "done" }).waitFor();
  await context.close();
  const sets = "criteria=Sample%20criteria&documents=Sample%20policies";
  paths = [
    "/", "/runs", "/runs?instrument=council&tag=none", "/runs/new", "/runs/new?instrument=summary", "/runs/new?instrument=retrieval",
    "/eval", run.Compliance, `${run.Compliance}?q=nothing-like-it`, `${run.Compliance}/matrix`, `${run.Compliance}/results/1`,
    run.Summaries, `${run.Summaries}/items/2`, run.Retrieval, `${run.Retrieval}/items/5`, run.Councils, "/compare", "/compare?base=3&with=4",
    "/compare/item?base=3&with=4&item=Harbour%20lease%20NDA%3A%20how%20can%20the%20agreement%20be%20ended%3F",
    `/truth-keys/adjudicate?${sets}&criterion=LIB-2&document=access-policy.md`, "/optimise", search,
    "/review", "/review?run=1", "/review?run=1&open=yes", "/truth-keys", "/accuracy", "/admin/org/eval/criteria-sets", set, `${set}/rubric`,
    `${set}/response-structure`, "/runs/1/edit", "/runs/1/delete", "/help", "/styleguide", "/nothing-here", "/account",
    "/admin/models", "/admin/people", "/admin/tokens", "/admin/audit?verify=yes", "/admin/prompts", "/login", "/setup?link=x", "/api/docs/",
  ];
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

for (const colorScheme of ["light", "dark"]) {
  test(`every page in ${colorScheme}`, async () => {
    const { page, context, refused, quiet } = await open(browser, server.address, { colorScheme });
    const wrong = [];
    for (const path of paths) {
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 });
        if (REFUSED[path]) refused(REFUSED[path]);
        const answer = await page.goto(path);
        assert.equal(answer.status(), REFUSED[path] ?? 200, path);
        const weight = (await answer.body()).length;
        if (weight > WEIGHT_MAX) wrong.push(`${path}: ${weight} bytes`);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (over > 0) wrong.push(`${path}: ${over} pixels too wide at ${width}`);
        if ((await page.locator("[style], style").count()) > 0) wrong.push(`${path}: an inline style`);
        await page.evaluate(AXE);
        const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
        for (const { impact, id, nodes } of violations) {
          if (["serious", "critical"].includes(impact)) wrong.push(`${path} at ${width}: ${id} ${nodes[0].html.slice(0, 100)}`);
        }
      }
    }
    const complaints = await quiet();
    await context.close();
    assert.deepEqual([...wrong, ...complaints], []);
  });
}
