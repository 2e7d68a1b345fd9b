// The tables of games. The kit of a game may hold `viewer.js`, a module that registers its table:
//
//   import { h } from "/viewer/dom.js";
//   import { register } from "/viewer/tables.js";
//
//   register("my-game", { seat: (table, seat) => h("p", `${table.view.seats[seat].coins} coins`) });
//
// It is loaded before `/viewer/viewer.js`. The site makes one script of all modules, so write
// imports as above, `import { a, b } from` or `import * as all from`, with the address of a module
// of the viewer (`/viewer/….js`) or of the same kit (`./….js`), and exports as `export const`,
// `export function` or `export class`, each at the beginning of a line.
//
// Every part of a table may be left out:
//   seat(table, seat)      what lies before a seat, below its name and score
//   centre(table)          what lies in the middle
//   stage(table)           what goes on now, in a field between centre and seats that takes the height
//                          they leave
//   strip(table, seat)     on a phone: what stands below a seat's score in the strip of all seats; null
//                          instead of a function leaves the strip out
//   layout                 a name for style sheets: the field of the seats gets the class `kv-<layout>`
//   extra(table)           more panels beside those of the seats
//   involved(table, seat)  whether a seat has to do with the step, besides those the step names
//   flights(before, after, step)  what flies over the table from one view to the next: a list of
//                          { from, to, picture, card, label, waits }; places are `data-at` values
//   scoreText(view)        the score of a seat, by its part of the view, if not as the server sends it
//   spokenScore(view)      the score in words
//   toggles                { name: { label, title, key, help } }: buttons that switch `table.on[name]`
//
// The functions return descriptions made by `h`, and get a `table` with: `view` (now), `views` (of
// all steps), `i`, `step`, `steps`, `record`, `names`, `title`, `cards` (the catalogue's entries of
// the cards that the record names), `numbers` (of the presentation), `data` (all that the server
// sends, also the presentation's `viewer_data`) and `on` (the state of the toggles).
import { plainTable } from "./plain.js";

const tables = new Map();

export const register = (slug, table) => { tables.set(slug, { ...plainTable, ...table }); };

export const tableOf = (slug) => tables.get(slug) ?? plainTable;
