// Keyboard alone: on every page Tab reaches whatever can be used, shows where it is, and is never caught.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { everyPath, REFUSED } from "./paths.mjs";
import { launch, open, serve } from "./served.mjs";

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

/** Lists what can be used, and writes down where the focus goes from now on. Runs in the page. */
function watch() {
  const native = "a[href], button, input:not([type=hidden]), select, textarea, summary";
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0;
  const isUsable = (one) => !one.disabled && (one.matches(native) || one.tabIndex >= 0) && isShown(one);
  const all = [...document.querySelectorAll(`${native}, [tabindex]`)].filter(isUsable);
  const seen = [];
  document.addEventListener("focusin", ({ target }) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(target);
    seen.push({ place: all.indexOf(target), hasOutline: outlineStyle !== "none" && parseFloat(outlineWidth) > 0 });
  });
  globalThis.seen = seen;
  const group = (one) => (one.type === "radio" ? `${[...document.forms].indexOf(one.form)} ${one.name}` : null);
  // Tab goes through the parts of a date before it leaves it.
  const parts = (one) => (/^(date|time|month|week|datetime-local)$/.test(one.type) ? 8 : 1);
  return all.map((one) => ({ html: one.outerHTML.slice(0, 110), group: group(one), parts: parts(one) }));
}

/** What is wrong on the page that is open, and how much was reached. */
async function looked(page, path) {
  const wrong = new Set();
  const all = await page.evaluate(watch);
  const steps = all.reduce((sum, one) => sum + one.parts, 0) + 20;
  for (let step = 0; step < steps; step += 1) await page.keyboard.press("Tab");
  const seen = await page.evaluate(() => globalThis.seen);
  const reached = new Set(seen.map((one) => one.place));
  const groups = new Set(all.filter((_, place) => reached.has(place)).map((one) => one.group));
  for (const [place, { html, group }] of all.entries()) {
    if (!reached.has(place) && (group === null || !groups.has(group))) wrong.add(`${path}: Tab does not reach ${html}`);
  }
  for (const { place, hasOutline } of seen) {
    if (place >= 0 && !hasOutline) wrong.add(`${path}: no outline on ${all[place].html}`);
  }
  // After the last one comes the first one again: nothing keeps the focus to itself.
  const rounds = seen.filter((one) => one.place === seen[0].place).length;
  if (rounds < 2 && all.length > 1) wrong.add(`${path}: the focus is caught after ${seen.length} steps`);
  return { wrong: [...wrong], count: reached.size };
}

test("tab reaches everything on every page, and shows where it is", async () => {
  const { page, context, refused, quiet } = await open(browser, server.address);
  const wrong = [];
  let count = 0;
  for (const path of paths) {
    if (REFUSED[path]) refused(REFUSED[path]);
    await page.goto(path);
    const found = await looked(page, path);
    wrong.push(...found.wrong);
    count += found.count;
  }
  const complaints = await quiet();
  await context.close();
  assert.ok(count > 500, `only ${count} were reached`);
  assert.deepEqual([...wrong, ...complaints], []);
});

test("what Tab passes over, shows nowhere or cannot leave is found", async () => {
  const { page, context } = await open(browser, server.address);
  await page.goto("/help");
  await page.evaluate(() => {
    const [over, bare] = document.querySelectorAll("a.nav");
    over.tabIndex = -1;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("a.nav.bare { outline: none !important }");
    document.adoptedStyleSheets = [sheet];
    bare.classList.add("bare");
  });
  const { wrong } = await looked(page, "/help");
  assert.deepEqual(wrong.map((one) => one.slice(0, 25)), ["/help: Tab does not reach", "/help: no outline on <a c"]);
  await page.goto("/help");
  await page.evaluate(() => {
    const trap = document.querySelectorAll("a.nav")[2];
    trap.addEventListener("keydown", (event) => event.key === "Tab" && event.preventDefault());
  });
  const caught = await looked(page, "/help");
  assert.ok(caught.wrong.some((one) => one.includes("the focus is caught")), caught.wrong.join("\n"));
  await context.close();
});

test("arrow keys reach every choice of a group", async () => {
  const { page, context, refused, quiet } = await open(browser, server.address);
  const wrong = [];
  for (const path of paths) {
    if (REFUSED[path]) refused(REFUSED[path]);
    await page.goto(path);
    const groups = await page.evaluate(() => {
      const radios = [...document.querySelectorAll("input[type=radio]")].filter((one) => !one.disabled && one.checkVisibility());
      const byName = Map.groupBy(radios, (one) => `${[...document.forms].indexOf(one.form)} ${one.name}`);
      globalThis.groups = [...byName.values()];
      return globalThis.groups.map((one) => one.length);
    });
    for (const [group, size] of groups.entries()) {
      await page.evaluate((at) => globalThis.groups[at][0].focus(), group);
      const reached = new Set();
      for (let step = 0; step < size; step += 1) {
        await page.keyboard.press("ArrowDown");
        reached.add(await page.evaluate((at) => globalThis.groups[at].indexOf(document.activeElement), group));
      }
      reached.delete(-1);
      if (reached.size < size) wrong.push(`${path}: arrows reach ${reached.size} of ${size} choices`);
    }
  }
  const complaints = await quiet();
  await context.close();
  assert.deepEqual([...wrong, ...complaints], []);
});
