// House rules: every key of the game with its default, what it means, and a control.

import { h, renew } from "./dom.js";
import { page, pick, t } from "./i18n.js";
import { checkbox, number, select } from "./fields.js";
import { set, state } from "./store.js";

export class HousePanel {
  constructor(root) {
    this.root = root;
    this.shown = "";
  }

  render() {
    const { rules, house } = state.settings;
    const own = house[rules] ?? {};
    const signature = JSON.stringify([rules, own]);
    if (signature === this.shown) return;
    this.shown = signature;
    const keys = page.rules[rules].house;
    const changed = Object.keys(own).length;
    this.root.querySelector("[data-house-count]").textContent = changed ? t("house_changed", { n: changed }) : t("house_default");
    renew(this.root.querySelector("[data-house-body]"), [
      ...keys.map((key) => this.control(key, own)),
      ...(changed ? [h("button", { type: "button", class: "button button-quiet", onclick: () => this.reset() }, t("house_reset"))] : []),
    ]);
  }

  /** Back to what the program was started with: the club's file, or the usual rules. */
  reset() {
    const { rules } = state.settings;
    set((s) => void (s.settings.house = { ...s.settings.house, [rules]: { ...(page.house[rules] ?? {}) } }));
  }

  change(edit) {
    set((s) => {
      const own = { ...(s.settings.house[s.settings.rules] ?? {}) };
      edit(own);
      s.settings.house = { ...s.settings.house, [s.settings.rules]: own };
    });
  }

  control(key, own) {
    const value = own[key.key] ?? key.default;
    const put = (next) =>
      this.change((house) => {
        if (next === key.default || next === null) delete house[key.key];
        else house[key.key] = next;
      });
    const label = pick(key.label);
    let field;
    if (key.type === "boolean") {
      field = checkbox({ label, name: key.key, checked: value, onpick: put });
    } else if (key.type === "choice") {
      const choices = key.choices.map((choice) => ({ value: String(choice.value), label: `${pick(choice.label) || choice.value}${choice.value === key.default ? t("default_mark") : ""}` }));
      field = select({ label, name: key.key, options: choices, value: String(value), onpick: (text) => put(key.choices.find((choice) => String(choice.value) === text).value) });
    } else if (key.type === "integer") {
      field = number({ label, name: key.key, value, min: key.minimum ?? 0, max: 100000, placeholder: String(key.default), onpick: put });
    } else {
      field = this.patterns(key, value, put);
    }
    return h(
      "div",
      { class: `house-key ${key.key in own ? "is-changed" : ""}` },
      field,
      h("p", { class: "hint" }, pick(key.meaning), " ", h("span", { class: "house-name" }, `${key.key} · ${key.paragraph}`)),
    );
  }

  /** Multipliers of patterns by their key; an empty field keeps the usual one. */
  patterns(key, value, put) {
    const change = (pattern, n) => {
      const next = { ...value };
      if (n === null) delete next[pattern];
      else next[pattern] = n;
      put(Object.keys(next).length ? next : null);
    };
    return h(
      "fieldset",
      { class: "field", "data-field": key.key },
      h("legend", {}, pick(key.label)),
      h("div", { class: "chips-row" }, key.patterns.map(({ key: pattern, name, usual }) => number({ label: pick(name), name: `${key.key}-${pattern}`, value: value?.[pattern] ?? null, min: 1, max: 1000000, placeholder: String(usual), onpick: (n) => change(pattern, n) }))),
    );
  }
}
