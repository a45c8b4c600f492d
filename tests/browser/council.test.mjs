// A council asked in the browser: members to tick, the cost before, watched while it is held, stopped, resumed, killed, the cost
// after, what a reader thinks of it, other weights kept, and answers that are there already.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scripted } from "./model.mjs";
import { launch, open, serve } from "./served.mjs";

const DIMENSIONS = ["accuracy", "relevance", "completeness", "conciseness", "clarity"];
/** Three answers with a word of their own, and the marks that everybody gives them. */
const ANSWERS = {
  plain: ["Quartz is made of silicon and oxygen, in (plain) words.", [9, 9, 8, 9, 9]],
  grand: ["Quartz is a (grand) crystal of silicon and oxygen, and so on.", [8, 8, 8, 5, 6]],
  wrong: ["Quartz is frozen water that is (wrong) for ever.", [2, 9, 9, 10, 10]],
};
const SETTINGS = `
[council]
members = ["hub/plain", "hub/grand", "hub/wrong"]
reviewers = ["hub/r1", "hub/r2", "hub/r3"]
[prices]
${["plain", "grand", "wrong", "r1", "r2", "r3", "chair"].map((name) => `"hub/${name}" = { input = 1000.0, output = 1000.0, as_of = "2026-11-01" }`).join("\n")}
`;

let model, server, browser, page, refused, quiet;
/** Requests as they came; a model that is held back answers when it is let go. */
const asked = [];
let heldBack = {};

function holdBack(name) {
  let letGo;
  heldBack[name] = new Promise((resolve) => (letGo = resolve));
  return letGo;
}

function stage(question) {
  if (question.startsWith("Answer the question")) return "answer";
  return question.startsWith("You write the final answer") ? "chair" : "review";
}

async function reply(question, name) {
  asked.push(`${stage(question)} ${name}`);
  await heldBack[name];
  if (stage(question) === "answer") return ANSWERS[name][0];
  if (stage(question) === "chair") return "Silicon and oxygen.";
  const places = Object.keys(ANSWERS).map((one) => [question.lastIndexOf(`(${one})`), one]);
  const seen = places.filter(([place]) => place >= 0).sort(([one], [other]) => one - other);
  const evaluations = seen.map(([, one], place) => {
    const marks = DIMENSIONS.map((dimension, number) => [dimension, ANSWERS[one][1][number]]);
    return [`Response ${"ABC"[place]}`, { ...Object.fromEntries(marks), notes: `about ${one}` }];
  });
  return { evaluations: Object.fromEntries(evaluations) };
}

const step = (name, stage) => page.locator("#steps tr", { hasText: stage }).filter({ hasText: name });

before(async () => {
  model = await scripted(reply);
  server = await serve({ settings: model.settings + SETTINGS });
  browser = await launch();
  ({ page, refused, quiet } = await open(browser, server.address));
});

after(async () => {
  await browser?.close();
  await server?.stop();
  model?.stop();
});

test("what is configured is ticked, and a question without words is refused with everything kept", async () => {
  await page.goto("/runs/new");
  await page.getByRole("link", { name: "Councils", exact: true }).last().click();
  const members = page.getByRole("group", { name: "Members" });
  assert.equal(await members.getByRole("checkbox", { checked: true }).count(), 3);
  await members.getByLabel("hub/wrong").uncheck();
  await page.getByLabel("Rubric").selectOption("classic");
  refused(400);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator(".notice.bad", { hasText: "question is empty" }).waitFor();
  assert.equal(await members.getByRole("checkbox", { checked: true }).count(), 2);
  assert.equal(await page.getByLabel("Rubric").inputValue(), "classic");
});

test("the cost is told before anybody is asked", async () => {
  await page.goto("/runs/new?instrument=council");
  await page.getByLabel("Question").fill("What is quartz?");
  await page.getByLabel("Chair (optional)").selectOption("hub/chair");
  await page.getByLabel("Name (optional)").fill("quartz");
  await page.getByRole("button", { name: "Continue" }).click();
  const estimate = page.locator("#estimate");
  await estimate.getByText("hub/r1, hub/r2, hub/r3").waitFor();
  assert.match(await estimate.locator(".stat", { hasText: "Requests" }).textContent(), /^Requests7$/);
  assert.match(await estimate.locator(".stat", { hasText: "Maximum cost" }).textContent(), /\$\d/);
  assert.deepEqual(asked, []);
  // Back to the form, and everything is still there.
  await page.getByRole("button", { name: "Change" }).click();
  assert.equal(await page.getByLabel("Question").inputValue(), "What is quartz?");
  assert.equal(await page.getByLabel("Chair (optional)").inputValue(), "hub/chair");
  await page.getByRole("button", { name: "Continue" }).click();
});

test("it is watched while it is held, and stopped between two stages", async () => {
  const letGo = [holdBack("plain"), holdBack("grand"), holdBack("wrong")];
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/\/councils\/1/);
  await step("hub/wrong", "Answer").getByText("asked", { exact: true }).waitFor();
  assert.match(await step("hub/r1", "Review").textContent(), /waiting/);
  letGo[0]();
  // The page asks for itself: nothing is loaded again.
  await step("hub/plain", "Answer").getByText("done", { exact: true }).waitFor();
  assert.match(await step("hub/grand", "Answer").textContent(), /asked/);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.locator(".head .badge", { hasText: "stopped" }).waitFor();
  // Longer than it takes to notice; what is under way is finished and kept.
  await page.waitForTimeout(1500);
  letGo[1]();
  letGo[2]();
  await page.waitForTimeout(1500);
  assert.deepEqual(asked.toSorted(), ["answer grand", "answer plain", "answer wrong"]);
});

