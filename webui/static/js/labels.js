// The name on a tile's box: as large as it may be, smaller or shorter where tiles are small, never left out.

import { lang, tileShort } from "./i18n.js";

/** How far a full-sized name may shrink before a shorter one takes its place. */
const SMALLEST = 0.62;
/** Air beside a name, in units of its font size: names of neighbours must not run into each other. */
export const PADDING = 0.3;

/** Width of a text in units of its font size. */
function ems(text) {
  return [...text].reduce((sum, letter) => sum + (letter > "\u2e80" ? 1 : 0.64), 0);
}

/** The shortest name that a player understands: 九条 is 9条, in English the tile's code. */
function shortest(code) {
  const name = tileShort(code);
  if (lang === "en") return code;
  return /[mps]/.test(code[1]) ? code[0] + name.at(-1) : name;
}

/**
 * What to write on a box `room` wide at font size `size` (both in the picture's pixels).
 * Returns `{ text, size, width }`; the text is empty for a tile that lies face down.
 */
export function fittedLabel(code, doubtful, room, size) {
  if (!code) return { text: "", size, width: 0 };
  const mark = doubtful ? "?" : "";
  const fit = (text) => Math.min(size, room / (ems(text) + PADDING));
  let text = tileShort(code) + mark;
  if (fit(text) < size * SMALLEST && ems(shortest(code)) < ems(tileShort(code))) text = shortest(code) + mark;
  const fitted = Math.max(fit(text), size * SMALLEST);
  return { text, size: fitted, width: ems(text) * fitted };
}
