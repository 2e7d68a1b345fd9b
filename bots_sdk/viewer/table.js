// The table of any game: its centre, what goes on in the middle, and the seats around it.
import { h } from "./dom.js";
import { badge, letter, quiet } from "./gems.js";

// Step 0 carries the whole view, every other step what changed. Views share what stayed the same,
// so a jump to any step costs nothing.
export function expand(steps) {
  const views = [steps[0].view];
  for (const step of steps.slice(1)) {
    let view = views.at(-1);
    for (const pointer in step.set) view = replace(view, pointer.split("/"), 1, step.set[pointer]);
    views.push(view);
  }
  return views;
}

function replace(node, path, at, value) {
  if (at === path.length) return value;
  const copy = Array.isArray(node) ? node.slice() : { ...node };
  copy[path[at]] = replace(node[path[at]], path, at + 1, value);
  return copy;
}

const of = (field, seat) => (Array.isArray(field) ? field[seat] : field);
const involves = (step, seat) =>
  step.seat === seat || step.from === seat || step.seats?.includes(seat);

const shown = (game, seat) => (game.shown ? game.shown(seat) : game.score ? `${game.score(seat)}${game.unit}` : "");

export const drawTable = (table) => [
  h("div.kv-centre", { role: "group", "aria-label": "Centre of the table" }, table.game.centre(table)),
  h("div.kv-stage", table.laid ?? table.game.stage?.(table)),
  h("div", { class: `kv-seats kv-n${table.game.panels ?? table.names.length}` },
    Array.from({ length: table.game.panels ?? table.names.length }, (_, seat) =>
      seat < table.names.length ? panel(table, seat) : avatar(table, seat))),
];

function panel(table, seat) {
  const { game, step, record } = table, own = table.view.seats?.[seat] ?? {};
  const name = table.names[seat], score = shown(game, own);
  const involved = involves(step, seat) || table.view.barter?.seats.includes(seat) || table.view.active === seat;
  const label = `Seat ${letter(seat)}, ${name}${score && `, ${game.score(own)} ${game.spoken}`}`;
  return h("section", { class: `kv-panel ${involved ? "kv-involved" : ""} ${table.open === seat ? "kv-opened" : ""}`, "aria-label": label, id: `kv-seat-${seat}` },
    h("header", badge(seat), h("span.kv-who", name, version(record.seats[seat])),
      faultSign(table, seat),
      h("b.kv-score", { "data-score": seat }, score)),
    ifScored(table, seat), strip(table, seat), game.seat(table, seat));
}

const version = (seat) => seat.version && h("small", ` v${seat.version}`);

const avatar = (table, row) =>
  h("section.kv-panel.kv-avatar", { "aria-label": `Avatar row ${row}` },
    h("header", h("span.kv-who", `Avatar row ${row}`, h("small", " belongs to nobody"))),
    table.game.seat(table, row));

function ifScored({ told, i, game, view }, seat) {
  const now = told.scored?.[i][seat];
  if (now == null) return null;
  const more = now - game.score(view.seats[seat]);
  return h("p.kv-if", "if scored now ", h("b", `${now}${game.unit}`), more ? ` (+${more})` : "");
}

// How long this seat thought for the step, as a strip; slow ones also say so.
function strip({ step, told, record }, seat) {
  const asked = step.moves || step.seat === seat, ms = asked ? of(step.ms, seat) : null;
  if (ms == null || of(step.forced, seat)) return h("p.kv-time");
  const share = Math.min(1, ms / told.limit), slow = record.limits && share > 0.5;
  return h("p", { class: `kv-time ${slow ? "kv-slow" : ""}`, vars: { "--share": share } },
    quiet("thought for "), slow && "slow: ", ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
}

// A fault is seen at its step; from then on how many there were, or the forfeit.
function faultSign({ record, step, i }, seat) {
  const code = (step.moves || step.seat === seat) && of(step.fault, seat);
  if (code) return h("span.kv-faultsign", `! ${code}`, quiet(", the league moved"));
  const all = record.faults.filter((one) => one.seat === seat), past = all.filter((one) => (one.step ?? 0) <= i);
  if (!past.length) return null;
  const out = past.length === all.length && record.outcome.forfeits.includes(seat);
  return h("span.kv-faultsign.kv-past", out ? "forfeited" : `faults: ${past.length}`);
}

// On a phone: the scores of all, always in sight; a tap opens a seat.
export const drawStrip = (table, open) =>
  table.names.map((name, seat) =>
    h("button", { type: "button", "aria-expanded": table.open === seat ? "true" : "false", onclick: () => open(seat) },
      badge(seat), " ", shown(table.game, table.view.seats?.[seat] ?? {}), quiet(` ${name}, show the whole hand`)));

// A game without a table of its own: its view, written out.
const written = (value) =>
  value === null || typeof value !== "object" ? String(value)
    : h("dl.kv-plain", Object.entries(value).map(([name, one]) => h("div", h("dt", name), h("dd", written(one)))));

export const plainGame = {
  seat: (table, seat) => written(table.view.seats?.[seat] ?? {}),
  centre: ({ view }) => written({ ...view, seats: null }),
};
