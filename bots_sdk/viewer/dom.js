// Describe what should be there with `h`; `patch` changes only what differs.
// Everything arrives as text or attributes, never as markup, so a bot's name cannot do harm.

const SVG = "http://www.w3.org/2000/svg";
const LIVE = new Set(["value", "checked", "open", "selected"]);

// h("b.one.two", { title: "…" }, kids): attributes may be left out.
export function h(name, ...rest) {
  const [tag, ...classes] = name.split(".");
  const attributes = rest[0]?.constructor === Object && !rest[0].tag ? rest.shift() : {};
  const props = classes.length ? { class: classes.join(" "), ...attributes } : attributes;
  return { tag, props, kids: flatten(rest) };
}

const flatten = (kids) => kids.flat(9).filter((kid) => kid != null && kid !== false && kid !== "");

const MAX_DESCRIPTIONS = 2000;

// What is described once and used often: the same description again is skipped without a look. On a
// page that stays open for days there is always another name or amount, so at some time it forgets.
export const once = (describe) => {
  const descriptions = new Map();
  return (...parts) => {
    const key = String(parts);
    if (!descriptions.has(key)) {
      if (descriptions.size === MAX_DESCRIPTIONS) descriptions.clear();
      descriptions.set(key, describe(...parts));
    }
    return descriptions.get(key);
  };
};

// A function that returns the first element that fits a selector, and looks for it only once.
export const finder = (root, elements = {}) => (selector) => (elements[selector] ??= root.querySelector(selector));

export const patch = (parent, ...kids) => fill(parent, flatten(kids));

function fill(parent, kids) {
  let node = parent.firstChild;
  for (const kid of kids) {
    const next = node && node.nextSibling;
    if (node && fits(node, kid)) update(node, kid);
    else if (node) parent.replaceChild(make(kid, parent), node);
    else parent.append(make(kid, parent));
    node = next;
  }
  while (node) {
    const next = node.nextSibling;
    node.remove();
    node = next;
  }
}

export function make(kid, parent) {
  if (kid.nodeType) return kid;
  if (!kid.tag) return document.createTextNode(kid);
  const inSvg = kid.tag === "svg" || parent?.namespaceURI === SVG;
  const node = inSvg ? document.createElementNS(SVG, kid.tag) : document.createElement(kid.tag);
  node.description = { tag: kid.tag, props: {}, kids: [] };
  update(node, kid);
  return node;
}

const fits = (node, kid) =>
  kid.nodeType ? node === kid : kid.tag ? node.description?.tag === kid.tag && node.description.props.key === kid.props.key : node.nodeType === 3;

function update(node, kid) {
  if (!kid.tag) {
    if (node !== kid && node.data !== String(kid)) node.data = kid;
    return;
  }
  if (node.description === kid) return;
  const before = node.description.props;
  for (const name in before) if (!(name in kid.props)) set(node, name, null, before[name]);
  for (const name in kid.props) {
    if (before[name] !== kid.props[name]) set(node, name, kid.props[name], before[name]);
  }
  node.description = kid;
  fill(node, kid.kids);
}

function set(node, name, value, before) {
  if (name === "key") return;
  if (name === "vars") {
    for (const key in before) if (!value || !(key in value)) node.style.removeProperty(key);
    for (const key in value) node.style.setProperty(key, value[key]);
  } else if (name.startsWith("on")) node[name] = value;
  else if (LIVE.has(name)) node[name] = value;
  else if (value == null || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : value);
}
