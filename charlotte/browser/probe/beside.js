// What is written beside things that have no name: in their row, in boxes around them alone, or right before them.
const TOGETHER = 'tr,li,dd,article,[role=row],[role=listitem],[role=option]';
const MAX_LEVELS = 3;
const MAX_LEVELS_ALONE = 9; // a field and its label lie deep in boxes of their own
const MOST_TOGETHER = 6; // controls; the text of what holds more is not beside any of them
const MOST_ELEMENTS = 200;
const MOST_BEFORE = 10;
const LONGEST_BESIDE = 60;

/** Whether what is written in `node`, so many levels above an element, is likely to be about it. */
const isAbout = (node, element, level) => {
  if (level < MAX_LEVELS && matches.call(node, TOGETHER)) return true;
  if (elementsIn.call(node, '*').length > MOST_ELEMENTS) return false;
  const controls = [...queryIn(node, INTERACTIVE_INSIDE)];
  return level < MAX_LEVELS ? controls.length <= MOST_TOGETHER : controls.every((one) => one === element);
};

/** Whether a node is another control, or the label of one that can be used. */
const isOfAnother = (node) =>
  nodeTypeOf.call(node) === ELEMENT
  && (matches.call(node, INTERACTIVE_INSIDE) || querySelector.call(node, INTERACTIVE_INSIDE) !== null
    || (node instanceof HTMLLabelElement && node.control !== null && !isLeftOut(node.control)));

const isShownNode = (node) =>
  nodeTypeOf.call(node) === TEXT || (nodeTypeOf.call(node) === ELEMENT && isRendered(node) && !isLeftOut(node));

/** What is written right before a node, with no other control between. */
const wordsBefore = (node) => {
  let before = previousSiblingOf.call(node);
  for (let far = 0; far < MOST_BEFORE && before !== null; far += 1) {
    if (isShownNode(before)) {
      if (isOfAnother(before)) return '';
      const text = nodeTypeOf.call(before) === TEXT ? collapse(before.data) : visibleWordsOf(before, LONGEST_BESIDE);
      if (text !== '') return text.slice(-LONGEST_BESIDE);
    }
    before = previousSiblingOf.call(before);
  }
  return '';
};

const HEAD_CELLS = 'th,dt,[role=rowheader]';

/** What the head right before a cell says, in a row or list with several such heads. */
const headOfCell = (element) => {
  const cell = closest.call(element, 'td,dd,[role=cell],[role=gridcell]');
  const head = cell === null ? null : previousElementOf.call(cell);
  if (head === null || !matches.call(head, HEAD_CELLS) || !isShownNode(head)) return '';
  const heads = [...parentElementOf.call(cell).children].filter((child) => matches.call(child, HEAD_CELLS));
  return heads.length > 1 ? visibleWordsOf(head, LONGEST_BESIDE) : '';
};

const textNear = (element) => {
  const head = headOfCell(element);
  if (head !== '') return head;
  const own = visibleWordsOf(element, LONGEST_BESIDE);
  let [inner, node] = [element, closest.call(element, TOGETHER) ?? parentElementOf.call(element)];
  for (let level = 0; level < MAX_LEVELS_ALONE && node !== null; level += 1) {
    if (node === document.body || !isAbout(node, element, level)) return wordsBefore(inner);
    const text = visibleWordsOf(node, LONGEST_BESIDE);
    if (text !== '' && text !== own) return text;
    [inner, node] = [node, parentElementOf.call(node)];
  }
  return '';
};

