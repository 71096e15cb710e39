// Form controls made of plain HTML.

import { h } from "./dom.js";

/** A row of radio buttons that looks like one switch; no two of a page have the same name. */
export function segmented({ legend, name, options, value, onpick, required = false }) {
  return h(
    "fieldset",
    { class: "field segmented", "data-field": name },
    h("legend", {}, legend),
    h(
      "div",
      { class: "segments" },
      options.map((option) =>
        h(
          "label",
          {},
          h("input", { type: "radio", name, value: option.value, checked: option.value === value, required, disabled: option.disabled ?? false, onchange: () => onpick(option.value) }),
          h("span", {}, option.label),
        ),
      ),
    ),
  );
}

export function checkbox({ label, name, checked, onpick }) {
  return h("label", { class: "field check", "data-field": name }, h("input", { type: "checkbox", checked, onchange: (event) => onpick(event.target.checked) }), h("span", {}, label));
}

export function number({ label, name, value, min = 0, max = 999, onpick, placeholder = "" }) {
  let good = value ?? ""; // what counts; the field outlives the change that it made itself
  const onchange = ({ target }) => {
    if (!target.checkValidity()) {
      target.reportValidity();
      return;
    }
    good = target.value.trim();
    onpick(good === "" ? null : Number(good));
  };
  const onblur = ({ target }) => {
    if (!target.checkValidity()) target.value = good; // what does not count is not left standing there
  };
  return h(
    "label",
    { class: "field number-field", "data-field": name },
    h("span", {}, label),
    h("input", { type: "number", inputmode: "numeric", min, max, step: 1, value: value ?? "", placeholder, onchange, onblur }),
  );
}

export function select({ label, name, options, value, onpick }) {
  const control = h("select", { onchange: () => onpick(control.value) }, options.map((option) => h("option", { value: option.value, selected: option.value === value }, option.label)));
  return h("label", { class: "field select-field", "data-field": name }, h("span", {}, label), control);
}
