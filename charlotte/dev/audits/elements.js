// Elements of a document for audits: metadata, headings and links. Reads only.
({ nid, tag, role, name, attribute, cut, text, isSeen, roots, all, getter }) => {
  const WANTED = 'title, meta, link, h1, a, area';
  const MOST = 5000;
  const LONGEST = 300;
  const ATTRIBUTES = ['href', 'rel', 'target', 'id', 'name', 'content', 'role'];
  const hrefOf = getter(HTMLAnchorElement.prototype, 'href');
  const areaHrefOf = getter(HTMLAreaElement.prototype, 'href');
  const linkHrefOf = getter(HTMLLinkElement.prototype, 'href');

  const attributesOf = (element) => {
    const found = {};
    for (const one of ATTRIBUTES) {
      const value = attribute(element, one);
      if (value !== null) found[one] = cut(value, LONGEST);
    }
    return found;
  };

  const addressOf = (element) => {
    if (element instanceof HTMLAnchorElement) return hrefOf.call(element);
    if (element instanceof HTMLAreaElement) return areaHrefOf.call(element);
    return element instanceof HTMLLinkElement ? linkHrefOf.call(element) : '';
  };

  const row = (element) => ({
    nid: nid(element), tag: tag(element), role: role(element), name: name(element), text: text(element, 60),
    attributes: attributesOf(element), url: cut(addressOf(element), 2000), seen: isSeen(element),
  });

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
    anchors: anchors().slice(0, MOST),
    nodes: trees.reduce((sum, root) => sum + all(root, '*').length, 0),
  });
}