test("it is resumed, killed and held on, asks again only who was under way, and shows what it cost", async () => {
  heldBack = {};
  const letGo = holdBack("r3");
  await page.reload();
  await page.getByRole("button", { name: "Resume" }).click();
  for (const name of ["hub/r1", "hub/r2"]) await step(name, "Review").getByText("done", { exact: true }).waitFor();
  assert.match(await step("hub/r3", "Review").textContent(), /asked/);
  // What a page says of a server that is gone is not looked at here.
  await page.goto("about:blank");
  await server.killed();
  heldBack = {};
  letGo();
  await page.goto("/councils/1");
  // The hold of a server that is gone runs out first. Then the page shows the verdict by itself.
  await page.getByRole("heading", { name: "Did you understand why" }).waitFor({ timeout: 60_000 });
  // The reply that was under way never came; everybody else was asked once.
  assert.equal(asked.length, 8, asked.join(", "));
  assert.deepEqual(asked.filter((one, place) => asked.indexOf(one) !== place), ["review r3"]);
  // By hand, default rubric: .35*9 + .10*9 + .20*8 + .15*9 + .20*9 = 8.8.
  assert.match(await page.locator(".council").innerText(), /Ranking\s+1\s+hub\/plain[\s\S]+?8\.80/);
  // Twenty tokens a reply at a tenth of a cent each; what was under way may have been paid for, and counts at its ceiling.
  const prices = await page.locator("#cost tbody tr").allTextContents();
  assert.equal(prices.filter((row) => row.endsWith("120$0.0200")).length, 6, prices.join("; "));
  assert.match(prices.find((row) => row.startsWith("hub/r3")), /^hub\/r32[\d,]+\$[1-9]/);
  assert.match(await page.locator("#cost tfoot tr").textContent(), /^Total8/);
  assert.equal(await page.locator("#cost tbody tr").count(), 7);
});

test("a reader says whether it was understood, and changes her mind", async () => {
  await page.getByText("No reader has answered yet.").waitFor();
  await page.getByRole("button", { name: "Partly" }).click();
  await page.getByText("0 of 1 reader understood it: 0 % [0 %, 79 %]; 1 partly, 0 not.").waitFor();
  await page.getByRole("button", { name: "Yes" }).click();
  await page.getByText("1 of 1 reader understood it: 100 % [21 %, 100 %]; 0 partly, 0 not.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Yes" }).getAttribute("aria-pressed"), "true");
});

test("other weights are tried without a call, and kept as a version", async () => {
  await page.getByLabel("accuracy", { exact: true }).fill("0.5");
  await page.getByLabel("clarity", { exact: true }).fill("0.05");
  await page.getByRole("button", { name: "Recalculate" }).click();
  await page.getByText("nothing was saved").waitFor();
  await page.getByLabel("Reason (optional)").fill("accuracy first");
  await page.getByRole("button", { name: "Save as a new version" }).click();
  await page.getByText("saved as a new version").waitFor();
  await page.goto("/councils/1");
  assert.equal(await page.getByLabel("accuracy", { exact: true }).inputValue(), "0.5");
  assert.equal(asked.length, 8);
});

test("answers that are there are reviewed, also without scripts", async () => {
  heldBack = {};
  const plain = await open(browser, server.address, { javaScriptEnabled: false });
  const answers = Object.entries(ANSWERS).map(([name, [text]]) => JSON.stringify({ model: name, text })).join("\n");
  await plain.page.goto("/runs/new?instrument=council");
  // Another question: replies to the same one are kept, and nobody would be asked.
  await plain.page.getByLabel("Question").fill("What is quartz made of?");
  await plain.page.getByText("Review existing answers").click();
  await plain.page.getByLabel("File of answers").setInputFiles({ name: "answers.jsonl", mimeType: "application/json", buffer: Buffer.from(answers) });
  await plain.page.getByRole("button", { name: "Continue" }).click();
  await plain.page.getByText("plain, grand, wrong").waitFor();
  await plain.page.getByRole("button", { name: "Start", exact: true }).click();
  await plain.page.waitForURL(/\/councils\/2/);
  while ((await plain.page.locator("#understood").count()) === 0) {
    await plain.page.waitForTimeout(200);
    await plain.page.goto("/councils/2");
  }
  assert.match(await plain.page.locator("#cost tfoot tr").textContent(), /Total3/);
  await plain.context.close();
});

test("a live council fits a phone", async () => {
  const letGo = holdBack("plain");
  await page.goto("/runs/new?instrument=council");
  await page.getByLabel("Question").fill("What is a very long quartz?");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator("#steps").waitFor();
  await page.setViewportSize({ width: 360, height: 800 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  letGo();
  await page.locator("#understood").waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});

test("a browser found nothing to complain about", async () => assert.deepEqual(await quiet(), []));
