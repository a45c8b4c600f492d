// The pictures of the documentation, taken from the samples so that they stay true: `cargo xtask screenshots`.
import { mkdirSync } from "node:fs";
import { launch, open, samples, serve } from "./served.mjs";

const LIST = `Control no.,Control name,Control description,Owner
V-1,Visitors,Visitors sign a book at the front desk and are accompanied.,Reception
V-2,Doors,Doors are locked when the last of the staff leaves the building.,Facilities
V-3,Keys,Keys are counted every month and the result is recorded.,Facilities
`;
const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
const server = await serve();
const browser = await launch();
const { page, context } = await open(browser, server.address);
const run = await samples(page);
await page.goto(`${run.Compliance}/results/6`);
await page.getByLabel("Score", { exact: true }).fill("45");
await page.getByLabel("Reason").fill("Training is yearly, attendance is not recorded.");
await page.getByRole("button", { name: "Save decision" }).click();
// The step before a run starts, with a list whose columns have names of their own.
await page.goto("/runs/new");
await page.getByLabel("Or import a list").setInputFiles({ name: "controls.csv", mimeType: "text/csv", buffer: Buffer.from(LIST) });
await page.getByLabel("Existing document set").selectOption("Sample policies");
await page.getByText("Another model").click();
await page.getByLabel("Model", { exact: true }).fill("openai/gpt-4o-mini");
await page.getByRole("button", { name: "Continue" }).click();
await page.locator("#columns").waitFor();
await page.screenshot({ path: `${folder}/new-run.png` });
await page.goto("/admin/org/eval/criteria-sets");
await page.getByRole("link", { name: "Scoring rubric" }).or(page.getByRole("link", { name: /tiers/ })).first().click();
const rubric = new URL(page.url()).pathname;
await context.close();
const pictures = [
  ["home", "/", "light", 1280, 800],
  ["run", run.Compliance, "light", 1280, 900],
  ["result", `${run.Compliance}/results/3`, "light", 1280, 900],
  ["result-dark", `${run.Compliance}/results/3`, "dark", 1280, 900],
  ["rubric", rubric, "light", 1280, 800],
  ["compare", "/compare?base=3&with=4", "light", 1280, 800],
  ["summary", `${run.Summaries}/items/2`, "light", 1280, 900],
  ["retrieval", `${run.Retrieval}/items/5`, "light", 1280, 800],
  ["council", run.Councils, "light", 1280, 900],
  ["matrix", `${run.Compliance}/matrix`, "dark", 1280, 900],
  ["phone", `${run.Compliance}/results/3`, "light", 360, 740],
];
for (const [name, path, colorScheme, width, height] of pictures) {
  const { page, context } = await open(browser, server.address, { colorScheme, viewport: { width, height } });
  await page.goto(path);
  // As after a click on the quote, without the scrolling of a small window.
  await page.evaluate(() => document.querySelector("#cite-1")?.classList.add("active"));
  await page.screenshot({ path: `${folder}/${name}.png` });
  await context.close();
}
await browser.close();
await server.stop();
