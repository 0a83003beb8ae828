// Text lines. A block without inner blocks is read with the browser's own innerText; where text and blocks,
// or text and parts that must not be read, stand side by side, the run between two blocks is put together here.
const CLEAN = 0; // inline, and innerText of an ancestor reads it rightly
const MIXED = 1; // inline, but innerText must not be used on an ancestor
const BLOCK = 2; // has written its own lines and ends the line it stands in

/** Whether text that lies directly in the element is shown. */
const showsText = (element) => sightOf(element) === SEEN && showsInside(element);

const isSpaceOnly = (text) => text.trim() === '';

const UNTIDY = /[\u00a0\u00ad\u200b\u2060]|\S {2}/;

/**
 * A line of innerText: more than one leading space is shown as such, one may be what a control left over, and
 * so may several between words.
 */
const tidyLine = (line) => {
  const text = line.startsWith('  ') ? line.trimEnd() : line.trim();
  return UNTIDY.test(text) ? withoutBreaks(text).replaceAll('\u00a0', ' ').replace(/(\S) {2,}/g, '$1 ') : text;
};

const addLine = (line, place, parent) => {
  if (line !== '') pass.texts.push({ place, row: [parent, line] });
};

const addLines = (text, place, parent) => {
  if (!text.includes('\n')) addLine(tidyLine(text), place, parent);
  else for (const line of text.split('\n')) addLine(tidyLine(line), place, parent);
};

const holdsAnything = (element) => firstChildOf.call(element) !== null || pass.generated.has(element);

const saysAnything = (element) => !isSpaceOnly(textContentOf.call(element)) || pass.generated.has(element);

/** The lines of a block that holds no other block. */
const writeLeaf = (element, place, context) => {
  const from = pass.texts.length;
  if (saysAnything(element) && isRendered(element)) addLines(readText(element), place, context.row);
  if (pass.remembers) noteTextOf(element, from);
};

const touches = (node, edge) =>
  node !== null && (nodeTypeOf.call(node) !== TEXT || !isSpaceOnly(node.data.at(edge) ?? ''));

/** What stands before a control; a label around it is not between it and the text before. */
const nodeBefore = (element) => {
  const before = previousSiblingOf.call(element);
  const parent = parentNodeOf.call(element);
  return before === null && parent instanceof HTMLLabelElement ? previousSiblingOf.call(parent) : before;
};

/** Whether innerText would write the text on both sides of a control, or the control's own, without a space. */
const isGlued = (element, tag) => {
  const before = touches(nodeBefore(element), -1);
  const after = nextSiblingOf.call(element);
  if (tag === 'button') return before || touches(after, 0);
  return before && (after === null || touches(after, 0));
};

/** The child nodes in the flat tree, as a new array. */
const flatNodes = (element) => {
  if (localNameOf.call(element) === 'slot') {
    const assigned = element.assignedNodes();
    if (assigned.length > 0) return assigned;
  }
  const nodes = [];
  const start = rootOf(element) ?? element;
  for (let node = firstChildOf.call(start); node !== null; node = nextSiblingOf.call(node)) nodes.push(node);
  return nodes;
};

const endRun = (run) => {
  if (run.text === '') return;
  for (const raw of run.text.split('\n')) {
    const line = run.pre ? raw.trimEnd() : withoutBreaks(raw.trim()).replaceAll(/[ \u00a0]+/g, ' ');
    addLine(line, run.place, run.parent);
  }
  run.text = '';
};

const addSpace = (run, text) => {
  if (run.pre) run.text += text;
  else if (run.text !== '') run.text += ' ';
};

const appendText = (run, text, owner) => {
  if (isSpaceOnly(text)) addSpace(run, text);
  else if (showsText(owner)) run.text += run.pre ? text : text.replaceAll(/\s+/g, ' ');
};

const appendNodes = (run, element) => {
  const { before, after } = generatedBy(element);
  run.text += before;
  for (const node of flatNodes(element)) appendNode(run, node, element);
  run.text += after;
};

const appendInline = (run, element, tag) => {
  if (tag === 'button') run.text += ' ';
  if (pass.mixed.has(element)) appendNodes(run, element);
  else run.text += readText(element);
  if (tag === 'button') run.text += ' ';
};

/** An element inside a run: its text, on lines of its own when the style makes it a block. */
const appendElement = (run, element) => {
  const tag = localNameOf.call(element);
  if (tag === 'br') run.text += '\n';
  if (pass.muted.has(element)) run.text += ' ';
  else if (holdsAnything(element) || pass.mixed.has(element)) {
    if (!isRendered(element) || tag === 'noscript') return; // of the latter, the markup would be read
    const { display } = getComputedStyle(element);
    const broken = display !== 'contents' && !display.startsWith('inline') && !display.startsWith('ruby');
    if (broken) run.text += '\n';
    appendInline(run, element, tag);
    if (broken) run.text += '\n';
  }
};

const appendNode = (run, node, owner) => {
  const type = nodeTypeOf.call(node);
  if (type === TEXT) appendText(run, node.data, owner);
  else if (type === ELEMENT) appendElement(run, node);
};

/** The lines of an element among whose children are blocks: `breaks` is [block, place after it, …]. */
const writeRuns = (element, breaks, place, context) => {
  const from = pass.texts.length;
  const { before, after } = generatedBy(element);
  const run = { text: before, place, parent: context.row, pre: context.pre };
  let next = 0;
  for (const node of flatNodes(element)) {
    if (node === breaks[next]) {
      endRun(run);
      run.place = breaks[next + 1];
      next += 2;
    } else appendNode(run, node, element);
  }
  run.text += after;
  endRun(run);
  if (pass.remembers) noteTextOf(element, from);
};
