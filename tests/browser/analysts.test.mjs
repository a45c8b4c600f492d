// Several people over one run: a second analyst, a difference that is settled, and an approval that shows what changed.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, samples, serve, signIn } from "./served.mjs";

const PASSWORD = "copper lantern seldom varnish";
// Keys that are pressed on the way, besides letters: Tab, Enter, and those that the pages give a meaning.
const KEYS_MAX = 25;
const PEOPLE = [["ann", "admin"], ["ben", "analyst"], ["vic", "viewer"]];

let server, browser, run;
const people = {};

before(async () => {
  server = await serve({ people: PEOPLE, password: PASSWORD });
  browser = await launch();
  for (const [name] of PEOPLE) people[name] = await signIn(browser, server.address, name, PASSWORD);
  run = await samples(people.ann.page);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Decides about a result, and makes it a truth key. */
async function key(page, number, score, reason) {
  await page.goto(`${run.Compliance}/results/${number}`);
  await page.getByLabel("Score", { exact: true }).fill(String(score));
  await page.getByLabel("Reason").fill(reason);
  await page.getByRole("button", { name: "Save decision" }).click();
  await page.locator("#history b", { hasText: `score ${score}` }).first().waitFor();
  await page.getByRole("button", { name: "Save as truth key" }).click();
  await page.getByText("Saved as a truth key.").waitFor();
}

test("a second analyst has a key of her own, and both are seen", async () => {
  await key(people.ann.page, 2, 70, "The quarter is named.");
  await key(people.ben.page, 2, 30, "Nobody is named who does it.");
  const { page } = people.ben;
  // 92 of the sample, 70 and 30: (92 + 70 + 30) / 3
  await page.getByText("truth key 64").waitFor();
  const said = await page.locator("#analysts").textContent();
  assert.match(said, /ann 70/);
  assert.match(said, /ben 30/);
  await page.goto("/truth-keys");
  assert.match(await page.locator("#agreement").textContent(), /Analysts3/);
  await page.getByRole("link", { name: "ben", exact: true }).click();
  assert.equal(await page.locator("#keys tbody tr").count(), 1);
});

test("a decision needs a reason, and what is settled counts", async () => {
  const { page } = people.ann;
  await page.goto("/truth-keys");
  await page.locator("#disputes tbody tr", { hasText: "LIB-2" }).getByRole("link", { name: "Settle" }).click();
  const sides = await page.locator("#sides").textContent();
  for (const words of ["ann", "70", "ben", "30", "M. Ferris", "92"]) assert.ok(sides.includes(words), `${words}: ${sides}`);
  assert.match(await page.locator(".doc").textContent(), /every quarter/);
  await page.getByText("A different score", { exact: true }).click();
  await page.getByLabel("Score", { exact: true }).fill("40");
  await page.getByRole("button", { name: "Settle", exact: true }).click();
  assert.ok(await page.getByLabel("Reason").evaluate((field) => field.matches(":invalid")), "settled without a reason");
  await page.getByLabel("Reason").fill("Half of it is there.");
  await page.getByRole("button", { name: "Settle", exact: true }).click();
  await page.getByText("Settled. This is now the truth key").waitFor();
  assert.equal(await page.locator("#verdict .score-big b").textContent(), "40");
  assert.match(await page.locator("#verdict").textContent(), /Settled by ann.*Half of it is there\./s);
  await people.ben.page.goto(`${run.Compliance}/results/2`);
  await people.ben.page.getByText("truth key 40").waitFor();
  assert.match(await people.ben.page.locator("#analysts").textContent(), /settled/);
  await page.goto("/truth-keys");
  assert.match(await page.locator("#disputes tbody tr", { hasText: "LIB-2" }).textContent(), /40 by ann/);
});

test("accuracy follows what was settled", async () => {
  const { page } = people.ann;
  await page.goto(`/accuracy?run=${run.Compliance.split("/").pop()}`);
  const row = page.locator("tr", { has: page.locator("td", { hasText: /^LIB-2$/ }) }).filter({ hasText: "access-policy.md" });
  assert.match(await row.textContent(), /40\.0/);
});

test("what an analyst says later shows that it was settled before, and it is opened again", async () => {
  await key(people.ben.page, 2, 35, "Looked once more.");
  const { page } = people.ann;
  await page.goto("/truth-keys");
  const row = page.locator("#disputes tbody tr", { hasText: "LIB-2" });
  assert.match(await row.textContent(), /changed since/);
  await row.getByRole("link", { name: "Review" }).click();
  await page.getByText("Reopen", { exact: true }).click();
  await page.getByLabel("Reason").fill("Ben found something.");
  await page.getByRole("button", { name: "Settle", exact: true }).click();
  await page.getByText("Reopened. Until it is settled").waitFor();
  // (92 + 70 + 35) / 3
  assert.equal(await page.locator("#verdict .score-big b").textContent(), "65.7");
});

test("a run is approved, shows what was changed since, and the approval is taken back", async () => {
  const { page } = people.ann;
  await page.goto(run.Compliance);
  await page.getByLabel("Note (optional)").fill("Board of 3 November.");
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByText("Run approved. Changes from now on").waitFor();
  assert.match(await page.locator("#approval").textContent(), /Approved by ann.*Board of 3 November/s);
  await page.locator(".head .badge", { hasText: /^approved$/ }).waitFor();
  assert.equal((await page.goto(`/runs/${run.Compliance.split("/").pop()}/delete`)).status(), 200);
  people.ann.refused(422);
  await page.getByRole("button", { name: "Delete run" }).click();
  await page.getByText("approved by ann").waitFor();
  await key(people.ben.page, 4, 20, "After the board.");
  await page.goto(run.Compliance);
  await page.locator(".head .badge", { hasText: "approved, changed since" }).waitFor();
  await page.goto("/runs");
  await page.locator("tbody tr", { hasText: "approved, changed since" }).first().waitFor();
  await page.goto(run.Compliance);
  await page.getByLabel("Reason for withdrawing").fill("Not what the board saw.");
  await page.getByRole("button", { name: "Withdraw approval" }).click();
  await page.getByText("Approval withdrawn").waitFor();
  await page.getByText("Approval history").click();
  assert.match(await page.locator("#approval .timeline").textContent(), /withdrawn.*approved/s);
});

test("a viewer settles and approves nothing", async () => {
  const { page } = people.vic;
  await page.goto(run.Compliance);
  assert.equal(await page.getByRole("button", { name: "Approve" }).count(), 0);
  await page.goto("/truth-keys");
  await page.locator("#disputes tbody a.main").first().click();
  assert.equal(await page.getByRole("button", { name: "Settle", exact: true }).count(), 0);
});

test("settling and approving need no scripts", async () => {
  const { page, context } = await signIn(browser, server.address, "ben", PASSWORD, { javaScriptEnabled: false });
  await page.goto("/truth-keys");
  await page.locator("#disputes tbody tr", { hasText: "LIB-2" }).getByRole("link", { name: "Settle" }).click();
  await page.getByText("70 (ann)").click();
  await page.getByLabel("Reason").fill("Ann is right.");
  await page.getByRole("button", { name: "Settle", exact: true }).click();
  assert.equal(await page.locator("#verdict .score-big b").textContent(), "70");
  await page.goto(run.Compliance);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.locator("#approval", { hasText: "Approved by ben" }).waitFor();
  await context.close();
});

test("from sign-in to a saved decision with keys alone", async () => {
  const { page, context, quiet } = await open(browser, server.address);
  let keys = 0;
  const press = async (...all) => {
    for (const key of all) await page.keyboard.press(key);
    keys += all.length;
  };
  const until = async (id) => {
    while ((await page.evaluate(() => document.activeElement?.id)) !== id && keys < 60) await press("Tab");
  };
  await page.goto("/login");
  await press("Tab", "Enter");
  await until("name");
  await page.keyboard.type("ben");
  await press("Tab");
  await page.keyboard.type(PASSWORD);
  await press("Enter");
  await page.waitForURL(/\/$/);
  // The oldest of the recent runs is the sample of compliance.
  await press("j", "j", "j", "j", "j", "Enter");
  await page.waitForURL(new RegExp(`${run.Compliance}$`));
  await press("j", "Enter");
  await page.waitForURL(/\/results\/1$/);
  await press("e");
  await page.keyboard.type("64");
  await until("reason");
  await page.keyboard.type("Read without a mouse.");
  await press("Control+Enter");
  await page.waitForURL(/\/results\/2\?/);
  assert.ok(keys <= KEYS_MAX, `${keys} keys`);
  console.log(`# ${keys} keys from sign-in to a saved decision, besides what is typed`);
  await page.goto(`${run.Compliance}/results/1`);
  assert.match(await page.locator("#history").textContent(), /score 64.*Read without a mouse\..*ben/s);
  assert.deepEqual(await quiet(), []);
  await context.close();
});

test("no browser found anything to complain about", async () => {
  for (const [name] of PEOPLE) assert.deepEqual(await people[name].quiet(), [], name);
});
