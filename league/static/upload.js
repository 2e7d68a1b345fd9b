// The box for code: line numbers, jumping to a line, a Tab key that can be left, a file dropped on it.
// Without this file the box is a plain one and the server says the same. Where whole bundles are taken,
// `bundle.js` decides what goes into the box.

const form = document.querySelector("[data-editor]");
const box = form.querySelector("textarea.code");
const gutter = form.querySelector("[data-gutter]");
const tab = form.querySelector("[data-tab]");
const findings = document.getElementById("findings");
let lines = 0;

function number() {
  const count = box.value.split("\n").length;
  if (count !== lines) {
    lines = count;
    gutter.textContent = Array.from({ length: count }, (_, line) => line + 1).join("\n");
  }
  gutter.scrollTop = box.scrollTop;
}

function goTo(line, column) {
  const before = box.value.split("\n").slice(0, line - 1);
  const at = before.join("\n").length + (line > 1 ? 1 : 0) + column - 1;
  box.focus();
  box.setSelectionRange(at, at);
  box.scrollTop = (line - 4) * parseFloat(getComputedStyle(box).lineHeight);
  number();
}

export async function take(file) {
  const limit = Number(form.dataset.limitKib);
  if (file.size > limit * 1024) {
    // Such a text would freeze the page, and the server takes none of it.
    const size = Math.ceil(file.size / 1024).toLocaleString("en");
    const problem = document.createElement("p");
    problem.className = "notice error";
    problem.textContent = `${file.name} has ${size} KB, and the limit is ${limit} KB. The code in the box is unchanged.`;
    findings.replaceChildren(problem);
    form.elements.file.value = "";
    return true;
  }
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return false; // The server says what is wrong with it.
  }
  box.value = text;
  form.elements.file.value = "";
  box.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}

for (const part of form.querySelectorAll("[data-gutter], [data-tab-choice]")) part.hidden = false;
box.addEventListener("input", number);
box.addEventListener("scroll", number);
number();

let leaving = false;
box.addEventListener("keydown", (event) => {
  if (event.key === "Escape") leaving = true;
  else if (event.key === "Tab" && tab.checked && !leaving && !event.shiftKey) {
    event.preventDefault();
    box.setRangeText("    ", box.selectionStart, box.selectionEnd, "end");
    box.dispatchEvent(new Event("input", { bubbles: true }));
  } else if (event.key !== "Shift") leaving = false;
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-line]");
  if (!link) return;
  event.preventDefault();
  goTo(Number(link.dataset.line), Number(link.dataset.column));
});

// The button answers in the page instead of loading it anew.
form.querySelector("[data-check]")?.addEventListener("click", (event) => {
  if (!window.htmx || form.elements.file.value || box.closest("[hidden]")) return;
  event.preventDefault();
  window.htmx.trigger(box, "karat:check");
});

function takeChosen() {
  form.elements.file.addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) take(file);
  });
  form.addEventListener("drop", async (event) => {
    event.preventDefault();
    const { files } = event.dataTransfer;
    if (files[0] && !(await take(files[0]))) form.elements.file.files = files;
  });
}

form.addEventListener("dragover", (event) => {
  event.preventDefault();
  form.classList.add("dropping");
});
form.addEventListener("dragleave", () => form.classList.remove("dropping"));
form.addEventListener("drop", () => form.classList.remove("dropping"));
if (!("bundles" in form.dataset)) takeChosen();
document.body.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target !== findings) return;
  box.setAttribute("aria-invalid", String(Boolean(findings.querySelector(".error"))));
});
