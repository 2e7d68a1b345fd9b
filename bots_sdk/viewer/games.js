// The tables there are: a new game is a module and a line. Any other game shows its view.
import { basari } from "./games/basari.js";
import { edelSteinReich } from "./games/edel_stein_reich.js";
import { edelsteinsuche } from "./games/edelsteinsuche.js";

export const GAMES = { "edel-stein-reich": edelSteinReich, basari, edelsteinsuche };
