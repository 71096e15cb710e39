// Small helpers to build and update the page's elements without a framework.

/** Create an element: h("p", {class: "note", onclick: fn}, "text", node, …). */
export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  setAttributes(node, attributes);
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

/** The same for SVG. */
export function s(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  setAttributes(node, attributes);
  node.append(...children);
  return node;
}

export function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on") && typeof value === "function") {
      node.addEventListener(name.slice(2), value);
    } else if (value === false || value === null || value === undefined) {
      node.removeAttribute(name);
    } else if (name === "value" && "value" in node) {
      node.value = value;
    } else if (name === "checked") {
      node.checked = Boolean(value);
    } else {
      const text = value === true ? "" : String(value);
      if (node.getAttribute(name) !== text) node.setAttribute(name, text);
    }
  }
}

/**
 * Make the children of `parent` match `items`, one node per key, moving and keeping existing nodes, so that focus stays
 * where it is and tiles do not jump.
 */
export function reconcile(parent, items, keyOf, create, update) {
  const old = new Map([...parent.children].map((node) => [node.dataset.key, node]));
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = String(keyOf(item));
    let node = old.get(key);
    if (node) {
      old.delete(key);
    } else {
      node = create(item);
      node.dataset.key = key;
    }
    update(node, item);
    if (node === place) {
      place = place.nextElementSibling;
    } else {
      parent.insertBefore(node, place);
    }
  }
  for (const node of old.values()) node.remove();
}

/** What the controls in a node hold; their attributes do not tell. */
const held = (node) => [...node.querySelectorAll("input, select")].map((control) => [control.checked, control.value]);

const alike = (one, other) => one.isEqualNode(other) && String(held(one)) === String(held(other));

/**
 * Put `fresh` in place of the children of `parent`, but keep those that look and hold the same: a finger or a key that is
 * down on a control finds it there when it comes up. Focus goes to the control that takes the old one's place.
 */
export function renew(parent, fresh) {
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  const field = focused?.closest("[data-field]")?.dataset.field;
  const left = [...parent.children];
  const next = fresh.filter(Boolean).map((node) => {
    const place = left.findIndex((one) => alike(one, node));
    return place < 0 ? node : left.splice(place, 1)[0];
  });
  for (const node of left) node.remove();
  let place = parent.firstElementChild;
  for (const node of next) {
    if (node === place) place = place.nextElementSibling;
    else parent.insertBefore(node, place);
  }
  if (!focused || focused.isConnected || !field) return;
  const controls = [...parent.querySelectorAll(`[data-field="${CSS.escape(field)}"] :is(input, select, button)`)];
  (controls.find((control) => control.value === focused.value) ?? controls[0])?.focus({ preventScroll: true });
}

export const $ = (selector, root = document) => root.querySelector(selector);

/** Call `fn` once, `ms` milliseconds after the first of several calls: a camera that never rests puts nothing off. */
export function soon(fn, ms) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      fn();
    }, ms);
  };
}
