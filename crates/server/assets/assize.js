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
