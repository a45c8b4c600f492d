// What holds for every page at four widths, in light and dark: axe finds nothing at all, nothing is wider than the
// window, no inline style, no complaint of the browser, and no page weighs more than 80 kB.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { violations } from "./axe.mjs";
import { everyPath, missingRoutes, REFUSED, WIDTHS } from "./paths.mjs";
import { launch, open, serve } from "./served.mjs";

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

/** What is wrong with a page that is open, at every width. */
async function wrongAtWidths(page, name) {
  const wrong = [];
  if ((await page.locator("[style], style").count()) > 0) wrong.push(`${name}: an inline style`);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) wrong.push(`${name}: ${over} pixels too wide at ${width}`);
    wrong.push(...(await violations(page)).map((one) => `${name} at ${width}: ${one}`));
  }
  return wrong;
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
    assert.equal(await page.getByRole("alert").count(), 0, "nothing is wrong before anything was typed");
  },
  "decision without a score": async (page) => {
    await page.goto(`${paths.find((path) => /^\/eval\/\d+$/.test(path))}/results/1`);
    await page.getByLabel("Reason").fill("Neither a score nor sections.");
    await page.getByRole("button", { name: "Save decision" }).click();
    await page.getByRole("alert").waitFor();
  },
};

test("no route that shows a page is left out", () => {
  assert.deepEqual(missingRoutes(paths), []);
  assert.ok(missingRoutes(paths.filter((path) => !path.endsWith("/matrix"))).includes("/eval/{run}/matrix"));
});

for (const colorScheme of ["light", "dark"]) {
  test(`pages behind forms in ${colorScheme}`, async () => {
    const { page, context, refused, quiet } = await open(browser, server.address, { colorScheme });
    const wrong = [];
    refused(422);
    for (const [name, go] of Object.entries(FORMS)) {
      await go(page);
      wrong.push(...(await wrongAtWidths(page, name)));
    }
    assert.deepEqual([...wrong, ...(await quiet())], []);
    await context.close();
  });

  test(`every page in ${colorScheme}`, async () => {
    const { page, context, refused, quiet } = await open(browser, server.address, { colorScheme });
    const wrong = [];
    for (const path of paths) {
      if (REFUSED[path]) refused(REFUSED[path]);
      const answer = await page.goto(path);
      assert.equal(answer.status(), REFUSED[path] ?? 200, path);
      const weight = (await answer.body()).length;
      if (weight > (path.startsWith("/api/") ? WEIGHT_OF_API_MAX : WEIGHT_MAX)) wrong.push(`${path}: ${weight} bytes`);
      wrong.push(...(await wrongAtWidths(page, path)));
    }
    const complaints = await quiet();
    await context.close();
    assert.deepEqual([...wrong, ...complaints], []);
  });
}
