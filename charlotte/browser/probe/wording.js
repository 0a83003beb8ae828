// Where a text stands on the page: the innermost elements that say it, with what is around them.
const HEADINGS = 'h1,h2,h3,h4,h5,h6,[role=heading]';
const MAX_SIBLINGS = 300;
const LONGEST_TEXT = 20_000;
const AROUND = 60;
const LONGEST_EXCERPT = 200;
const MOST_OCCURRENCES = 50;

const addWords = (node, read) => {
  if (read.text.length > read.most || read.depth > MAX_DEPTH) return;
  const type = nodeTypeOf.call(node);
  if (type === TEXT) {
    if (!read.unseen) read.text += node.data;
  } else if (type === ELEMENT && (tagFacts(localNameOf.call(node)).enter || node instanceof SVGElement)) {
    if (read.shown) addWordsShownIn(node, read);
    else addWordsIn(node, read);
  }
};

/** Of what is invisible, some descendants may be visible. */
const addWordsShownIn = (element, read) => {
  const sight = read.told && isLeftOut(element) ? GONE : sightOf(element);
  if (sight === GONE) return;
  const { unseen } = read;
  read.unseen = sight === UNSEEN || isClosed(element);
  addWordsIn(element, read);
  read.unseen = unseen;
};

const addWordsIn = (element, read) => {
  const tag = localNameOf.call(element);
  const apart = tag === 'br' || tag === 'button' || tagFacts(tag).block ? ' ' : '';
  read.text += apart;
  read.depth += 1;
  for (const node of flatNodes(element)) addWords(node, read);
  read.depth -= 1;
  read.text += apart;
};

/** The start of what an element contains, as one line in which cells and blocks stand apart. */
const wordsOf = (element, limit) => {
  const read = { text: '', most: 20 * limit, depth: 0, shown: false };
  addWordsIn(element, read);
  return collapse(read.text).slice(0, limit);
};

/** The same without what is not shown in it; without what is aria-hidden or inert, too, unless that is not `told`. */
const visibleWordsOf = (element, limit, told = true) => {
  const read = { text: '', most: 20 * limit, depth: 0, shown: true, told, unseen: false };
  addWordsIn(element, read);
  return collapse(read.text).slice(0, limit);
};

const isPassedOver = (element, listed) =>
  listed.has(numbers.get(element))
  || (element instanceof HTMLLabelElement && listed.has(numbers.get(element.control)));

const isSilent = (element) => {
  const tag = localNameOf.call(element);
  return !tagFacts(tag).enter || tag === 'option' || isLeftOut(element);
};

/** Whether an element with a short text says what is wanted, scripts aside; of long ones only the parts are told. */
const says = (element, text, wanted) =>
  text.length <= LONGEST_TEXT && visibleWordsOf(element, LONGEST_TEXT).toLowerCase().includes(wanted);

/**
 * Whether a text contains another. With a `reach` of some characters, the first occurrences instead, each as
 * [text before, occurrence, text after]: the server decides which of them lie in a secret, which no page is given.
 */
const occurrencesIn = (text, wanted, reach, searched = text) => {
  if (reach === 0 || wanted === '') return searched.includes(wanted);
  const found = [];
  for (let at = searched.indexOf(wanted); at >= 0 && found.length < MOST_OCCURRENCES; at = searched.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    found.push([text.slice(Math.max(0, at - reach), at), text.slice(at, end), text.slice(end, end + reach)]);
  }
  return found;
};

const occurrencesInAnyCase = (text, wanted, reach) => occurrencesIn(text, wanted, reach, text.toLowerCase());

/** `occurrencesIn` the text of an element, however long it is, in any case. */
const saysSomewhere = (element, text, reach) => {
  const wanted = collapse(text).toLowerCase();
  const all = textContentOf.call(element);
  if (!all.toLowerCase().includes(longestOf(wanted.split(' ')))) return false;
  return occurrencesInAnyCase(visibleWordsOf(element, all.length), wanted, reach);
};

/** Whether a click in it may be answered by what is met: a menu may listen for all its items. */
const mayDelegate = (element) => listening.has(element) && !WIDGETS.has(roleOf(element, localNameOf.call(element)));

