// Small questions about single elements and CSS queries through open shadow roots.

/** The document and every shadow root in it that we know of. */
const openRoots = (root = document) => {
  const roots = [root];
  for (const element of queryAll(root, '*')) {
    const inner = rootOf(element);
    if (inner !== null) roots.push(...openRoots(inner));
  }
  return roots;
};

/** {box: [x, y, width, height] or 0} or {error: "gone"}. */
const box = (nid) => {
  const element = elementOf(nid);
  return element === null ? GONE_ANSWER : JSON.stringify({ box: sightOf(element) === SEEN ? boxOf(element) : 0 });
};

/** {alive: those of the numbers whose elements are in the document, to be seen or not}. */
const alive = (nid, others = []) =>
  JSON.stringify({ alive: [nid, ...others].filter((one) => elementOf(one) !== null) });

const describedRow = (element) => {
  const tag = localNameOf.call(element);
  if (isEditableRoot(element)) return editableRow(element, tag);
  const role = roleOf(element, tag);
  const kind = kindOf(element, tag, role, true);
  return (kind === '' ? null : rowOfKind(kind, element, tag, role)) ?? clickableRow(element, tag);
};

/** The element's row as it is now, without its neighbours: {nid, role, name, box, extra} or {error: "gone"}. */
const describe = (nid) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  pass = { ...newPass(false), sorts: true };
  const made = describedRow(element);
  pass = null;
  delete made.extra.sib;
  delete made.extra.counts;
  if (sightOrProxy(element) !== SEEN) {
    made.box = 0;
    made.extra.hidden = 1;
  }
  return JSON.stringify(made);
};

/** With what its row says, but for those that come late. */
const queryRow = (element, index, alike) => [
  nidOf(element), localNameOf.call(element), visibleWordsOf(element, 80), boxOf(element),
  index < MOST_ROWS ? textAround(element, alike) : '',
];

/** Its role and, of a text, whether it says that. */
const described = (element, text, reach) =>
  (text === null ? [] : [roleOf(element, localNameOf.call(element)), saysSomewhere(element, text, reach)]);

/**
 * {rows: [[nid, tag, text, box, around], …], total} or {error: "selector", message}; with a text, even "", the rows
 * have a role and whether the element says that, too; with a `reach`, where (`occurrencesIn`).
 */
const query = (css, limit = 50, text = null, reach = 0) => {
  const alike = newAlike();
  const rowOf = (element, index) => [...queryRow(element, index, alike), ...described(element, text, reach)];
  try {
    const found = openRoots().flatMap((root) => Array.from(queryAll(root, css)));
    return JSON.stringify({ rows: found.slice(0, limit).map(rowOf), total: found.length });
  } catch (error) {
    return JSON.stringify({ error: 'selector', message: error.message });
  }
};
