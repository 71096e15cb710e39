// Tiles as pictures, and what the page knows about them.

import { h } from "./dom.js";
import { page, t, tileName } from "./i18n.js";

export const CODES = page.codes; // 1m…9m 1p…9p 1s…9s 1z…7z 1f…8f
export const isFlower = (code) => Boolean(code) && code.endsWith("f");

export const FLOWERS = CODES.filter(isFlower);

export const tileUrl = (code) => page.tile_url.replace("CODE", code ?? "back");

/** Does a white stand for the gold's face here? */
export function whiteStandsFor(code, gold, rules) {
  return code === "5z" && gold && gold !== "5z" && page.rules[rules]?.white_stands_for_gold ? gold : null;
}

/** What a tile is called in this hand: gold and white are named as what they are. */
export function spokenName(code, gold, rules) {
  if (!code) return t("face_down");
  if (code === gold) return t("gold_tile_name", { tile: tileName(code) });
  const face = whiteStandsFor(code, gold, rules);
  return face ? t("white_as_name", { tile: tileName(face) }) : tileName(code);
}

/** The inside of a tile: its face and badges. */
export function face(code, { gold = null, rules = "", alt = null } = {}) {
  const standsFor = whiteStandsFor(code, gold, rules);
  const nodes = [
    h("img", { src: tileUrl(standsFor ?? code), alt: alt ?? spokenName(code, gold, rules), draggable: "false", width: 60, height: 80 }),
  ];
  if (code && code === gold) nodes.push(h("span", { class: "badge badge-gold", "aria-hidden": "true" }, "金"));
  if (standsFor) nodes.push(h("span", { class: "badge badge-white", "aria-hidden": "true" }, "白"));
  return nodes;
}

/** A tile that only shows itself. */
export function tile(code, options = {}) {
  const gold = code && code === options.gold;
  return h("span", { class: `tile ${options.class ?? ""} ${gold ? "is-gold" : ""}`.trim(), "data-code": code ?? "back" }, face(code, options));
}

/** A row of small tiles out of MPSZ text such as "123m55z". */
export function tiles(text, options = {}) {
  return h("span", { class: "tile-row" }, parse(text).map((code) => tile(code, options)));
}

/** MPSZ text to codes; the server checks what people type, this only reads what the engine printed. */
export function parse(text) {
  const codes = [];
  let digits = "";
  for (const character of text ?? "") {
    if (/\d/.test(character)) digits += character;
    else if (/[mpszf]/.test(character)) {
      codes.push(...[...digits].map((digit) => digit + character));
      digits = "";
    }
  }
  return codes;
}

/** Codes to MPSZ text, order kept. */
export function format(codes) {
  let text = "";
  codes.forEach((code, index) => {
    text += code[0];
    if (codes[index + 1]?.[1] !== code[1]) text += code[1];
  });
  return text;
}

export const order = (a, b) => CODES.indexOf(a) - CODES.indexOf(b);
