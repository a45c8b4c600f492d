// The way of an analyst through the pages, as a person goes it: by what is written on them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, samples, serve } from "./served.mjs";

const CRITERIA = "criteria_id,requirement\nP-1,Passwords have at least twelve characters.\nP-2,Visitors sign a book at the desk.\n";
const HOSTILE = `Passwords must have at least twelve characters.
<script>document.title = "taken over"</script> <svg onload="alert(1)"> [a link](javascript:alert(2))
The name is \u202etxt.exe and that is all. Visitors sign the book at the desk.
`;

let server, browser, page, refused, quiet, run;

before(async () => {
  server = await serve();
  browser = await launch();
  ({ page, refused, quiet } = await open(browser, server.address));
  run = await samples(page);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const settled = (label) => page.locator("#verdict").getByText(label).first().waitFor();

test("a run is filtered, sorted by the worst, and opened by keys", async () => {
  await page.goto(run.Compliance);
  // Below the middle tier: one of the policy's results and three of the plan's; the rest is decided
  // better, or left open.
  await page.getByRole("link", { name: /^Weak 4$/ }).click();
  assert.match(page.url(), /show=weak/);
  assert.equal(await page.locator("#lines tbody tr").count(), 4);
  await page.getByRole("link", { name: "Score", exact: true }).click();
  assert.match(page.url(), /show=weak&sort=worst/);
  const scores = await page.locator("#lines .scorebar b").allTextContents();
  assert.deepEqual(scores.map(Number), scores.map(Number).toSorted((one, other) => one - other));
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/results\/\d+$/);
});

test("a citation leads to its place in the document, and back", async () => {
  await page.goto(`${run.Compliance}/results/3`);
  await page.locator("#quote-1 a").click();
  const mark = page.locator("#cite-1");
  assert.match(await mark.textContent(), /Accounts of people who leave/);
  assert.ok(await mark.evaluate((mark) => mark.matches(":target")), "the mark is not the target");
  assert.ok(await mark.isVisible());
  await page.locator("sup.ref a", { hasText: "1" }).click();
  assert.match(page.url(), /#quote-1$/);
});

test("a decision needs a reason, stands beside the judge's score, and can be taken back", async () => {
  await page.goto(`${run.Compliance}/results/2`);
  const before = await page.locator("#verdict .score-big b").textContent();
  await page.getByLabel("Score", { exact: true }).fill("60");
  await page.getByRole("button", { name: "Save decision" }).click();
  assert.ok(await page.getByLabel("Reason").evaluate((field) => field.matches(":invalid")), "saved without a reason");
  await page.getByLabel("Reason").fill("No interval is set: at most partially.");
  await page.getByText("Edit sections").click();
  await page.getByLabel("Explanation").fill("A review is described without an interval.");
  await page.getByRole("button", { name: "Save decision" }).click();
  await settled("Partially Compliant");
  assert.match(await page.locator("#verdict").textContent(), new RegExp(`rules: ${before.replace(".", "\\.")}`));
  assert.match(await page.locator("#history").textContent(), /score 60, section explanation/);
  assert.match(await page.locator("#history").textContent(), /at most partially/);
  await page.getByText("A review is described without an interval.").first().waitFor();
  await page.getByRole("button", { name: "Save as truth key" }).click();
  // Another analyst has said 92 of the same: until somebody decides, the mean of both counts.
  await page.getByText("truth key 76").waitFor();
  await page.getByLabel(/revert to the judge/).fill("The appendix sets one.");
  await page.getByRole("button", { name: "Revert" }).click();
  await page.getByText("Reverted to the judge’s score").waitFor();
  assert.equal(await page.locator("#verdict .score-big b").textContent(), before);
  assert.match(await page.locator("#history").textContent(), /back to the judge’s value/);
  await page.goto("/truth-keys");
  assert.match(await page.locator("main").textContent(), /LIB-260Partially Compliantlocalfrom run #1/);
});

test("not applicable has no number", async () => {
  await page.goto(`${run.Compliance}/results/7`);
  await page.getByText("Not applicable", { exact: true }).click();
  await page.getByLabel("Reason").fill("There are no backups here.");
  await page.getByRole("button", { name: "Save and next" }).click();
  await page.waitForURL(/results\/8/);
  await page.goto(`${run.Compliance}?show=decided`);
  assert.match(await page.locator("#lines tbody tr").first().textContent(), /–/);
});

test("own criteria and documents become a run; what is hostile in them stays text", async () => {
  await page.goto("/runs/new");
  await page.getByLabel("Or import a list").setInputFiles({ name: "own.csv", mimeType: "text/csv", buffer: Buffer.from(CRITERIA) });
  await page.getByLabel("Name of the new criteria set").fill("Own <b>criteria</b>");
  await page.getByLabel("Files").setInputFiles([
    { name: "<img src=x onerror=alert(3)>.md", mimeType: "text/markdown", buffer: Buffer.from(HOSTILE) },
    { name: "second.txt", mimeType: "text/plain", buffer: Buffer.from("Visitors sign the book at the desk.\n") },
  ]);
  await page.getByLabel("Name of the new document set").fill("own policies");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("2 documents × 2 criteria = 4 judgements").waitFor();
  assert.equal(await page.locator("main img, main b b").count(), 0);
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/\/eval\/\d+/);
  const path = new URL(page.url()).pathname;
  // It may be done before the page is there; while it is not, the page asks for its progress.
  await page.locator(".head .badge", { hasText: "done" }).waitFor();
  await page.goto(`${path}/results/1`);
  assert.equal(await page.locator("main script, main img, .doc svg, .doc a[href^=javascript]").count(), 0);
  const text = await page.locator(".doc").textContent();
  // A page that renders the Markdown shows nothing of a script: neither does ours, nor the judge.
  assert.doesNotMatch(text, /taken over/);
  assert.doesNotMatch(text, /\u202e/);
  assert.doesNotMatch(await page.title(), /taken over/);
});

test("an overlap is refused with the tier's name, the prompt follows, and two do not save over each other", async () => {
  await page.goto("/admin/org/eval/criteria-sets");
  await page.getByRole("link", { name: "Sample criteria", exact: true }).click();
  await page.getByRole("link", { name: "Scoring rubric" }).click();
  const address = page.url();
  const other = await open(browser, server.address);
  await other.page.goto(address);
  await page.locator("#max-2").fill("65");
  await page.locator("#preview .notice.bad").waitFor();
  assert.match(await page.locator("#preview .notice.bad").textContent(), /Tier [34], (Partially|Mostly) Compliant/);
  refused(422);
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("#min-3[aria-invalid], #max-2[aria-invalid], #min-2[aria-invalid]").first().waitFor();
  assert.equal(await page.getByText(/^Tier [34], /).count(), 1, "what is wrong is said once");
  await page.locator("#min-3").fill("66");
  await page.locator("#label-2").fill("Half way");
  await page.getByLabel("The rubric in the prompt").filter({ hasText: "- 41-65 (Half way)" }).waitFor();
  await page.locator("#preview", { hasText: "would get a different label" }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved. New runs use it").waitFor();
  await other.page.locator("#label-0").fill("Not met");
  await other.page.getByRole("button", { name: "Save" }).click();
  await other.page.getByText("Someone else saved this rubric").waitFor();
  assert.match(await other.page.getByRole("alert").textContent(), /Half way/);
  await other.context.close();
  await page.goto(`${run.Compliance}/results/3`);
  await settled("Fully Compliant");
  await page.goto(address);
  // A reset is a draft like any other: nothing is saved until somebody saves it, and what was saved can be undone.
  await page.getByRole("button", { name: "Reset to default" }).click();
  await page.getByText("Nothing is saved yet").waitFor();
  assert.equal(await page.locator("#max-2").inputValue(), "60");
  assert.match(await page.locator("#difference del").first().textContent(), /41-65 \(Half way\)/);
  assert.match(await page.locator("#difference ins").first().textContent(), /41-60 \(Partially Compliant\)/);
  await page.getByText("The whole prompt").click();
  assert.match(await page.getByLabel("The whole prompt").textContent(), /\(the text of the document\)/);
  await page.goto(address);
  assert.equal(await page.locator("#max-2").inputValue(), "65", "the reset was not saved");
  await page.locator("#history").getByRole("button", { name: /^Undo/ }).first().click();
  await page.getByText("Nothing is saved yet").waitFor();
  assert.equal(await page.locator("#max-2").inputValue(), "60");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved. New runs use it").waitFor();
  assert.equal(await page.locator("#difference ins").count(), 0);
});

test("a response structure takes text, list and number", async () => {
  await page.goto("/admin/org/eval/criteria-sets");
  await page.getByRole("link", { name: "Sample criteria", exact: true }).click();
  await page.getByRole("link", { name: "Response structure" }).click();
  for (const [place, id, kind] of [[1, "gaps", "list"], [2, "days", "number"]]) {
    await page.getByRole("button", { name: "+ Add section" }).click();
    await page.locator(`#id-${place}`).fill(id);
    await page.locator(`#kind-${place}`).selectOption(kind);
  }
  await page.getByLabel("Prompt preview").filter({ hasText: "- days (number, required)" }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  assert.equal(await page.locator("#kind-2").inputValue(), "number");
  await page.getByRole("button", { name: "Remove section 2" }).click();
  assert.equal(await page.locator(".section-row").count(), 2);
});

test("a reviewer works by keys alone, without seeing the judge's score", async () => {
  await page.goto("/review");
  const wanted = `/review?run=${run.Compliance.split("/").pop()}`;
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.getAttribute("href") === wanted, wanted)) break;
  }
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname + url.search === wanted);
  assert.doesNotMatch(await page.locator("main").textContent(), /judge: \d/);
  const first = await page.locator("form h2, section h2").nth(1).textContent();
  // The decision above was withdrawn, and its rating with it.
  await page.getByText("0 of 20 rated by you").waitFor();
  await page.keyboard.press("5");
  await page.getByText("1 of 20 rated by you").waitFor();
  await page.keyboard.press("s");
  await page.waitForURL(/after=/);
  await page.keyboard.press("2");
  await page.getByText("2 of 20 rated by you").waitFor();
  assert.notEqual(await page.locator("form h2, section h2").nth(1).textContent(), first);
  assert.match(await page.locator("main").textContent(), /results rated/);
});

