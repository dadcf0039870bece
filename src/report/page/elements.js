/*
 * SPDX-License-Identifier: GPL-2.0-only
 * Elements of the page. What a text holds is never read as markup.
 */

/** Attributes that are functions listen: {onclick: f}; what is null or false is left out. */
function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      node.addEventListener(name.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
}

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  setAttributes(node, attributes);
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

function drawing(name, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAttributes(node, attributes);
  node.append(...children.flat());
  return node;
}

/** A section of the page with its heading. */
function section(id, title, ...children) {
  const heading = element("h2", { id: `${id}-title` }, title);
  return element("section", { id, "aria-labelledby": heading.id }, heading, ...children);
}

/** A table of few rows. */
function smallTable(head, rows, className = "") {
  const cells = (name, texts) => texts.map((text) => element(name, name === "th" ? { scope: "col" } : {}, text));
  const table = element(
    "table",
    { class: `small ${className}` },
    head.length > 0 ? element("thead", {}, element("tr", {}, cells("th", head))) : null,
    element("tbody", {}, rows.map((row) => element("tr", {}, cells("td", row)))),
  );
  return element("div", { class: "wide" }, table);
}

/** A choice among [value, text] pairs, or among groups of them: {title: pairs}. */
function choice(label, options, chosen, onchange) {
  const option = ([value, text]) => element("option", { value, selected: value === chosen }, text);
  const groups = Array.isArray(options)
    ? options.map(option)
    : Object.entries(options).map(([title, pairs]) => element("optgroup", { label: title }, pairs.map(option)));
  const select = element("select", { onchange: () => onchange(select.value) }, groups);
  return element("label", { class: "choice" }, element("span", {}, label), select);
}

/** A text to be copied, and a button that does. */
function commandLine(text) {
  const code = element("code", { tabindex: "0" }, text);
  const select = () => getSelection().selectAllChildren(code);
  const button = element("button", {
    type: "button",
    onclick: () => {
      select();
      const copied = navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error("none"));
      copied.then(() => say("copied"), () => say(document.execCommand("copy") ? "copied" : "marked: copy it with Ctrl-C"));
    },
  }, "copy");
  const say = (done) => {
    button.textContent = done;
    setTimeout(() => { button.textContent = "copy"; }, 2000);
  };
  return element("div", { class: "command" }, code, button);
}
