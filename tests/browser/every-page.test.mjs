// What holds for every page: axe finds nothing serious in light and dark, nothing is wider than a phone, no inline
// style, no complaint of the browser, and no page weighs more than 80 kB.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { everyPath, REFUSED } from "./paths.mjs";
import { launch, open, serve } from "./served.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WEIGHT_MAX = 80_000;
// What describes every operation of the API grows with them, and is opened by programmers.
const WEIGHT_OF_API_MAX = 200_000;

let server, browser, paths;

before(async () => {
  server = await serve();
  browser = await launch();
  const { page, context } = await open(browser, server.address);
  paths = await everyPath(page);
  await context.close();
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
        if (weight > (path.startsWith("/api/") ? WEIGHT_OF_API_MAX : WEIGHT_MAX)) wrong.push(`${path}: ${weight} bytes`);
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
