// What audits want to know of a document's elements: one row for each that could be wrong. Reads only.
({ nid, tag, role, name, attribute, text, isSeen, roots, all, parent, getter }) => {
  const WANTED = 'html, title, meta, link, img, svg, area, input, select, textarea, button, a, iframe, summary, '
    + 'h1, h2, h3, h4, h5, h6, main, [role], [tabindex], [contenteditable]';
  const MOST = 5000;
  const LONGEST = 300;
  const ATTRIBUTES = ['alt', 'href', 'rel', 'target', 'type', 'id', 'name', 'content', 'tabindex', 'aria-level',
    'aria-label', 'aria-labelledby', 'title', 'role', 'lang', 'placeholder', 'property', 'disabled'];
  const tabIndexOf = { html: getter(HTMLElement.prototype, 'tabIndex'), svg: getter(SVGElement.prototype, 'tabIndex') };
  const hrefOf = getter(HTMLAnchorElement.prototype, 'href');
  const areaHrefOf = getter(HTMLAreaElement.prototype, 'href');
  const linkHrefOf = getter(HTMLLinkElement.prototype, 'href');

  const attributesOf = (element) => {
    const found = {};
    for (const one of ATTRIBUTES) {
      const value = attribute(element, one);
      if (value !== null) found[one] = value.slice(0, LONGEST);
    }
    return found;
  };

  const isDisabled = (element) => Element.prototype.matches.call(element, ':disabled');

  const isFocusable = (element) => {
    const index = element instanceof HTMLElement ? tabIndexOf.html.call(element)
      : element instanceof SVGElement ? tabIndexOf.svg.call(element) : -1;
    return index >= 0 && !isDisabled(element);
  };

  const isMuted = (element) => {
    for (let node = element; node !== null && node instanceof Element; node = parent(node)) {
      if (attribute(node, 'aria-hidden') === 'true') return true;
    }
    return false;
  };

  const addressOf = (element) => {
    if (element instanceof HTMLAnchorElement) return hrefOf.call(element);
    if (element instanceof HTMLAreaElement) return areaHrefOf.call(element);
    return element instanceof HTMLLinkElement ? linkHrefOf.call(element) : '';
  };

  const row = (element) => ({
    nid: nid(element), tag: tag(element), role: role(element), name: name(element), text: text(element, 60),
    attributes: attributesOf(element), url: addressOf(element).slice(0, 2000), seen: isSeen(element),
    focusable: isFocusable(element), muted: isMuted(element),
  });

  const idsTwice = (root) => {
    const first = new Map();
    const twice = [];
    for (const element of all(root, '[id]')) {
      const id = attribute(element, 'id');
      if (id === '') continue;
      if (first.has(id)) twice.push({ id: id.slice(0, 100), nid: nid(element) });
      else first.set(id, element);
    }
    return twice;
  };

  const anchors = () => {
    const names = [...all(document, 'a[name]')].map((element) => attribute(element, 'name'));
    return [...all(document, '[id]')].map((element) => attribute(element, 'id')).concat(names);
  };

  const trees = roots();
  const wanted = trees.flatMap((root) => [...all(root, WANTED)]);
  return JSON.stringify({
    url: getter(Document.prototype, 'URL').call(document),
    elements: wanted.slice(0, MOST).map(row),
    left: Math.max(0, wanted.length - MOST),
    twice: trees.flatMap(idsTwice),
    anchors: anchors().slice(0, MOST),
    nodes: trees.reduce((sum, root) => sum + all(root, '*').length, 0),
  });
}
