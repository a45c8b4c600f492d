// The response structure: every change is a draft with its difference, two people do not save over each other, a reset is a draft
// too, and history undoes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, serve } from "./served.mjs";

let server, browser, page, quiet, refused, address;

before(async () => {
  server = await serve();
  browser = await launch();
  ({ page, quiet, refused } = await open(browser, server.address));
  const criteria = [{ criteria_id: "D-1", requirement: "Doors are locked at night." }];
  const made = await page.request.post("/api/v1/criteria-sets", { data: { name: "doors", criteria } });
  assert.ok(made.ok(), await made.text());
  await page.goto("/admin/org/eval/criteria-sets");
  await page.getByRole("link", { name: "doors", exact: true }).click();
  await page.getByRole("link", { name: "Response structure" }).click();
  await page.waitForURL(/response-structure$/);
  address = page.url();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const ids = () => page.locator(".section-row input[name=id]").evaluateAll((all) => all.map((one) => one.value));

async function add(on, place, id, kind) {
  await on.getByRole("button", { name: "+ Add section" }).click();
  await on.locator(`#id-${place}`).waitFor();
  assert.equal(await on.getByRole("alert").count(), 0, "nothing is wrong before anything was typed");
  await on.locator(`#id-${place}`).fill(id);
  await on.locator(`#kind-${place}`).selectOption(kind);
}

test("an added section is a draft with its difference and the prompt that it makes", async () => {
  assert.deepEqual(await ids(), ["explanation"]);
  assert.equal(await page.locator("#difference ins, #difference del").count(), 0);
  await add(page, 1, "gaps", "list");
  await page.getByLabel("Prompt preview").filter({ hasText: "- gaps (list, required)" }).waitFor();
  await page.getByText("Nothing is saved yet").waitFor();
  assert.match(await page.locator("#difference ins").first().textContent(), /gaps/);
  assert.match(await page.getByLabel("Example of a valid answer").textContent(), /"gaps": \[/);
  const other = await open(browser, server.address);
  await other.page.goto(address);
  assert.equal(await other.page.locator(".section-row").count(), 1, "a draft is nobody else's");
  await other.context.close();
});

test("two people do not save over each other: the second sees what the first saved", async () => {
  const other = await open(browser, server.address);
  await other.page.goto(address);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  assert.deepEqual(await ids(), ["explanation", "gaps"]);
  other.refused(412);
  await add(other.page, 1, "days", "number");
  await other.page.getByRole("button", { name: "Save" }).click();
  const alert = other.page.getByRole("alert");
  await alert.getByText("Someone else saved this structure").waitFor();
  assert.match(await alert.textContent(), /gaps.*list/, "theirs is shown");
  assert.equal(await other.page.locator("#id-1").inputValue(), "days", "one's own is not lost");
  await other.page.getByRole("button", { name: "Save" }).click();
  await other.page.getByText("Saved.").waitFor();
  assert.deepEqual(await other.quiet(), []);
  await other.context.close();
  await page.goto(address);
  assert.deepEqual(await ids(), ["explanation", "days"]);
});

test("an identifier that comes twice is refused with the section's place", async () => {
  await add(page, 2, "days", "text");
  refused(422);
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("#id-2[aria-invalid], #id-1[aria-invalid]").first().waitFor();
  assert.match(await page.getByRole("alert").first().textContent(), /Section \d/);
  await page.getByRole("button", { name: "Remove section 3" }).click();
  assert.deepEqual(await ids(), ["explanation", "days"]);
});

test("a reset is a draft, and history undoes what was saved", async () => {
  await page.goto(address);
  await page.getByRole("button", { name: "Reset to default" }).click();
  await page.getByText("Nothing is saved yet").waitFor();
  assert.deepEqual(await ids(), ["explanation"]);
  assert.match(await page.locator("#difference del").first().textContent(), /days/);
  await page.goto(address);
  assert.deepEqual(await ids(), ["explanation", "days"], "the reset was not saved");
  // The newest change made `gaps` into `days`; what was before it is a draft again.
  await page.locator("#history").getByRole("button", { name: /^Undo/ }).first().click();
  await page.getByText("Nothing is saved yet").waitFor();
  assert.deepEqual(await ids(), ["explanation", "gaps"]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  assert.equal(await page.locator("#kind-1").inputValue(), "list");
  assert.equal(await page.locator("#difference ins, #difference del").count(), 0);
});

test("the same without scripts", async () => {
  const plain = await open(browser, server.address, { javaScriptEnabled: false });
  await plain.page.goto(address);
  await plain.page.getByRole("button", { name: "Reset to default" }).click();
  await plain.page.getByText("Nothing is saved yet").waitFor();
  assert.match(await plain.page.locator("#difference del").first().textContent(), /gaps/);
  await plain.page.getByRole("button", { name: "Save" }).click();
  await plain.page.getByText("Saved.").waitFor();
  assert.equal(await plain.page.locator(".section-row").count(), 1);
  await plain.context.close();
});

test("no browser found anything to complain about", async () => assert.deepEqual(await quiet(), []));
