// The table of any game: its centre, what goes on in the middle, and the seats around it.
import { h } from "./dom.js";
import { badge, letter, quiet } from "./gems.js";

const ofSeat = (field, seat) => (Array.isArray(field) ? field[seat] : field);
const isNamed = (step, seat) =>
  step.seat === seat || step.from === seat || step.seats?.includes(seat) || step.moves?.[seat] != null;

// The row that holds at a step, of rows that name the step from which on they hold.
const rowAt = (rows, i) => rows.findLast(([from]) => from <= i)?.[1];

const seatView = (table, seat) => table.view.seats?.[seat] ?? {};

const scoreText = (table, seat) =>
  table.game.scoreText?.(seatView(table, seat)) ?? rowAt(table.data.scores, table.i)?.[seat] ?? "";

const MAX_FEW = 2;

export function drawTable(table) {
  const { game } = table, extra = game.extra?.(table) ?? [], seats = table.names.map((_, seat) => seat);
  const acting = seats.filter((seat) => isInvolved(table, seat));
  // With a strip of all seats, a phone can do without those that do not act, if few do.
  const isFew = acting.length > 0 && acting.length <= MAX_FEW;
  const state = game.strip ? `${isFew ? "kv-few" : ""} ${table.sheet ? "kv-covered" : ""}` : "";
  return [
    h("div", { class: `kv-centre ${game.stage ? "" : table.sheet ? "kv-middle kv-under" : "kv-middle"}`, role: "group", "aria-label": "Centre of the table" }, game.centre(table)),
    h("div", { class: `kv-stage ${game.stage ? "" : "kv-unstaged"}` }, table.sheet ?? game.stage?.(table)),
    h("div", { class: `kv-seats kv-n${seats.length + extra.length} kv-${game.layout ?? "own"} ${state}` },
      seats.map((seat) => panel(table, seat, acting.includes(seat))), extra),
  ];
}

const isInvolved = (table, seat) => isNamed(table.step, seat) || table.game.involved?.(table, seat);

function panel(table, seat, involved) {
  const { game, record } = table, name = table.names[seat], score = scoreText(table, seat);
  const spoken = score && (game.spokenScore?.(seatView(table, seat)) ?? score);
  const label = `Seat ${letter(seat)}, ${name}${spoken && `, ${spoken}`}`;
  return h("section", { class: `kv-panel ${involved ? "kv-involved" : ""} ${table.open === seat ? "kv-opened" : ""}`, "aria-label": label, id: `kv-seat-${seat}` },
    h("header", badge(seat), h("span.kv-who", { title: name }, h("bdi", name), version(record.seats[seat])),
      faultSign(table, seat),
      h("b.kv-score", { "data-score": seat }, score)),
    h("div.kv-facts", ifScored(table, seat), thinkingTime(table, seat)), game.seat(table, seat));
}

const version = (seat) => seat.version && h("small", ` v${seat.version}`);

function ifScored({ data, i }, seat) {
  const row = rowAt(data.ifScored, i);
  if (!row) return null;
  const [score, gain] = row[seat];
  return h("p.kv-if", "if scored now ", h("b", score), gain ? h("span", ` (+${gain})`) : "");
}

// How long this seat thought for the step, as a strip; slow ones also say so.
function thinkingTime({ step, data, record }, seat) {
  const decides = step.moves || step.seat === seat, ms = decides ? ofSeat(step.ms, seat) : null;
  if (ms == null || ofSeat(step.forced, seat)) return h("p.kv-time");
  const share = Math.min(1, ms / data.limit), slow = record.limits && share > 0.5;
  return h("p", { class: `kv-time ${slow ? "kv-slow" : ""}`, vars: { "--share": share } },
    quiet("thought for "), slow && "slow: ", ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
}

// A fault is seen at its step; from then on how many there were, or the forfeit.
function faultSign({ record, step, i }, seat) {
  const code = (step.moves || step.seat === seat) && ofSeat(step.fault, seat);
  if (code) return h("span.kv-faultsign", `! ${code}`, quiet(", the league moved"));
  const all = record.faults.filter((one) => one.seat === seat), past = all.filter((one) => (one.step ?? 0) <= i);
  if (!past.length) return null;
  const out = past.length === all.length && record.outcome.forfeits.includes(seat);
  if (out) return h("span.kv-faultsign.kv-past", "forfeited");
  return h("span.kv-faultsign.kv-past.kv-counted", h("span.kv-spelled", "faults: "), past.length);
}

// On a phone: the scores of all, always in sight, and what else a game has room for; a tap opens a seat.
export const drawStrip = (table, open) => table.game.strip && table.names.map((name, seat) =>
  h("button", { type: "button", "aria-expanded": String(table.open === seat), onclick: () => open(seat) },
    h("span", badge(seat), " ", scoreText(table, seat)), table.game.strip(table, seat), quiet(`${name}, show the whole hand`)));
