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

/** What axe finds serious on the page as it is. */
async function violations(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
  const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  return serious.map(({ id, nodes }) => `${id} ${nodes[0].html.slice(0, 100)}`);
}

/** Pages that only a form leads to: each ends where one of them is. */
const FORMS = {
  "check of a new run": async (page) => {
    await page.goto("/runs/new?criteria=Sample%20criteria&documents=Sample%20policies");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.locator("#estimate").waitFor();
  },
  "check of an import": async (page) => {
    await page.goto("/admin/org/eval/criteria-sets");
    await page.getByLabel("File").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer: Buffer.from("id,requirement\nA-1,Doors are locked.\n") });
    await page.getByRole("button", { name: "Import" }).click();
    await page.locator("#columns").waitFor();
  },
  "files that were sent": async (page) => {
    await page.goto("/documents");
    await page.getByLabel("Name").fill("sent");
    const file = (name, words) => ({ name, mimeType: "text/plain", buffer: Buffer.from(words) });
    await page.getByLabel("Files").setInputFiles([file("a.txt", "Doors are locked."), file("empty.txt", "")]);
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByRole("link", { name: "Show documents" }).waitFor();
  },
  "draft of a rubric": async (page) => {
    await page.goto(paths.find((path) => path.endsWith("/rubric")));
    await page.locator("#label-2").fill("Half way");
    await page.locator("#difference ins").first().waitFor();
    await page.getByRole("button", { name: "+ Add tier" }).click();
    await page.locator("#label-5").waitFor();
  },
  "decision without a score": async (page) => {
    await page.goto(`${paths.find((path) => /^\/eval\/\d+$/.test(path))}/results/1`);
    await page.getByLabel("Reason").fill("Neither a score nor sections.");
    await page.getByRole("button", { name: "Save decision" }).click();
    await page.getByRole("alert").waitFor();
  },
};

for (const colorScheme of ["light", "dark"]) {
  test(`pages behind forms in ${colorScheme}`, async () => {
    const { page, context, refused, quiet } = await open(browser, server.address, { colorScheme, viewport: { width: 360, height: 800 } });
    const wrong = [];
    refused(422);
    for (const [name, go] of Object.entries(FORMS)) {
      await go(page);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) wrong.push(`${name}: ${over} pixels too wide`);
      wrong.push(...(await violations(page)).map((one) => `${name}: ${one}`));
    }
    assert.deepEqual([...wrong, ...(await quiet())], []);
    await context.close();
  });

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
        wrong.push(...(await violations(page)).map((one) => `${path} at ${width}: ${one}`));
      }
    }
    const complaints = await quiet();
    await context.close();
    assert.deepEqual([...wrong, ...complaints], []);
  });
}
