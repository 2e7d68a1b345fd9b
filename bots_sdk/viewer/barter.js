// What the tables of barter games share: hands of gems, the actions of a round and the
// conversation. A game's `words` say what differs.
import { h, once } from "./dom.js";
import { badge, COLOURS, colourGem, gemRow, icon, letter, quiet, smallGem, tokens } from "./gems.js";

// So many choose an action that there may be no room for their names.
const CROWD = 3;
const OPENS = new Set(["deal", "phase", "stage", "score", "end"]);

const roundAt = ({ data, i }) => data.fates.find((round) => round.start <= i && i < round.end);

// What became of an action, as far as the match has come.
const fate = (round, action, i) => round?.fates.findLast((one) => one.action === action && one.i <= i);

const demand = (what) => h("span.kv-demand", `${what.seats.length} want it: `);

const CHIP = {
  alone: () => "alone",
  turns: () => "in turns",
  cancelled: (what) => [demand(what), "cancelled"],
  barter: (what) => [demand(what), "barter"],
  nobody: () => "no offer: nobody",
  sold: (what) => [badge(what.buyer), " got it"],
};

function actionNow(steps, i) {
  for (let at = i; at >= 0; at--) {
    const step = steps[at];
    if (step.action) return step.action;
    if (["source", "keep", "use"].includes(step.t)) return "event";
    if (step.t === "free") return "free";
    if (OPENS.has(step.t) || step.t === "choose") return null;
  }
  return null;
}

// Four fields, one for each action in the order they are carried out; the current one is lit.
function actionBar(table, words) {
  const round = roundAt(table), now = actionNow(table.steps, table.i);
  const actions = Object.keys(words.actions).filter((a) => a !== "free" || table.names.length === 5);
  const revealed = round?.fates[0]?.i <= table.i, view = revealed && table.views[round.fates[0].i];
  return h("ol.kv-actions", { "aria-label": "Actions of this round" },
    actions.map((action) => {
      const what = fate(round, action, table.i), lit = action === now;
      const state = lit ? "kv-lit" : revealed && !what ? "kv-none" : "";
      return h("li", { class: `kv-action ${state} kv-is-${what?.kind}`, "aria-current": lit && "true" },
        h("span.kv-action-name", words.actions[action]), emblem(action),
        h("ul", { class: `kv-choosers ${what?.seats.length >= CROWD ? "kv-crowd" : ""}` }, what?.seats.map((seat) => chooser(seat, table.names[seat], prizeOf(table, view.seats[seat], action, words)))),
        h("span.kv-chip", what ? CHIP[what.kind](what) : revealed ? "nobody" : "…"));
    }));
}

// A large pale sign in a field that nobody fills.
const emblem = once((action) => h("span.kv-emblem", icon(action)));

const chooser = (seat, name, prize) =>
  h("li.kv-chooser", badge(seat), h("span", h("bdi", name)), prize && h("em", prize));

// What an action is worth to a seat; a free choice is not decided yet.
const prizeOf = (table, own, action, words) => (action === "free" ? null : words.prize(table, own, action));

const vector = (step) => step.move.slice(6).split(".").map(Number);
const size = (gems) => gems.reduce((a, b) => a + b, 0);

function whyHigher(step, before) {
  if (step.by === "opening") return "opens";
  if (step.by === "single") return "a single gem: must be taken";
  const gems = vector(step);
  if (step.by === "number") {
    const more = size(gems) - size(before);
    return `+${more} gem${more > 1 ? "s" : ""}`;
  }
  return `same number, more ${COLOURS[gems.findIndex((count, c) => count > before[c])]}`;
}

// "A opens: fewer red, 3 < 5"
function whyOpens(step, view, words) {
  const other = step.seats.find((seat) => seat !== step.opener);
  const who = `${letter(step.opener)} opens`;
  if (step.why === "age") return `${who}: all else is equal, and ${letter(step.opener)} is the ${words.more ? "elder" : "younger"}`;
  const c = COLOURS.indexOf(step.why);
  const value = (seat) => (c < 0 ? view.seats[seat][step.why] : view.seats[seat].gems[c]);
  const [much, sign] = words.more ? ["more", ">"] : [step.why === "money" ? "less" : "fewer", "<"];
  return `${who}: ${much} ${step.why}, ${value(step.opener)} ${sign} ${value(other)}`;
}

