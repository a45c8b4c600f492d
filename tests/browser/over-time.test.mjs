// Comparing and time: six runs of one criteria set with a fall between the third and the fourth, which the chart, the table and
// the comparison all show.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, serve } from "./served.mjs";

const TOPICS = ["doors", "keys", "visitors", "lockers", "cameras", "alarms", "badges", "gates", "shutters", "safes", "lamps", "fences"];
const GOOD = TOPICS.map((topic) => `The ${topic} are checked every week by the facilities team.`).join("\n\n");
const BAD = "This page was left blank on purpose.";

let server, browser, page, quiet, refused, set;
const runs = [];

/** Asks the API as a program would, from the page's own address. */
async function api(path, body) {
  const answer = await page.request.post(`/api/v1${path}`, body);
  assert.ok(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}

async function upload(text) {
  const file = { name: "facilities.md", mimeType: "text/markdown", buffer: Buffer.from(text) };
  await api("/document-sets/facilities/documents", { multipart: { file } });
}

async function run() {
  const made = await api("/runs", { data: { instrument: "compliance", criteria_set: "facilities", document_set: "facilities" } });
  for (let wait = 0; wait < 200; wait += 1) {
    const { state } = await (await page.request.get(`/api/v1/runs/${made.number}`)).json();
    if (state === "done") return made.number;
    await page.waitForTimeout(50);
  }
  throw new Error("the run did not end");
}

before(async () => {
  server = await serve();
  browser = await launch();
  ({ page, quiet, refused } = await open(browser, server.address));
  const criteria = TOPICS.map((topic, at) => ({ criteria_id: `F-${at + 1}`, requirement: `The ${topic} are checked every week.` }));
  set = await api("/criteria-sets", { data: { name: "facilities", criteria } });
  await api("/document-sets", { data: { name: "facilities" } });
  await upload(GOOD);
  for (let at = 0; at < 3; at += 1) runs.push(await run());
  await upload(BAD);
  runs.push(await run());
  await upload(GOOD);
  for (let at = 0; at < 2; at += 1) runs.push(await run());
  await page.goto(`/eval/${runs[0]}`);
  await page.getByText("More", { exact: true }).click().catch(() => {});
  await page.getByRole("button", { name: /baseline/i }).first().click();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test("a series of six runs shows the regression in the chart and in the table", async () => {
  await page.goto("/series");
  await page.getByRole("link", { name: "facilities", exact: true }).click();
  assert.equal(await page.locator("#chart svg circle").count(), 6);
  assert.equal(await page.locator("#chart svg circle.fell").count(), 1, "one fall");
  const rows = page.locator("#runs tbody tr");
  assert.equal(await rows.count(), 6);
  const fell = rows.filter({ hasText: "clearly worse" });
  assert.equal(await fell.count(), 1);
  assert.match(await fell.textContent(), new RegExp(`#${runs[3]}`));
  assert.match(await fell.textContent(), /documents/, "what changed is named");
  assert.match(await page.locator("#chart svg").getAttribute("aria-label"), /1 clearly worse than the run before/);
  assert.match(await rows.filter({ hasText: "baseline" }).textContent(), new RegExp(`#${runs[0]}`));
});

test("the numbers of the chart are a file, and those of a run's own page", async () => {
  const link = page.getByRole("link", { name: "CSV" });
  const answer = await page.request.get(await link.getAttribute("href"));
  const lines = (await answer.text()).trim().split("\n");
  assert.equal(lines.length, 7);
  const head = lines[0].split(",");
  const fourth = Object.fromEntries(lines[4].split(",").map((cell, at) => [head[at], cell]));
  const view = await (await page.request.get(`/api/v1/runs/${runs[3]}`)).json();
  const score = view.means.find((one) => one.measure === "score");
  assert.equal(Number(fourth.mean), score.mean);
  assert.equal(Number(fourth.low), score.interval[0]);
  assert.equal(fourth.verdict, "worse");
});

test("home says how the newest stands to the baseline", async () => {
  await page.goto("/");
  const since = await page.locator("#since-baseline").textContent();
  assert.match(since, new RegExp(`#${runs[5]}`));
  assert.match(since, /no clear difference/);
});

test("pairs are proposed, baseline and newest first, and no run is compared with itself", async () => {
  await page.goto("/compare");
  const first = page.locator("#proposed li").first();
  assert.match(await first.textContent(), new RegExp(`#${runs[5]}.*rules.*with #${runs[0]}.*baseline`, "s"));
  const chosen = await page.locator("select").evaluateAll((all) => all.map((one) => one.value));
  assert.deepEqual(chosen, [String(runs[0]), String(runs[5])]);
  refused(422);
  await page.goto(`/compare?base=${runs[1]}&with=${runs[1]}`);
  await page.getByText("Both runs are the same: choose two different ones.").waitFor();
  await page.locator("#proposed li a").first().click();
  await page.locator("#moved").waitFor();
});

test("what fell comes first, with the reason, in one number format", async () => {
  await page.goto(`/compare?base=${runs[2]}&with=${runs[3]}`);
  await page.getByText("Set up otherwise: documents.").waitFor();
  const first = page.locator("#moved tbody tr").first();
  const text = await first.textContent();
  assert.match(text, /label: .*Compliant → .*Compliant/, text);
  assert.match(text, /quotes found: 1 of 1 → 0 of 0/, text);
  const cells = await page.locator("#moved tbody td.n").allTextContents();
  const changes = cells.filter((_, at) => at % 3 === 2).map((cell) => Number(cell.replace("−", "-")));
  assert.deepEqual(changes, changes.toSorted((one, other) => one - other), "worst first");
  for (const cell of cells) assert.match(cell, /^[+−]?\d+\.\d$/, "one decimal for scores to 100");
});

test("all that moved is a file, the worst first", async () => {
  await page.goto(`/compare?base=${runs[2]}&with=${runs[3]}`);
  const shown = await page.locator("#moved tbody tr th").allTextContents();
  const answer = await page.request.get(await page.locator("#moved").getByRole("link", { name: "CSV of all" }).getAttribute("href"));
  const [head, ...lines] = (await answer.text()).trim().split("\n").map((line) => line.split(","));
  assert.deepEqual(head, ["item", "measure", "before", "after", "change"]);
  const scores = lines.filter(([, measure]) => measure === "score");
  assert.equal(scores.length, TOPICS.length, "every criterion fell");
  for (const [, , before, after, change] of scores) assert.equal(Number(change), after - before);
  assert.ok(scores.every(([, , , , change], at) => at === 0 || Number(change) >= Number(scores[at - 1][4])));
  assert.ok(shown.every((item) => lines.some(([name]) => name === item)), shown.join("; "));
});

test("a decision is shown where runs are compared", async () => {
  await page.goto(`/eval/${runs[3]}/results/1`);
  await page.getByLabel("Score", { exact: true }).fill("5");
  await page.getByLabel("Reason").fill("Nothing is said about it.");
  await page.getByRole("button", { name: "Save decision" }).click();
  await page.goto(`/compare?base=${runs[2]}&with=${runs[3]}`);
  const row = page.locator("#moved tbody tr", { hasText: "decided in" }).first();
  assert.match(await row.textContent(), /score 5, “Nothing is said about it.”/);
  await row.locator("a.main").click();
  assert.match(await page.locator("#why").textContent(), /decided in/);
});

test("several runs are a leaderboard with intervals and clear differences", async () => {
  await page.goto(`/compare?${[0, 3, 5].map((at) => `run=${runs[at]}`).join("&")}`);
  const rows = page.locator("#leaderboard tbody tr");
  assert.equal(await rows.count(), 3);
  assert.match(await rows.last().textContent(), new RegExp(`#${runs[3]}.*▼`, "s"), "the worst is last and marked");
  assert.equal(await page.locator("#leaderboard", { hasText: "▲" }).locator("tbody").getByText("▲").count(), 0);
});

test("all of it without scripts", async () => {
  const { page: plain, context } = await open(browser, server.address, { javaScriptEnabled: false });
  await plain.goto("/series");
  await plain.getByRole("link", { name: "facilities", exact: true }).click();
  await plain.getByLabel("Measure").selectOption({ index: 0 });
  await plain.getByRole("button", { name: "Show" }).click();
  assert.equal(await plain.locator("#runs tbody tr").count(), 6);
  await plain.getByRole("link", { name: "Leaderboard" }).click();
  assert.equal(await plain.locator("#leaderboard tbody tr").count(), 6);
  await context.close();
});

test("no browser found anything to complain about", async () => assert.deepEqual(await quiet(), []));