/**
 * Add the innermost elements that say what is wanted; whether there are any, told or passed over. Of `parts` of what is
 * listed already, only those that have their like beside them are told.
 */
const findIn = (element, search, depth = 0, parts = false) => {
  if (search.found.length >= search.limit || depth > MAX_DEPTH) return true;
  const text = textContentOf.call(element);
  if (!text.toLowerCase().includes(search.word) || isSilent(element)) return false;
  const isListed = isPassedOver(element, search.listed);
  if (isListed && !mayDelegate(element)) return says(element, text, search.wanted);
  let found = false;
  for (let child = firstElementOf.call(element); child !== null; child = nextElementOf.call(child)) {
    found = findIn(child, search, depth + 1, parts || isListed) || found;
  }
  if (found || !says(element, text, search.wanted)) return found;
  if (isListed) return true;
  if (parts && !isOneOfMany(element, localNameOf.call(element))) return false;
  if (sightOf(element) !== SEEN) return false;
  search.found.push(element);
  return true;
};

const isInSight = (element) => sightOf(element) === SEEN;

const lastHeadingIn = (element) => {
  if (matches.call(element, HEADINGS)) return isInSight(element) ? element : undefined;
  return Array.from(queryIn(element, HEADINGS)).findLast(isInSight);
};

const headingBeside = (element) => {
  let sibling = previousElementOf.call(element);
  for (let count = 0; sibling !== null && count < MAX_SIBLINGS; count += 1) {
    const heading = lastHeadingIn(sibling);
    if (heading !== undefined) return heading;
    sibling = previousElementOf.call(sibling);
  }
  return undefined;
};

/** The text of the nearest heading before an element, or ''. */
const headingBefore = (element) => {
  for (let node = matches.call(element, HEADINGS) ? null : element; node !== null; node = flatParent(node)) {
    const heading = headingBeside(node);
    if (heading !== undefined) return textOf(heading, 80);
  }
  return '';
};

const landmarkAround = (element) => {
  for (let node = element; node !== null; node = flatParent(node)) {
    const tag = localNameOf.call(node);
    const role = roleOf(node, tag);
    const name = LANDMARKS.has(role) ? computedName(node, tag) : '';
    if (name !== '') return `${role} "${name}"`;
    if (LANDMARKS.has(role) && !NAMED_LANDMARKS.has(role)) return role;
  }
  return '';
};

/** The part of the element's text around what was wanted. */
const excerptOf = (element, wanted) => {
  const text = visibleWordsOf(element, LONGEST_TEXT);
  const start = Math.max(0, text.toLowerCase().indexOf(wanted) - AROUND);
  const end = start + LONGEST_EXCERPT;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
};

/** Where to begin: at the document or the modal dialog, and in every shadow root that can be reached. */
const startsOf = (modal) => {
  const known = new Map(modal === null ? [] : [[modal, false]]);
  const roots = openRoots().filter((root) => root !== document && !isBehind(root.host, modal, known));
  return [modal ?? rootElementOf.call(document), ...roots.flatMap((root) => Array.from(root.children))];
};

const longestOf = (words) => words.reduce((longest, word) => (word.length > longest.length ? word : longest));

/**
 * {rows: [[nid, tag, text, box, excerpt, heading, landmark, occurrences], …]} of the elements that say `text`, in any
 * case; not of what lies in the elements with the numbers `listed`, nor of what is behind a dialog or cannot be seen.
 */
const wording = (text, limit, listed, reach = 0) => {
  pass = newPass(false);
  const wanted = collapse(text).toLowerCase();
  const search = { wanted, word: longestOf(wanted.split(' ')), limit, listed: new Set(listed), found: [] };
  if (wanted !== '') for (const start of startsOf(topModal(allMatching('dialog:modal')))) findIn(start, search);
  const rows = search.found.map((element) => [
    ...queryRow(element), excerptOf(element, wanted), headingBefore(element), landmarkAround(element),
    reach === 0 || occurrencesInAnyCase(visibleWordsOf(element, LONGEST_TEXT), wanted, reach),
  ]);
  pass = null;
  return JSON.stringify({ rows });
};
