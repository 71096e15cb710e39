// Texts: the page's own come translated from the server, the engine's carry all three languages.

const data = JSON.parse(document.getElementById("page-data").textContent);

export const page = data;
export const lang = data.lang; // "zh", "zh_hant" or "en"

const plural = new Intl.PluralRules({ zh: "zh-Hans", zh_hant: "zh-Hant", en: "en" }[lang]);

/** The text of a key; where it depends on a number, `n` says which of its forms. */
function textOf(key, { n }) {
  const text = data.messages[key] ?? key;
  return Array.isArray(text) ? text[plural.select(n) === "one" ? 0 : 1] : text;
}

/** A text of the page, with {placeholders} filled in. */
export function t(key, values = {}) {
  const text = textOf(key, values);
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** The same with nodes for some placeholders; answers a list of texts and nodes. */
export function tn(key, values = {}) {
  const text = textOf(key, values);
  return text.split(/(\{\w+\})/).flatMap((part) => {
    const name = part.match(/^\{(\w+)\}$/)?.[1];
    if (name === undefined || !(name in values)) return part ? [part] : [];
    return Array.isArray(values[name]) ? values[name] : [String(values[name])];
  });
}

/** The reader's language out of a text that carries three. */
export function pick(text) {
  if (!text) return "";
  return text[lang] ?? (lang === "zh_hant" ? text.zh : undefined) ?? text.en ?? text.zh ?? "";
}

/** A text that stands alone: the engine's English reasons, which also stand within sentences, begin with a capital then. */
export function whole(text) {
  return pick(text).replace(/^[a-z]+(?= )/, (word) => word[0].toUpperCase() + word.slice(1));
}

/** Full name of a tile ("5 of characters", "五万"). */
export function tileName(code) {
  if (!code) return t("face_down");
  return pick(data.tiles[code]) || code;
}

/** Short label for a box on the picture. */
export function tileShort(code) {
  if (!code) return "?";
  if (lang === "en") return data.short[code] ?? code;
  return data.short_zh[lang][code] ?? code;
}
