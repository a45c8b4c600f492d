// A picture of every page at four widths, in light and dark, for people to look at: `cargo xtask screenshots FOLDER`.
// With them come contact sheets: all pages at one width and scheme, twelve to a sheet.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { everyPath, REFUSED, WIDTHS } from "./paths.mjs";
import { launch, open, serve } from "./served.mjs";

/** Of a long page so much is shown. */
const HEIGHT_MAX = 2_000;
/** Pages on one contact sheet. */
const ON_SHEET = 12;

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
const server = await serve();
const browser = await launch();
const first = await open(browser, server.address);
const paths = await everyPath(first.page);
await first.context.close();

/** The name of a picture: the place in the list, so that files are in its order, and the address in letters. */
const nameOf = (path, place) => `${String(place + 1).padStart(2, "0")}-${path.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 60) || "home"}`;

for (const colorScheme of ["light", "dark"]) {
  for (const width of WIDTHS) {
    const { page, context } = await open(browser, server.address, { colorScheme, viewport: { width, height: 900 } });
    const taken = [];
    for (const [place, path] of paths.entries()) {
      const answer = await page.goto(path);
      if (answer.status() !== (REFUSED[path] ?? 200)) throw new Error(`${path}: ${answer.status()}`);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      const file = join(folder, `${nameOf(path, place)}-${width}-${colorScheme}.png`);
      await page.screenshot({ path: file, fullPage: true, clip: { x: 0, y: 0, width, height: Math.min(height, HEIGHT_MAX) } });
      taken.push({ path, file });
    }
    await context.close();
    await sheets(taken, `${width}-${colorScheme}`);
    console.log(`${taken.length} pages at ${width}, ${colorScheme}`);
  }
}
await browser.close();
await server.stop();

/** Puts pictures side by side with their addresses. */
async function sheets(taken, name) {
  const context = await browser.newContext({ viewport: { width: 1680, height: 900 } });
  const page = await context.newPage();
  for (let from = 0; from < taken.length; from += ON_SHEET) {
    const figures = taken.slice(from, from + ON_SHEET).map(({ path, file }) => {
      const caption = path.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      return `<figure><figcaption>${caption}</figcaption><img src="data:image/png;base64,${readFileSync(file, "base64")}"></figure>`;
    });
    const style = "body{display:grid;grid-template-columns:repeat(4,1fr);gap:12px;font:13px sans-serif;background:#888}figure{margin:0}img{width:100%}figcaption{overflow-wrap:anywhere}";
    await page.setContent(`<style>${style}</style>${figures.join("")}`);
    await page.screenshot({ path: join(folder, `sheet-${name}-${String(from / ON_SHEET + 1).padStart(2, "0")}.png`), fullPage: true });
  }
  await context.close();
}
