// Criteria sets under change, as an administrator works on them: by what is written on the pages, and without scripts.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, serve } from "./served.mjs";

const SETS = "/admin/org/eval/criteria-sets";
const LIST = "id,requirement,category,weight\nA-1,Doors are locked.,Access,2\nA-2,Visitors sign a book.,,\nA-3,Keys are counted.,,\n";
const POLICY = "Doors are locked at night.\nVisitors sign a book at the front desk.\n";

let server, browser, page, refused, quiet, set;

before(async () => {
  server = await serve();
  browser = await launch();
  ({ page, refused, quiet } = await open(browser, server.address));
  await page.goto(SETS);
  await page.getByLabel("Name", { exact: true }).fill("House rules");
  await page.getByLabel("File").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer: Buffer.from(LIST) });
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByRole("button", { name: "Import 3 criteria" }).click();
  await page.waitForURL(/told=imported/);
  set = new URL(page.url()).pathname;
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const names = (from = page) => from.locator("tbody th[scope=row]").allTextContents();

test("a set is renamed; a name that is taken stays typed and is marked", async () => {
  await page.goto(SETS);
  await page.getByRole("link", { name: "Rename House rules" }).click();
  refused(422);
  await page.getByLabel("Name", { exact: true }).fill(" ");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("a name is not empty").waitFor();
  assert.equal(await page.getByLabel("Name", { exact: true }).getAttribute("aria-invalid"), "true");
  await page.getByLabel("Name", { exact: true }).fill("Rules of the house");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Renamed.").waitFor();
  await page.getByRole("link", { name: "Rules of the house", exact: true }).waitFor();
});

test("a criterion is changed, added, and what is wrong is said beside its field", async () => {
  await page.goto(set);
  await page.getByRole("link", { name: "Edit A-2" }).click();
  refused(422);
  await page.getByLabel("Requirement").fill("Visitors wear a badge.");
  await page.getByLabel("Weight").fill("heavy");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("#weight-problem", { hasText: "`heavy` is not a number" }).waitFor();
  assert.equal(await page.getByLabel("Weight").getAttribute("aria-invalid"), "true");
  assert.equal(await page.getByLabel("Requirement").inputValue(), "Visitors wear a badge.", "what was typed is lost");
  await page.getByLabel("Weight").fill("1.5");
  await page.getByLabel("Category").fill("Access");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  const row = page.locator("tbody tr", { hasText: "A-2" });
  assert.match(await row.textContent(), /Visitors wear a badge\..*Access.*1\.5/s);
  await page.getByRole("link", { name: "+ Add criterion" }).click();
  refused(422);
  await page.getByLabel("ID").fill("A-1");
  await page.getByLabel("Requirement").fill("Windows are shut.");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("#id-problem", { hasText: "A-1" }).waitFor();
  await page.getByLabel("ID").fill("A-4");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  assert.deepEqual(await names(), ["A-1", "A-2", "A-3", "A-4"]);
});

test("two administrators: the second sees both versions and decides", async () => {
  const other = await open(browser, server.address);
  await page.goto(set);
  await page.getByRole("link", { name: "Edit A-3" }).click();
  await other.page.goto(page.url());
  await other.page.getByLabel("Requirement").fill("Keys are counted every month.");
  await other.page.getByRole("button", { name: "Save" }).click();
  await other.page.getByText("Saved.").waitFor();
  refused(412);
  await page.getByLabel("Requirement").fill("Keys are counted every week.");
  await page.getByRole("button", { name: "Save" }).click();
  const told = page.getByRole("alert");
  await told.getByText("Someone else saved this criterion").waitFor();
  assert.match(await told.textContent(), /Keys are counted every month\./);
  assert.equal(await page.getByLabel("Requirement").inputValue(), "Keys are counted every week.");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  assert.match(await page.locator("tbody tr", { hasText: "A-3" }).textContent(), /every week/);
  assert.deepEqual(await other.quiet(), []);
  await other.context.close();
});

test("a run keeps its criteria, and what it used is not deleted", async () => {
  await page.goto("/runs/new?criteria=Rules%20of%20the%20house");
  await page.getByLabel("Files").setInputFiles([{ name: "policy.txt", mimeType: "text/plain", buffer: Buffer.from(POLICY) }]);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator(".head .badge", { hasText: "done" }).waitFor();
  const run = new URL(page.url()).pathname;
  await page.goto(`${run}/matrix`);
  const before = await page.locator("main").textContent();
  await page.goto(set);
  await page.getByRole("link", { name: "Edit A-1" }).click();
  await page.getByLabel("Requirement").fill("Nothing of the kind.");
  await page.getByLabel("Weight").fill("40");
  await page.getByLabel("Category").fill("Elsewhere");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await page.goto(`${run}/matrix`);
  assert.equal(await page.locator("main").textContent(), before);
  await page.goto(set);
  await page.getByRole("link", { name: "Edit A-1" }).click();
  refused(422);
  await page.getByRole("button", { name: "Delete criterion" }).click();
  await page.getByRole("alert").getByText("runs used the criterion `A-1`").waitFor();
});

test("order, deletion and the archive need no scripts", async () => {
  const { page, context } = await open(browser, server.address, { javaScriptEnabled: false });
  await page.goto(set);
  await page.getByRole("link", { name: "+ Add criterion" }).click();
  await page.getByLabel("ID").fill("A-5");
  await page.getByLabel("Requirement").fill("Lifts are checked.");
  await page.getByRole("button", { name: "Save" }).click();
  assert.deepEqual(await names(page), ["A-1", "A-2", "A-3", "A-4", "A-5"]);
  assert.ok(await page.getByRole("button", { name: "Move A-1 up" }).isDisabled());
  await page.getByRole("button", { name: "Move A-2 up" }).click();
  await page.getByText("Moved.").waitFor();
  assert.deepEqual(await names(page), ["A-2", "A-1", "A-3", "A-4", "A-5"]);
  await page.getByRole("button", { name: "Move A-2 down" }).click();
  await page.getByRole("link", { name: "Edit A-5" }).click();
  await page.getByLabel("Move to position").fill("1");
  await page.getByRole("button", { name: "Move", exact: true }).click();
  assert.deepEqual(await names(page), ["A-5", "A-1", "A-2", "A-3", "A-4"]);
  await page.getByRole("link", { name: "Edit A-5" }).click();
  await page.getByRole("button", { name: "Delete criterion" }).click();
  await page.getByText("Criterion deleted.").waitFor();
  assert.deepEqual(await names(page), ["A-1", "A-2", "A-3", "A-4"]);
  await page.goto(SETS);
  await page.getByRole("button", { name: "Archive Rules of the house" }).click();
  await page.getByText("Archived.").waitFor();
  assert.equal(await page.getByRole("link", { name: "Rules of the house", exact: true }).count(), 0);
  await page.goto("/runs/new");
  assert.equal(await page.locator("option", { hasText: "Rules of the house" }).count(), 0);
  await page.goto(SETS);
  await page.getByRole("link", { name: "Show archived (1)" }).click();
  await page.getByRole("button", { name: "Restore Rules of the house" }).click();
  await page.getByText("Restored.").waitFor();
  await page.getByRole("link", { name: "Rules of the house", exact: true }).waitFor();
  await context.close();
});

test("every change is in the audit with before and after", async () => {
  await page.goto("/admin/audit");
  const words = await page.locator("tbody").textContent();
  for (const what of ["rename criteria set", "update criteria set", "reorder criteria set", "archive criteria set"]) {
    assert.ok(words.includes(what), what);
  }
});

test("a browser found nothing to complain about", async () => assert.deepEqual(await quiet(), []));
