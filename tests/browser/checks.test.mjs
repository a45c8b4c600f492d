// The page of `assize check`: three regressions are planted among a thousand queries, and a reviewer who opens the page
// reaches the passage that each of them lost in two clicks.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { violations } from "./axe.mjs";
import { launch, open } from "./served.mjs";

const QUERIES = 1_000;
const CONFIG = `
[[check]]
name = "everything"
score = { run = "run.json", gold = "gold.json" }
require = ["recall@10 >= 0.5"]

[[check]]
name = "contracts"
score = { run = "run.json", gold = "gold.json" }
require = ["recall@10 >= 0.5", "recall@10 no worse than baseline by 0.001"]
`;

const question = (number) => `What does clause ${number} say of the ${["roof", "rent", "key", "harbour"][number % 4]}?`;
const answer = (number) => `Clause ${number}: the owner keeps it in repair, and pays ${number * 7} a year.`;
const filler = (rank) => `A passage about nothing of the kind, number ${rank}.`;

/** What each regression does to the passages of its query. */
const PLANTED = {
  3: (passages) => passages.slice(1), // gone
  500: ([lost, ...rest]) => [...rest, filler(10), filler(11), lost], // below the cutoff
  998: ([, ...rest]) => ["A clause says that it is kept in repair.", ...rest], // told otherwise
};

let folder, browser;

const run = (planted) => Array.from({ length: QUERIES }, (_, number) => {
  const passages = [answer(number), ...Array.from({ length: 9 }, (_, rank) => filler(rank + 1))];
  return { query: question(number), retrieved_passages: (planted[number] ?? ((same) => same))(passages) };
});

/** Runs the checks, and returns the exit code. */
function check(...more) {
  try {
    execFileSync(process.env.ASSIZE_BIN, ["check", ...more], { cwd: folder, stdio: "pipe" });
    return 0;
  } catch (ended) {
    return ended.status;
  }
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "assize-checks-"));
  const write = (name, value) => writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value));
  write("assize.toml", CONFIG);
  const tests = Array.from({ length: QUERIES }, (_, number) => ({ query: question(number), snippets: [answer(number)] }));
  write("gold.json", { tests });
  write("run.json", run({}));
  check("--update-baseline");
  write("run.json", run(PLANTED));
  assert.equal(check("--html", "page.html"), 1, "the regressions are found");
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("each planted regression is two clicks from the passage that it lost", async () => {
  const { page, context, quiet } = await open(browser, pathToFileURL(folder).href);
  for (const number of Object.keys(PLANTED).map(Number)) {
    await page.goto(pathToFileURL(join(folder, "page.html")).href);
    await page.getByRole("navigation", { name: "What failed" }).getByRole("link", { name: /no worse than baseline/ }).click();
    await page.getByRole("link", { name: question(number), exact: true }).click();
    const row = page.locator("tr:target");
    const lost = row.getByText(answer(number), { exact: true });
    assert.ok(await lost.isVisible(), `the passage of ${number} is not shown`);
    const [box, height] = [await lost.boundingBox(), page.viewportSize().height];
    assert.ok(box.y >= 0 && box.y + box.height <= height, `the passage of ${number} is out of sight`);
    assert.match(await row.textContent(), /1\.0000.*0\.0000/);
  }
  assert.deepEqual(await quiet(), []);
  await context.close();
});

test("what failed comes before what passed, and says so without colour", async () => {
  const { page, context } = await open(browser, pathToFileURL(folder).href);
  await page.goto(pathToFileURL(join(folder, "page.html")).href);
  assert.deepEqual(await page.locator("h2").allTextContents(), ["FAIL contracts", "PASS everything"]);
  const color = (word) => page.locator("h2 .badge", { hasText: word }).evaluate((badge) => getComputedStyle(badge).color);
  assert.notEqual(await color("PASS"), await color("FAIL"));
  await context.close();
});

test("the page is small, fits a phone, and axe finds nothing", async () => {
  const file = join(folder, "page.html");
  assert.ok(statSync(file).size < 300_000, `${statSync(file).size} bytes`);
  for (const colorScheme of ["light", "dark"]) {
    const { page, context } = await open(browser, pathToFileURL(folder).href, { colorScheme });
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(pathToFileURL(file).href);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${over} pixels too wide at ${width}`);
      assert.deepEqual(await violations(page), []);
    }
    await context.close();
  }
});
