// What things without semantics are called: no engine has a name for them, so what can be read on them is put
// together here as names are. What is not shown is left out, and what is not in one line with the rest stands apart.
const LONGEST_LABEL = 80;
const BUTTONS = 'button,[role=button]';
const IN_LINE = /^(inline|contents|ruby.*)$/;

const addShown = (node, read, isShown) => {
  if (read.text.length > read.most || read.depth > MAX_DEPTH) return;
  const type = nodeTypeOf.call(node);
  if (type === TEXT && isShown) read.text += node.data;
  else if (type === ELEMENT) addShownElement(node, read);
};

const addShownIn = (element, read, { display, visibility }) => {
  const apart = IN_LINE.test(display) ? '' : ' ';
  read.text += apart;
  read.depth += 1;
  for (const node of flatNodes(element)) addShown(node, read, visibility === 'visible');
  read.depth -= 1;
  read.text += apart;
};

const addShownElement = (element, read) => {
  const tag = localNameOf.call(element);
  const isDrawn = element instanceof SVGElement;
  if (tag === 'br' || isLeftOut(element) || matches.call(element, read.without)) read.text += ' ';
  else if (isDrawn || tagFacts(tag).enter) {
    const style = getComputedStyle(element);
    if (isDrawn || style.display !== 'none') addShownIn(element, read, style);
  }
};

/** The start of what can be read on an element, as one line, without the controls in it that match. */
const shownWords = (element, without) => {
  const read = { text: '', most: 20 * LONGEST_LABEL, depth: 0, without };
  addShownIn(element, read, getComputedStyle(element));
  return collapse(read.text).slice(0, LONGEST_LABEL);
};

const NOT_TOLD = '[aria-hidden=true],[inert]';
const LEFT_OUT = `${BUTTONS},${NOT_TOLD}`;

/** Whether the browser's own text runs two elements together that touch: they may be boxes of a line. */
const isRunTogether = (element, text) => {
  for (let child = firstElementOf.call(element); child !== null; child = nextElementOf.call(child)) {
    const next = nextSiblingOf.call(child);
    if (!(next instanceof Element)) continue;
    const joint = textContentOf.call(child).slice(-2) + textContentOf.call(next).slice(0, 2);
    if (joint.trim() !== '' && text.includes(joint)) return true;
  }
  return false;
};

/** The browser's own text of an element, which is had at a fraction of the cost; '' where that is not its label. */
const quickWords = (element) => {
  if (!(element instanceof HTMLElement) || querySelector.call(element, LEFT_OUT) !== null) return '';
  const text = innerTextOf.call(element);
  return isRunTogether(element, text) ? '' : collapse(text).slice(0, LONGEST_LABEL);
};

/** Of a picture what the browser calls it; of what else has no role, that is nothing. */
const pictureName = (element) =>
  (matches.call(element, PICTURES) ? computedName(element, localNameOf.call(element)) : '');

/** The name it is given, else its text; the buttons in it have names of their own. */
const labelOf = (element) =>
  attribute(element, 'aria-label') || pictureName(element) || collapse(attribute(element, 'title') ?? '')
  || quickWords(element) || shownWords(element, BUTTONS) || plainName(element);

/** The same; what was read before, a pass that recalls names may take from memory if the element has the same size. */
const knownLabel = (element, box) => {
  const size = box === 0 ? '' : `${box[2]} ${box[3]}`;
  const known = pass.recalls ? labels.get(element) : undefined;
  if (known?.size === size) return known.label;
  const label = labelOf(element);
  if (pass.remembers) labels.set(element, { label, size, looks });
  return label;
};
