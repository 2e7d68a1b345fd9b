// Bots with files: dropped or chosen files and folders, what the server says of them, and sending them.
// Without this file the form takes a .py, a .zip or several files, and the server says the same.

import { take } from "./upload.js";

const MAX_FILES = 5000;
const KIB = 1024;
const form = document.querySelector("[data-bundles]");
const part = (name) => form.querySelector(`[data-${name}]`);
const findings = document.getElementById("findings");
const title = document.getElementById("files-title");
const fileChoice = form.elements.file;
const [folderChoice, panel, progress] = ["folder", "files", "progress"].map(part);

let chosen = new Map(); // Files by their paths.
let answer = Promise.resolve(); // What the server said of them, as soon as it did.
let request = null;

// Choosing

// What is in such folders is none of the bot, and can be thousands of files.
const leftOut = (parts) => parts.findIndex((name, at) => at < parts.length - 1 && /^(\.|__pycache__$)/.test(name));

function add(files, path, file) {
  const parts = path.split("/");
  const end = leftOut(parts);
  if (end < 0) files.set(path, file);
  else files.set(`${parts.slice(0, end + 1).join("/")}/`, new Blob());
  if (files.size > MAX_FILES) throw new RangeError(`This has more than ${MAX_FILES.toLocaleString("en")} files. Choose the folder of the bot alone.`);
}

const portion = (reader) => new Promise((resolve, reject) => reader.readEntries(resolve, reject));
const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));

// A reader gives its entries in portions, and an empty one at the end.
async function entriesOf(reader) {
  const some = await portion(reader);
  return some.length ? [...some, ...(await entriesOf(reader))] : [];
}

async function walk(entry, path, files) {
  if (files.size > MAX_FILES) return;
  if (entry.isFile) add(files, path, await fileOf(entry));
  else if (leftOut([...path.split("/"), ""]) >= 0) add(files, `${path}/`, new Blob());
  else {
    const entries = await entriesOf(entry.createReader());
    await Promise.all(entries.map((one) => walk(one, path ? `${path}/${one.name}` : one.name, files)));
  }
}

// The entries have to be asked for before the event is over.
function dropped(transfer) {
  const items = [...transfer.items].filter((item) => item.kind === "file");
  return items.map((item) => ({ entry: item.webkitGetAsEntry?.(), file: item.getAsFile() }));
}

async function takeDropped(drops) {
  const files = new Map();
  const folders = drops.filter(({ entry }) => entry?.isDirectory);
  await Promise.all(folders.map(({ entry }) => walk(entry, drops.length === 1 ? "" : entry.name, files)));
  for (const { entry, file } of drops) if (file && !entry?.isDirectory) add(files, file.name, file);
  await choose(files, folders.length > 0);
}

