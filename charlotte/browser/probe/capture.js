// capture(): one walk, then the rows and lines merged into document order and returned as one JSON string.
const documentId = Math.random().toString(36).slice(2, 8).padEnd(6, '0');

const SAME = '{"same":true}';

const byPlace = (a, b) => a.place - b.place;

/**
 * Rows [nid, parent, role, name, box, extra] and lines [parent, text] in document order; `parent` is a number
 * too, 0 for none. An `extra` that says nothing is left out.
 */
const merged = () => {
  const { rows, places } = pass;
  const texts = pass.texts.sort(byPlace);
  const nodes = [];
  let next = 0;
  for (let index = 0; index < rows.length; index += 1) {
    for (; next < texts.length && texts[next].place < places[index]; next += 1) nodes.push(texts[next].row);
    nodes.push(rows[index]);
  }
  for (; next < texts.length; next += 1) nodes.push(texts[next].row);
  return nodes;
};

const scrollRange = (element) => [
  Math.max(0, Math.round(scrollWidthOf.call(element) - clientWidthOf.call(element))),
  Math.max(0, Math.round(scrollHeightOf.call(element) - clientHeightOf.call(element))),
];

const pageScroll = () => {
  const scroller = scrollingElementOf.call(document);
  return [Math.round(scrollX), Math.round(scrollY), ...(scroller === null ? [0, 0] : scrollRange(scroller))];
};

const language = () => {
  const root = rootElementOf.call(document);
  return (root === null ? null : attribute(root, 'lang')) ?? '';
};

const pageFacts = () => ({
  document: documentId,
  url: documentUrlOf.call(document),
  title: documentTitleOf.call(document),
  ready: readyStateOf.call(document),
  lang: language(),
  viewport: [innerWidth, innerHeight],
  scroll: pageScroll(),
});

const LIVE = '[role=alert],[role=status],[aria-live=assertive],[aria-live=polite]';
const MOST_LIVE = 5;
const LONGEST_LIVE = 200;

const saidLive = (element) => {
  const isHeard = sightOf(element) === SEEN && parentElementOf.call(element)?.closest(LIVE) === null;
  return isHeard ? visibleWordsOf(element, LONGEST_LIVE) : '';
};

/** What the live regions say now: a page tells in them what its user has to hear. */
const alerts = () =>
  [...queryAll(document, LIVE)].map(saidLive).filter((text) => text !== '').slice(0, MOST_LIVE);

const captured = (how, fresh) => {
  if (fresh) walkDocument(how, false);
  else readDocument(how);
  const { visited, skipped, counts, suspects } = pass;
  const facts = { ...pageFacts(), elements: visited, counts };
  if (skipped > 0) facts.skipped = skipped;
  const said = alerts();
  if (said.length > 0) facts.alerts = said;
  if (scrolled.size > 0) facts.scrolls = scrolls();
  if (pass.beyond.size > 0) facts.beyond = countedBeyond();
  const heads = addRecords(pass.rows, tellApart(pass.rows));
  if (heads.length > 0) facts.heads = heads;
  const nodes = merged();
  pass = null;
  return { facts: JSON.stringify(facts).slice(1, -1), nodes, suspects };
};

let last = null; // the state answered last, with its name
let answers = 0;

const nextName = () => {
  answers += 1;
  return `${documentId}.${answers}`;
};

const wholeOf = ({ name, facts, nodes }) => `{"answer":"${name}",${facts},"nodes":${JSON.stringify(nodes)}}`;

const patchOf = ({ name, facts }, changes) =>
  `{"answer":"${name}","since":"${last.name}",${facts},${JSON.stringify(changes).slice(1)}`;

/** What makes `state` of the state answered last: everything, what changed, or that nothing did. */
const answerOf = (state, known) => {
  const changes = last !== null && last.name === known ? changesBetween(last.nodes, state.nodes) : null;
  if (changes === null) return wholeOf(state);
  const same = changes.splices.length === 0 && changes.moved.length === 0 && state.facts === last.facts;
  return same ? SAME : patchOf(state, changes);
};

/** An answer with the numbers of elements that may have closed shadow roots, to be asked about. */
const withSuspects = (answer, suspects) =>
  (suspects.length === 0 ? answer : `{"suspects":${JSON.stringify(toldSuspects(suspects))},${answer.slice(1)}`);

/**
 * The page as rows; {text: false} leaves the text lines out. Every answer has a name, `answer`; a caller that
 * still has the one it names as `known` is told only what has changed since, {"same": true} if nothing has.
 * {fresh: true} walks as if for the first time, and leaves what is known as it is; from {most} rows on,
 * interactive elements are only counted. {lazy: true} reads a long document only if something has stirred in it.
 */
const capture = ({ text = true, known = '', fresh = false, most = Infinity, lazy = false } = {}) => {
  keepListening();
  askForListeners();
  const how = { withText: text, most };
  if (fresh) return wholeOf({ ...captured(how, true), name: '' });
  if (lazy && last !== null && last.name === known && isAtRest()) return SAME;
  const state = { ...captured(how, false), name: nextName() };
  const answer = answerOf(state, known);
  if (answer !== SAME) last = state;
  noteRest(state.nodes.length);
  return withSuspects(answer, state.suspects);
};
