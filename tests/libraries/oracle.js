// Evaluates to what a person can see in the document: its texts, its focus, the values of its fields.
// It shares no code with the product: it asks the browser about each node by itself.
(() => {
  const REFERENCES = ["aria-labelledby", "aria-describedby", "aria-controls", "aria-owns"];
  const NAMES = ["aria-label", "aria-description", "aria-valuetext", "aria-roledescription", "title",
    "alt", "placeholder", "value", "label", "data-value"];
  const FIELDS = "input, select, textarea, [contenteditable=''], [contenteditable=true]";
  const shown = [], hidden = [], allowed = [document.title], fields = [];

  const box = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y, w: width, h: height };
  };

  const textNode = (node, referenced) => {
    const text = node.data.replace(/\s+/g, " ").trim();
    const element = node.parentElement ?? node.getRootNode().host;
    if (!text || !element) return;
    if (element.closest("script, style, template, noscript, title, option, svg title")) {
      allowed.push(text);
      return;
    }
    const range = document.createRange();
    range.selectNodeContents(node);
    const drawn = element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false })
      && [...range.getClientRects()].some(({ width, height }) => width > 0 && height > 0);
    if (drawn) shown.push(text);
    else (referenced ? allowed : hidden).push(text);
  };

  const value = (element) => {
    if (element.type === "checkbox" || element.type === "radio") return null;
    if (element.type === "password") return element.value && "••••";
    if (element.localName === "select") {
      const chosen = [...element.selectedOptions];
      return { values: chosen.map((option) => option.value), labels: chosen.map((option) => option.text) };
    }
    return "value" in element ? element.value : element.innerText.replace(/\s+/g, " ").trim();
  };

  const walk = (root, referenced) => {
    for (const node of root.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) textNode(node, referenced);
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      const inside = referenced || (node.id && names.has(node.id));
      for (const name of NAMES) if (node.hasAttribute(name)) allowed.push(node.getAttribute(name));
      if (node.matches(FIELDS)) fields.push({ ...box(node), tag: node.localName, value: value(node) });
      walk(node, inside);
      if (node.shadowRoot) walk(node.shadowRoot, inside);
    }
  };

  const names = new Set();
  const collect = (root) => {
    for (const element of root.querySelectorAll("*")) {
      for (const reference of REFERENCES)
        for (const id of (element.getAttribute(reference) ?? "").split(/\s+/)) names.add(id);
      if (element.shadowRoot) collect(element.shadowRoot);
    }
  };
  collect(document);
  walk(document.body, false);

  const focus = [];
  let active = document.activeElement;
  while (active && active !== document.body) {
    focus.push(box(active));
    active = active.shadowRoot?.activeElement;
  }
  return JSON.stringify({ shown, hidden, allowed, fields, focus });
})()