async function takeFolder(list) {
  const files = new Map();
  for (const file of list) add(files, file.webkitRelativePath.replace(/^[^/]*\//, ""), file);
  await choose(files, true);
}

async function takeFiles(list) {
  const files = new Map();
  for (const file of list) add(files, file.name, file);
  await choose(files, false);
}

// One Python file goes into the editor. Otherwise a folder or an archive is the whole bot, and files
// join those that are there.
async function choose(files, whole) {
  const [first] = files.values();
  if (!first) return;
  const single = files.size === 1 && !whole;
  if (single && !chosen.size && /\.py$/i.test(first.name)) {
    if (!(await take(first))) keepInForm(first);
    return;
  }
  const archive = single && /\.zip$/i.test(first.name);
  chosen = whole || archive || isArchive() ? files : new Map([...chosen, ...files]);
  showPanel(true);
  title.focus();
  look(false);
}

// The server says what is wrong with a file that is no text.
function keepInForm(file) {
  const transfer = new DataTransfer();
  transfer.items.add(file);
  fileChoice.files = transfer.files;
  part("native").hidden = false;
}

function showPanel(shown) {
  panel.hidden = !shown;
  for (const one of form.querySelectorAll("[data-code-only]")) one.hidden = shown;
  part("progress").hidden = true;
  findings.replaceChildren();
  for (const choice of [fileChoice, folderChoice]) choice.value = "";
}

function remove() {
  request?.abort();
  chosen = new Map();
  showPanel(false);
  part("choose-files").focus();
}

function say(text) {
  const problem = document.createElement("p");
  problem.className = "notice error";
  problem.textContent = text;
  findings.replaceChildren(problem);
}

// Asking and sending

const isArchive = () => chosen.size === 1 && /\.zip$/i.test([...chosen.keys()][0]);
const sizeOf = (entries) => entries.reduce((sum, [, file]) => sum + file.size, 0);

function body(entries) {
  const data = new FormData(form);
  for (const name of ["code", "file", "listing"]) data.delete(name);
  data.set("paths", JSON.stringify(entries.map(([path]) => path)));
  for (const [, file] of entries) data.append("file", file);
  return data;
}

function showProgress(words, share) {
  const [bar, line] = progress.children;
  progress.hidden = false;
  line.textContent = words;
  if (share === null) bar.removeAttribute("value");
  else bar.value = share;
}

function send(url, data, words) {
  request?.abort();
  const sending = new XMLHttpRequest();
  request = sending;
  showProgress(words, null);
  return new Promise((resolve) => {
    sending.upload.addEventListener("progress", ({ loaded, total }) => {
      const done = loaded === total;
      const percent = Math.floor((100 * loaded) / total);
      showProgress(done ? "Reading the files" : `${words}, ${percent} %`, done ? null : loaded / total);
    });
    sending.addEventListener("loadend", () => {
      if (request !== sending) return resolve(false);
      progress.hidden = true;
      return resolve(show(sending));
    });
    sending.open("POST", url);
    sending.setRequestHeader("HX-Request", "true");
    sending.send(data);
  });
}

// Shows the answer. Whether the server read the files.
function show(sending) {
  const next = sending.getResponseHeader("HX-Redirect");
  if (next) location.assign(next);
  else if (!sending.status) say("The files could not be sent: the connection broke, or one of them has changed. Choose them again.");
  else if (sending.status >= 500 || /^\s*<!doctype/i.test(sending.response)) say(`The site could not take the files (${sending.status}). Try again later.`);
  else findings.innerHTML = sending.response;
  return Boolean(findings.querySelector("[data-kept]"));
}

// All names and sizes are asked about, with the contents that are read, if they are not too much to send
// without being asked to.
function look(asked) {
  const read = [...chosen].filter(([path]) => /\.(py|zip)$/i.test(path));
  const limit = KIB * Number(asked ? form.dataset.checkKib : form.dataset.lookKib);
  const few = read.length <= Number(form.dataset.maxFiles);
  const data = body(few && sizeOf(read) <= limit ? read : []);
  data.set("listing", JSON.stringify([...chosen].map(([path, file]) => [path, file.size])));
  answer = send(form.dataset.checkUrl, data, "Reading the files");
  return answer;
}

const isRefused = () => findings.querySelector("[data-refused], .notice.error") !== null;

async function upload() {
  const read = (await answer) || (await look(false));
  if (!read || isRefused()) {
    findings.scrollIntoView({ block: "nearest" });
    return;
  }
  const kept = JSON.parse(findings.querySelector("[data-kept]").dataset.kept);
  const all = [...chosen];
  answer = send(form.action, body(kept.map((at) => all[at])), "Sending");
  await answer;
}

async function attempt(work) {
  try {
    await work();
  } catch (error) {
    say(error instanceof RangeError ? error.message : "The files cannot be read. Choose them again.");
  }
}

for (const one of [part("pick"), part("native")]) one.hidden = one.matches("[data-native]");
part("choose-files").addEventListener("click", () => fileChoice.click());
part("choose-folder").addEventListener("click", () => folderChoice.click());
part("remove").addEventListener("click", remove);
fileChoice.addEventListener("change", () => attempt(() => takeFiles([...fileChoice.files])));
folderChoice.addEventListener("change", () => attempt(() => takeFolder([...folderChoice.files])));
form.addEventListener("drop", (event) => {
  event.preventDefault();
  const drops = dropped(event.dataTransfer);
  attempt(() => takeDropped(drops));
});
form.addEventListener("submit", (event) => {
  if (!chosen.size) return;
  event.preventDefault();
  attempt(event.submitter?.matches("[data-check]") ? () => look(true) : upload);
});