function conversation(table, words) {
  const scene = table.data.scenes.find(([from, to]) => from <= table.i && table.i <= to);
  if (!scene) return null;
  const [opening, ...replies] = table.steps.slice(scene[0], table.i + 1);
  const [left, right] = opening.seats;
  let standing = null;
  const bubbles = replies.map((step, k) => {
    const other = step.seat === left ? right : left;
    const side = `kv-bubble ${step.seat === left ? "kv-left" : "kv-right"}`;
    const say = (kind, ...what) => h("li", { class: `${side} ${kind}`, key: k }, badge(step.seat), " ", what);
    if (step.t === "offer") {
      const reason = whyHigher(step, standing);
      standing = vector(step);
      const taken = replies[k + 1]?.t === "accept";
      return say(taken ? "kv-taken" : "", gemRow(standing, "paper"), h("span.kv-reason", reason),
        taken && [icon("check"), quiet("accepted")]);
    }
    if (step.t === "accept") return say("kv-word", step.forced ? "can only accept" : "accepts");
    if (step.t === "free_win") return say("kv-word", `gets it for free: ${letter(opening.opener)} has nothing to offer`);
    if (step.t !== "decline") return null;
    const first = step.seat === opening.opener;
    return say("kv-word", first
      ? `declines to open: ${letter(other)} may offer one gem, and ${letter(step.seat)} must take it`
      : "declines as well: nobody gets it");
  });
  const view = table.views[scene[0]];
  const prize = (seat) => h("span.kv-prize", badge(seat), " ", words.prize(table, view.seats[seat], opening.action));
  const accept = replies.find((step) => step.t === "accept");
  return h("div", { class: `kv-talk ${accept ? "kv-closed" : ""}` },
    h("div.kv-talk-head",
      h("h3", `Barter for ${words.actions[opening.action]}`),
      h("p.kv-prizes", h("span", "would get: "), prize(left), h("span.kv-sep", " · "), prize(right)),
      h("p.kv-why", whyOpens(opening, view, words)),
      accept && h("p.kv-sold", badge(accept.seat), ` sold ${words.actions[opening.action]} to `,
        badge(accept.from), " for ", gemRow(accept.gems))),
    h("ol.kv-bubbles", { tabindex: "0", "aria-label": "Offers", "data-grows": true }, bubbles));
}

// A hand: a row for each colour with count, tokens in groups of five, and a crown for the most.
export function hand(table, seat) {
  const all = table.view.seats.map((one) => one.gems);
  return h("dl.kv-hand", all[seat].map((count, c) => {
    const most = Math.max(...all.map((gems) => gems[c]));
    const rank = !count || count < most ? "" : all.filter((gems) => gems[c] === most).length > 1 ? "shares the most" : "has the most";
    return h("div.kv-row", { "data-at": `seat-${seat}-${c}` },
      h("dt", colourGem(c), quiet(COLOURS[c])),
      h("dd", h("b", { class: rank && `kv-most kv-${rank[0]}` }, count), tokens(c, count), crown(rank)));
  }));
}

// Always there, as it comes and goes all the time.
const crown = once((rank) =>
  h("span", { class: `kv-crown ${rank ? "" : "kv-off"} ${rank[0] === "s" ? "kv-half" : ""}`, title: rank || null },
    icon("crown"), quiet(rank)));

export function supply(table, low) {
  return h("dl.kv-supply", { "aria-label": "Supply" }, table.view.supply.map((count, c) =>
    h("div", { class: count <= low ? "kv-low" : "", "data-at": `supply-${c}` },
      h("dt", colourGem(c), quiet(`${COLOURS[c]} in the supply`)),
      h("dd", h("b", count), h("small", { title: "paid for the most gems of this colour" }, `pays ${table.numbers.values?.[c]}`)))));
}

// Gems that changed hands between two views: those of a colour with the same way fly together.
export function gemFlights(before, after) {
  const ways = {};
  for (let c = 0; c < 4; c++) {
    const moved = [["supply", after.supply[c] - before.supply[c]],
      ...after.seats.map((seat, s) => [`seat-${s}`, seat.gems[c] - before.seats[s].gems[c]])];
    const from = moved.flatMap(([at, n]) => Array(Math.max(0, -n)).fill(at));
    const to = moved.flatMap(([at, n]) => Array(Math.max(0, n)).fill(at));
    from.forEach((at, k) => to[k] && (ways[[at, to[k], c]] ??= { from: `${at}-${c}`, to: `${to[k]}-${c}`, c, count: 0 }).count++);
  }
  return Object.values(ways).map(({ from, to, c, count }) => ({ from, to, picture: tokens(c, count) }));
}

// The same for the strip of a phone: four small gems with their counts.
export const strip = (table, seat) =>
  h("span.kv-mini", table.view.seats[seat].gems.map((count, c) => h("span", smallGem(c), count)));

const actionCard = (table, seat, words) => {
  const action = table.view.seats[seat].action;
  if (!action) return table.view.seats[seat].card && h("span.kv-card.kv-back", quiet("action not chosen yet"));
  const what = fate(roundAt(table), action, table.i), kind = what?.buyer === seat ? "won" : what?.kind;
  return h("span", { class: `kv-card kv-face kv-is-${kind}` }, words.actions[action],
    quiet({ cancelled: ", cancelled", sold: ", sold", won: ", won the barter" }[kind] ?? ""));
};

// Both seats of a barter have to do with all of its steps.
export const involved = ({ view }, seat) => view.barter?.seats.includes(seat);

// The card dealt to a seat; below it the action it chose, and what a game adds.
export const before = (table, seat, words, face, more) => [
  h("div.kv-dealt", face && h("span.kv-card.kv-paper", face)),
  h("div.kv-before", actionCard(table, seat, words), more),
];

// What goes on in the middle of the table: a title, or the actions and what they lead to.
export function stage(table, words, part) {
  const { step } = table;
  if (step.t !== "start" && step.t !== part) {
    return [actionBar(table, words), conversation(table, words) ?? words.aside?.(table)];
  }
  const title = step[part] ? `${words.part} ${step[part]} of ${table.numbers[`${part}s`]}` : table.title;
  return h("div.kv-title", h("h3", title));
}
