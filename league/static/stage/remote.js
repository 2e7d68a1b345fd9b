// The remote is redrawn often; a list that was opened stays open.
const isOpen = () => document.getElementById("remote-more")?.open ?? false;

let wasOpen = false;
document.body.addEventListener("htmx:beforeSwap", () => { wasOpen = isOpen(); });
document.body.addEventListener("htmx:afterSwap", () => {
  const list = document.getElementById("remote-more");
  if (list) list.open = wasOpen;
});
