// The addresses of every page, once there is something on each.
import { samples } from "./served.mjs";

/** Pages that are refused on purpose, and how. */
export const REFUSED = { "/nothing-here": 404 };

/** Makes samples and a search, and returns every address. */
export async function everyPath(page) {
  const run = await samples(page);
  // The same twice more: a series of three runs, and a leaderboard.
  const again = { instrument: "compliance", criteria_set: "Sample criteria", document_set: "Sample policies" };
  const ofSeries = [1];
  for (let times = 0; times < 2; times += 1) {
    const { number } = await (await page.request.post("/api/v1/runs", { data: again })).json();
    await page.goto(`/eval/${number}`);
    await page.locator(".head .badge", { hasText: "done" }).waitFor();
    ofSeries.push(number);
  }
  await page.goto("/series");
  await page.getByRole("link", { name: "Sample criteria", exact: true }).click();
  const series = new URL(page.url()).pathname;
  await page.goto("/admin/org/eval/criteria-sets");
  await page.getByRole("link", { name: "Sample criteria", exact: true }).click();
  const set = new URL(page.url()).pathname;
  await page.getByRole("link", { name: "Edit LIB-1", exact: true }).click();
  const criterion = new URL(page.url()).pathname;
  await page.goto("/documents");
  await page.getByRole("link", { name: "Sample policies", exact: true }).click();
  const documents = new URL(page.url()).pathname;
  await page.getByRole("link", { name: "access-policy.md", exact: true }).click();
  const document = new URL(page.url()).pathname;
  // The rules are tried with another rubric: nothing is better, and that is a page too.
  await page.goto("/optimise");
  await page.getByText("from Sample criteria").click();
  await page.getByRole("button", { name: "Start search" }).click();
  await page.waitForURL(/\/optimise\/.+/);
  const search = new URL(page.url()).pathname;
  await page.locator("#verdict .badge", { hasText: "done" }).waitFor();
  const sets = "criteria=Sample%20criteria&documents=Sample%20policies";
  return [
    "/", "/runs", "/runs?instrument=council&tag=none", "/runs/new", "/runs/new?instrument=summary", "/runs/new?instrument=retrieval", "/runs/new?instrument=council",
    "/eval", run.Compliance, `${run.Compliance}?q=nothing-like-it`, `${run.Compliance}/matrix`, `${run.Compliance}/results/1`,
    run.Summaries, `${run.Summaries}/items/2`, run.Retrieval, `${run.Retrieval}/items/5`, run.Councils, "/compare", "/compare?base=3&with=4", "/series", series, `/compare?${ofSeries.map((number) => `run=${number}`).join("&")}`,
    "/compare/item?base=3&with=4&item=Harbour%20lease%20NDA%3A%20how%20can%20the%20agreement%20be%20ended%3F",
    `/truth-keys/adjudicate?${sets}&criterion=LIB-2&document=access-policy.md`, "/optimise", search,
    "/review", "/review?run=1", "/review?run=1&open=yes", "/documents", "/documents?archived=yes", documents, `${documents}?only=findings`, `${documents}/edit`, document, "/truth-keys", "/accuracy", "/admin/org/eval/criteria-sets", "/admin/org/eval/criteria-sets?archived=yes",
    set, `${set}/edit`, `${set}/criteria/new`, criterion, "/runs/1/rescore", "/runs/2/data", `${set}/table`, `${run.Compliance}?show=triage`, "/runs/2/rescore", `${set}/rubric`,
    `${set}/response-structure`, "/runs/1/edit", "/runs/1/delete", "/help", "/styleguide", "/nothing-here", "/account",
    "/admin/models", "/admin/people", "/admin/tokens", "/admin/audit?verify=yes", "/admin/prompts", "/login", "/setup?link=x", "/api/docs/",
  ];
}
