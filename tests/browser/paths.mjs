// The addresses of every page, once there is something on each.
import { readFileSync } from "node:fs";
import { samples } from "./served.mjs";

/** The list that the server answers from: what is a page there has an address here. */
const ROUTES = new URL("../../crates/server/src/router.rs", import.meta.url);

/** What a `GET` answers with something else than a page of its own. */
const NO_PAGES = new Set([
  // Files.
  "/runs/{run}/export", "/series/{id}/table.csv", "/compare/moved.csv", "/eval/{run}/lines.csv", "/eval/{run}/results/{number}/original", "/truth-keys/template", "/assets/{name}",
  // A part of the page of a run, fetched again and again while it is running.
  "/runs/{run}/progress",
  // Redirects, and answers to programs.
  "/api/docs", "/login/oidc", "/login/oidc/return", "/login/oidc/out", "/healthz", "/readyz", "/metrics",
]);

/** Routes of the server that show a page and that none of these addresses leads to. */
export function missingRoutes(addresses) {
  const routes = [...readFileSync(ROUTES, "utf8").matchAll(/^ +GET "([^"]+)" [^;]*;/gm)];
  if (routes.length < 60) throw new Error(`only ${routes.length} routes were read: is the list written otherwise now?`);
  const pages = routes.filter(([line, path]) => !path.startsWith("/api/v1/") && !NO_PAGES.has(path)).map(([, path]) => path);
  const plain = addresses.map((address) => address.split("?")[0]);
  // Of two routes that match an address the one without a placeholder answers, as in the server.
  const pattern = (path) => new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+")}$`);
  const isFixed = (address) => pages.includes(address);
  return pages.filter((path) => !plain.some((address) => address === path || (!isFixed(address) && pattern(path).test(address))));
}

/** The widths at which every page is looked at: a phone, a tablet, a laptop, a desk. */
export const WIDTHS = [360, 768, 1280, 1440];

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
