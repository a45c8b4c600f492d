// Keys: j and k move, Enter opens, / searches, e goes to the decision, 1-9 rate, s skips, Ctrl+Enter saves. Every one of them is a link or
// a button that is on the page anyway; nothing here is needed to use it.
const typing = (target) => target.closest("input, textarea, select, [contenteditable]");

const rows = () => [...document.querySelectorAll("[data-keys=rows] [data-row]")];

function move(step) {
  const all = rows();
  if (all.length === 0) return false;
  const here = all.findIndex((row) => row.classList.contains("here"));
  const next = all[Math.min(Math.max(here + step, 0), all.length - 1)];
  all[here]?.classList.remove("here");
  next.classList.add("here");
  const link = next.querySelector("a.main");
  link?.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
  return true;
}

// A page tells once what was done: loading it again does not.
const here = new URL(location.href);
if (here.searchParams.has("told")) {
  here.searchParams.delete("told");
  history.replaceState(history.state, "", here);
}

function decide() {
  const field = document.querySelector("[data-decide]");
  field?.focus();
  field?.scrollIntoView({ block: "center" });
  return Boolean(field);
}

function press(key) {
  const found = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  found?.click();
  return Boolean(found);
}

document.addEventListener("keydown", (event) => {
  const save = event.target.closest?.("form[data-save]");
  if (save && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    save.requestSubmit(save.querySelector("button[name=next]") ?? undefined);
    return;
  }
  if (typing(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  const done =
    event.key === "/" ? (document.querySelector("input[type=search]")?.focus(), true)
    : event.key === "e" ? decide()
    : event.key === "j" ? press("j") || move(1)
    : event.key === "k" ? press("k") || move(-1)
    : /^[1-9s]$/.test(event.key) ? press(event.key)
    : false;
  if (done) event.preventDefault();
});

// A click on a quote or a mark shows the other side in its own scrolling frame; without this the whole page moves too.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.('a[href^="#cite-"]');
  const mark = link && document.getElementById(link.hash.slice(1));
  if (!mark) return;
  document.querySelectorAll("mark.active").forEach((other) => other.classList.remove("active"));
  mark.classList.add("active");
});

// A run that ends while somebody watches shows its figures: the page is fetched once more.
document.addEventListener("htmx:after:swap", () => {
  if (document.querySelector("[data-ended]")) location.reload();
});

// Files go one by one: each is kept or refused by itself, how far it is can be seen, and after an interruption only the rest is sent.
function sendFile(form, file, moved) {
  const body = new FormData(form);
  body.delete("files");
  body.append("files", file);
  return new Promise((resolve) => {
    const asked = new XMLHttpRequest();
    asked.open("POST", form.action);
    asked.setRequestHeader("assize-one-of-several", "yes");
    asked.upload.addEventListener("progress", (event) => moved(event.loaded / event.total));
    asked.addEventListener("loadend", () => resolve(asked));
    asked.send(body);
  });
}

async function sendFiles(form, rest, told) {
  const [all, box] = [told.added + told.refused + rest.length, form.querySelector("[data-progress]")];
  const [bar, words, again, done] = ["progress", "[role=status]", "[data-again]", "[data-done]"].map((one) => box.querySelector(one));
  const button = form.querySelector("button.main");
  box.hidden = false;
  button.disabled = again.hidden = true;
  while (rest.length > 0) {
    const gone = all - rest.length;
    words.textContent = `${gone + 1} of ${all}: ${rest[0].name}`;
    const answer = await sendFile(form, rest[0], (share) => (bar.value = (gone + share) / all));
    const page = new DOMParser().parseFromString(answer.responseText, "text/html");
    const found = page.querySelector("[data-set]");
    if (!found && (answer.status === 0 || answer.status === 429 || answer.status >= 500)) {
      words.textContent = `Interrupted: ${told.added} added, ${rest.length} of ${all} left.`;
      button.disabled = again.hidden = false;
      again.onclick = () => sendFiles(form, rest, told);
      return;
    }
    const remark = found ?? Object.assign(document.createElement("p"), { textContent: `${rest[0].name}: ${page.querySelector("main")?.textContent ?? answer.status}` });
    if (found) done.href = found.dataset.set;
    const isAdded = found?.dataset.added === "1";
    told[isAdded ? "added" : "refused"] += 1;
    box.querySelector("[data-told]").append(remark);
    rest.shift();
  }
  bar.value = 1;
  words.textContent = `${told.added} added${told.refused ? `, ${told.refused} not` : ""}.`;
  button.disabled = false;
  done.hidden = told.added === 0;
  form.querySelector("[name=files]").value = "";
}

document.addEventListener("submit", (event) => {
  const files = event.target.matches("form[data-files]") && [...event.target.querySelector("[name=files]").files];
  if (!files || files.length === 0) return;
  event.preventDefault();
  event.target.querySelector("[data-told]").replaceChildren();
  sendFiles(event.target, files, { added: 0, refused: 0 });
});
