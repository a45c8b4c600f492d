// Files that are brought: one by one with their progress, the good ones kept, the bad ones named, and the rest sent again after an
// interruption. The same without scripts, in one piece.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, serve } from "./served.mjs";

const text = (name, words) => ({ name, mimeType: "text/plain", buffer: Buffer.from(words) });
const GOOD = [1, 2, 3, 4, 5, 6, 7].map((at) => text(`policy-${at}.txt`, `Door ${at} is locked.`));
const BAD = [text("empty.txt", ""), text("picture.pdf", "\x89PNG\r\n\x1a\n0000"), text("~$broken.docx", "open")];
const TEN = [...GOOD.slice(0, 4), ...BAD, ...GOOD.slice(4)];

let server, browser, page, quiet, refused;

before(async () => {
  server = await serve();
  browser = await launch();
  ({ page, quiet, refused } = await open(browser, server.address));
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test("of ten files seven are kept and judged, three are named with the reason, and each is sent by itself", async () => {
  let sent = 0;
  page.on("request", (request) => (sent += request.method() === "POST" ? 1 : 0));
  await page.goto("/documents");
  await page.getByLabel("Name").fill("ten files");
  await page.getByLabel("Files").setInputFiles(TEN);
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByText("7 added, 3 not.").waitFor();
  assert.equal(sent, 10);
  assert.equal(await page.locator("progress").evaluate((bar) => bar.value), 1);
  for (const { name } of BAD) assert.match(await page.locator("[data-told] p", { hasText: name }).textContent(), /not added .{10,}/, name);
  await page.getByRole("link", { name: "Show documents" }).click();
  assert.equal(await page.locator("tbody tr").count(), 7);
  await page.getByRole("link", { name: "Evaluate" }).click();
  await page.getByLabel("Or import a list").setInputFiles(text("list.csv", "id,requirement\nD-1,Doors are locked.\n"));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("7 documents × 1 criterion = 7 judgements").waitFor();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator(".head .badge", { hasText: "done" }).waitFor();
  assert.equal(await page.locator("#lines tbody tr").count(), 7);
});

test("after an interruption only the rest is sent", async () => {
  await page.goto("/documents");
  await page.getByRole("link", { name: "ten files", exact: true }).click();
  const more = [8, 9, 10].map((at) => text(`policy-${at}.txt`, `Door ${at} is locked.`));
  const sent = [];
  let isCut = true;
  await page.route("**/documents/*", (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const name = route.request().postData().match(/filename="([^"]+)"/)[1];
    sent.push(name);
    return isCut && name === "policy-9.txt" ? route.fulfill({ status: 503, body: "" }) : route.continue();
  });
  refused(503);
  await page.getByLabel("Files").setInputFiles(more);
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByText("Interrupted: 1 added, 2 of 3 left.").waitFor();
  isCut = false;
  await page.getByRole("button", { name: "Send the rest again" }).click();
  await page.getByText("3 added.").waitFor();
  assert.deepEqual(sent, ["policy-8.txt", "policy-9.txt", "policy-9.txt", "policy-10.txt"]);
  await page.unroute("**/documents/*");
  // Somebody who chooses all of them again adds nothing.
  await page.getByLabel("Files").setInputFiles(more);
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByText("policy-10.txt: is there already, unchanged").waitFor();
  await page.getByRole("link", { name: "Show documents" }).click();
  assert.equal(await page.locator("tbody tr").count(), 10);
  assert.equal(await page.locator("tbody tr", { hasText: "v2" }).count(), 0);
});

test("without scripts they are sent together, and the bad ones are named as well", async () => {
  const plain = await open(browser, server.address, { javaScriptEnabled: false });
  await plain.page.goto("/documents");
  await plain.page.getByLabel("Name").fill("in one piece");
  await plain.page.getByLabel("Files").setInputFiles(TEN);
  await plain.page.getByRole("button", { name: "Add" }).click();
  await plain.page.getByText("7 added, 3 not").waitFor();
  for (const { name } of BAD) await plain.page.locator("p", { hasText: name }).getByText("not added").waitFor();
  await plain.context.close();
});

test("no browser found anything to complain about", async () => assert.deepEqual(await quiet(), []));
