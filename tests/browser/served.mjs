// A server of our own with an empty database, and a browser that looks at it.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/**
 * Starts `assize serve` on a free port; ends it again with `stop`. With `people` (name and role) it is open to the network;
 * `settings` is what its `assize.toml` says. `killed()` kills it at once, and starts it again in the same place.
 */
export async function serve({ people = [], password = "", settings = "" } = {}) {
  const program = process.env.ASSIZE_BIN;
  if (!program) throw new Error("ASSIZE_BIN names the program to test: `cargo xtask browser` sets it");
  const folder = mkdtempSync(join(tmpdir(), "assize-browser-"));
  if (settings) writeFileSync(join(folder, "assize.toml"), settings);
  const database = ["--database", join(folder, "pages.db")];
  for (const [name, role] of people) {
    execFileSync(program, ["users", "add", name, "--role", role, "--password-stdin", ...database], { input: `${password}\n`, cwd: folder });
  }
  let child;
  const start = (bind) => {
    child = spawn(program, ["serve", "--bind", bind, "--log", "off", ...database], { stdio: ["ignore", "pipe", "inherit"], cwd: folder });
    return new Promise((resolve, reject) => {
      let said = "";
      child.stdout.on("data", (data) => {
        said += data;
        const found = said.match(/http:\/\/[^/\s]+/);
        if (found) resolve(found[0].replace("0.0.0.0", "127.0.0.1"));
      });
      child.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    });
  };
  const end = async (signal) => {
    child.removeAllListeners("exit");
    const ended = new Promise((resolve) => child.on("exit", resolve));
    child.kill(signal);
    await ended;
  };
  const address = await start(people.length > 0 ? "0.0.0.0:0" : "127.0.0.1:0");
  const killed = async () => {
    await end("SIGKILL");
    await start(address.replace("http://", ""));
  };
  const stop = async () => {
    await end("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  };
  return { address, folder, killed, stop };
}

/** A browser from the system; nothing is downloaded. */
export async function launch() {
  const executablePath = process.env.ASSIZE_CHROMIUM ?? BROWSERS.find(existsSync);
  if (!executablePath) throw new Error("no Chromium: `apt-get install chromium`, or name one in ASSIZE_CHROMIUM");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

/**
 * A page that collects what a browser complains about. A browser also logs each page that refuses something on purpose: a
 * test that is about to be refused says so with `refused(status)`, once for each time. What was announced and did not
 * happen is a complaint too; `quiet()` waits for the last message and returns all of them.
 */
export async function open(browser, address, options = {}) {
  const context = await browser.newContext({ baseURL: address, viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints = [];
  const announced = [];
  const refused = (...statuses) => announced.push(...statuses.map(String));
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    const place = announced.indexOf(message.text().match(/status of (\d{3})/)?.[1]);
    if (place >= 0) announced.splice(place, 1);
    else complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const quiet = async () => {
    for (let wait = 0; announced.length > 0 && wait < 20; wait += 1) await page.waitForTimeout(50);
    return [...complaints, ...announced.map((status) => `${status} was announced and did not come`)];
  };
  return { page, context, refused, quiet };
}

/** The same for somebody who signs in. */
export async function signIn(browser, address, name, password, options = {}) {
  const one = await open(browser, address, options);
  await one.page.goto("/login");
  await one.page.getByLabel("Name").fill(name);
  await one.page.getByLabel("Password").fill(password);
  await one.page.getByRole("button", { name: "Sign in" }).click();
  await one.page.waitForURL(/\/$/);
  return one;
}

/** Makes the samples of all four instruments; returns the addresses of their runs. */
export async function samples(page) {
  const addresses = {};
  for (const name of ["Compliance", "Summaries", "Retrieval", "Councils"]) {
    await page.goto("/");
    const card = page.locator("section.card", { has: page.getByRole("heading", { name, exact: true }) });
    await card.getByRole("button", { name: /sample/ }).click();
    await page.waitForURL(/\/(eval|runs|councils)\/\d+$/);
    addresses[name] = new URL(page.url()).pathname;
  }
  return addresses;
}
