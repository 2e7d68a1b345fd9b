// Choose the time zone of the browser in a new form. Without JavaScript it stays UTC.
const select = document.querySelector("select[data-guess-zone]");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (select && [...select.options].some((option) => option.value === zone)) {
  select.value = zone;
  select.dispatchEvent(new Event("change", { bubbles: true }));
}
