// A server on a network: people with accounts, what administrators look after, and several analysts.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, samples, serve, signIn } from "./served.mjs";

const PASSWORD = "copper lantern seldom varnish";
const PEOPLE = [["ann", "admin"], ["ben", "analyst"], ["vic", "viewer"]];

let server, browser;
const people = {};

const signedIn = (name, password = PASSWORD) => signIn(browser, server.address, name, password);

before(async () => {
  server = await serve({ people: PEOPLE, password: PASSWORD });
  browser = await launch();
  for (const [name] of PEOPLE) people[name] = await signedIn(name);
  await samples(people.ann.page);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test("an administrator adds somebody, changes a role, lets somebody out", async () => {
  const { page } = people.ann;
  await page.goto("/admin/people");
  await page.getByLabel("Name", { exact: true }).fill("<b>cy</b>");
  await page.getByLabel("Initial password").fill("password1234");
  people.ann.refused(400);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.locator(".notice.bad").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("<b>cy</b>");
  await page.getByLabel("Initial password").fill("seldom varnish copper lantern");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("Account added.").waitFor();
  const row = page.locator("tr", { has: page.getByText("<b>cy</b>", { exact: true }) });
  assert.equal(await row.locator("select").inputValue(), "analyst");
  await row.locator("select").selectOption("viewer");
  await row.getByRole("button", { name: "Change" }).click();
  await page.getByText("Changes saved.").waitFor();
  assert.equal(await row.locator("select").inputValue(), "viewer");
  await row.getByRole("button", { name: "Disable" }).click();
  await row.getByText("disabled").waitFor();
});

test("a token is shown once, lets a program in, and is revoked", async () => {
  const { page } = people.ann;
  await page.goto("/admin/tokens");
  await page.getByLabel("Program name").fill("nightly");
  await page.getByRole("button", { name: "Create token" }).click();
  const secret = await page.locator("code.secret").textContent();
  const ask = () => fetch(`${server.address}/api/v1/runs`, { headers: { authorization: `Bearer ${secret}` } });
  assert.equal((await ask()).status, 200);
  await page.goto("/admin/tokens");
  assert.doesNotMatch(await page.content(), new RegExp(secret));
  await page.getByRole("button", { name: "Revoke nightly" }).click();
  await page.getByText("Token revoked.").waitFor();
  assert.equal((await ask()).status, 401);
});

test("the audit says who did it, and is verified", async () => {
  const { page } = people.ann;
  await page.goto("/admin/audit");
  assert.match(await page.locator("tbody tr").first().textContent(), /ann/);
  await page.getByRole("link", { name: "Verify chain" }).click();
  await page.getByText(/Chain intact: \d+ entries/).waitFor();
});

test("a prompt gets a version, and what changed is shown", async () => {
  const { page } = people.ann;
  await page.goto("/admin/prompts");
  const body = await page.getByLabel("Prompt", { exact: true }).inputValue();
  await page.getByLabel("Prompt", { exact: true }).fill(`${body}\n{nonsense}`);
  people.ann.refused(422);
  await page.getByRole("button", { name: "Save as new version" }).click();
  await page.locator(".notice.bad", { hasText: "nonsense" }).waitFor();
  await page.getByLabel("Prompt", { exact: true }).fill(`${body}\nBe strict.`);
  await page.getByRole("button", { name: "Save as new version" }).click();
  await page.getByText("Saved as a new version.").waitFor();
  await page.getByLabel("Compare with").selectOption("default@1");
  await page.getByRole("button", { name: "Show" }).click();
  assert.match(await page.locator(".diff ins").last().textContent(), /^\+ Be strict\./);
  await page.getByLabel("Use for criteria set").selectOption("Sample criteria");
  await page.getByRole("button", { name: "Use for new runs" }).click();
  await page.getByText("New runs of this set will use the template.").waitFor();
});

test("models are listed without keys, and one that is not there says so", async () => {
  const { page } = people.ann;
  await page.goto("/admin/models");
  await page.getByLabel("Model", { exact: true }).fill("nobody/nothing");
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByText("nobody/nothing did not reply").waitFor();
});

test("a viewer sees no page of administrators, and changes nothing", async () => {
  const { page } = people.vic;
  for (const path of ["/admin/people", "/admin/tokens", "/admin/audit", "/admin/models"]) {
    people.vic.refused(403);
    assert.equal((await page.goto(path)).status(), 403, path);
  }
  await page.goto("/eval/1/results/3");
  assert.equal(await page.getByRole("button", { name: "Save decision" }).count(), 0);
  assert.equal(await page.getByRole("link", { name: "People", exact: true }).count(), 0);
});

test("somebody changes their own password, sees their browsers, and signs out of one", async () => {
  const { page } = people.vic;
  const elsewhere = await signedIn("vic");
  await page.goto("/account");
  assert.match(await page.locator(".head").textContent(), /vic · viewer/);
  await page.getByRole("button", { name: "End session" }).click();
  await page.getByText("Session ended.").waitFor();
  await elsewhere.page.goto("/runs");
  await elsewhere.page.waitForURL(/\/login\?return=/);
  assert.match(await elsewhere.page.locator("main").textContent(), /sign in/i);
  assert.deepEqual(await elsewhere.quiet(), []);
  people.vic.refused(422);
  await page.getByLabel("Current password").fill("wrong");
  await page.getByLabel("New password").fill("varnish lantern copper seldom");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.locator(".notice.bad").waitFor();
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByLabel("New password").fill("varnish lantern copper seldom");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.waitForURL(/\/login/);
  assert.deepEqual(await people.vic.quiet(), []);
  people.vic = await signedIn("vic", "varnish lantern copper seldom");
});

test("no browser found anything to complain about", async () => {
  for (const [name] of PEOPLE) assert.deepEqual(await people[name].quiet(), [], name);
});