test("two runs are compared, and what got worse comes first", async () => {
  await page.goto("/runs?instrument=retrieval");
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await page.getByRole("button", { name: "Compare selected" }).click();
  await page.getByRole("heading", { name: /^#\d+ vs #\d+$/ }).waitFor();
  const changes = await page.locator("#moved tbody td.best").allTextContents();
  const values = changes.map((text) => Number(text.replace("−", "-")));
  assert.deepEqual(values, values.toSorted((one, other) => one - other));
  await page.getByRole("link", { name: "Worse", exact: true }).click();
  for (const text of await page.locator("#moved tbody td.best").allTextContents()) assert.match(text, /^−/);
  // What got worse is opened: both values, and the passages with what changed between them.
  const row = page.locator("#moved tbody tr").first();
  const [subject, change] = [await row.locator("th").textContent(), await row.locator("td.best").textContent()];
  await row.locator("a.main").click();
  await page.getByRole("heading", { name: subject, exact: true, level: 1 }).waitFor();
  assert.ok((await page.locator("#measures td.best").allTextContents()).includes(change));
  assert.ok((await page.locator(".diff.words del").count()) > 0, "nothing is taken away");
  assert.ok((await page.locator(".diff.words ins").count()) > 0, "nothing is added");
});

test("claims lead to the article and back; a query unfolds; a council names who fails the gate", async () => {
  await page.goto(`${run.Summaries}/items/2`);
  await page.locator("#p1-c1 a", { hasText: "supported by the article" }).click();
  assert.ok(await page.locator("#p1-a-c1").evaluate((mark) => mark.matches(":target")));
  await page.locator(".source sup.ref a", { hasText: /^c1$/ }).click();
  assert.match(page.url(), /#p1-c1$/);
  await page.goto(`${run.Retrieval}/items/5`);
  await page.locator("#gold a", { hasText: "found at rank 1" }).first().click();
  assert.ok(await page.locator("#passage-1").evaluate((passage) => passage.matches(":target")));
  await page.locator("#passage-1 mark + sup a, #passage-1 mark a").first().click();
  assert.match(page.url(), /#gold-1$/);
  await page.locator("details.ledger summary", { hasText: "ndcg@10" }).click();
  await page.locator("details.ledger[open]", { hasText: "lowers the score" }).first().waitFor();
  await page.goto(run.Councils);
  await page.getByText("1 answer fails the safety gate").waitFor();
  await page.getByText("No clear winner").waitFor();
  await page.getByLabel("accuracy", { exact: true }).fill("0.1");
  await page.getByLabel("clarity", { exact: true }).fill("0.45");
  await page.getByRole("button", { name: "Recalculate" }).click();
  await page.getByText("These results use other weights").waitFor();
  assert.match(page.url(), /clarity=0\.45/);
  await page.getByText("1 answer fails the safety gate").waitFor();
});

test("a run leaves as Excel, PDF and CSV", async () => {
  for (const [format, start] of [["xlsx", "PK"], ["pdf", "%PDF"], ["csv", ""], ["oscal", "{"]]) {
    const answer = await page.request.get(`/runs/1/export?format=${format}`);
    assert.equal(answer.status(), 200, format);
    assert.match(answer.headers()["content-disposition"], /attachment/);
    assert.ok((await answer.body()).toString("latin1").startsWith(start), format);
  }
  // Every result is in the long one, and takes half a page at most.
  const long = (await (await page.request.get("/runs/1/export?format=pdf-full")).body()).toString("latin1");
  const pages = long.match(/\/Type \/Page\b(?!s)/g).length;
  assert.ok(pages >= 3 && pages <= 20 / 2, `${pages} pages for 20 results`);
});

test("a browser found nothing to complain about", async () => assert.deepEqual(await quiet(), []));

test("the core works without scripts", async () => {
  const { page, context } = await open(browser, server.address, { javaScriptEnabled: false });
  await page.goto("/");
  await page.locator("form", { hasText: "10 criteria" }).getByRole("button").click();
  await page.waitForURL(/\/eval\/\d+$/);
  await page.getByRole("link", { name: /^Weak/ }).click();
  await page.locator("#lines tbody th a").first().click();
  await page.getByLabel("Score", { exact: true }).fill("75");
  await page.getByLabel("Reason").fill("The annex says so.");
  await page.getByRole("button", { name: "Save decision" }).click();
  await page.locator("#verdict").getByText("Mostly Compliant").first().waitFor();
  await page.getByLabel(/revert to the judge/).fill("It does not.");
  await page.getByRole("button", { name: "Revert" }).click();
  await page.getByText("Reverted to the judge’s score").waitFor();
  await page.goto("/admin/org/eval/criteria-sets");
  await page.getByRole("link", { name: /tiers/ }).first().click();
  await page.locator("#max-0").fill("30");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".tier-row [aria-invalid]").first().waitFor();
  await page.getByRole("button", { name: "Dark" }).click();
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
  await context.close();
});
