// The functions that answer with a survey, or with the little that can be said without one.
const COUNTED_CONTROLS = 'button,a[href],input:not([type=hidden]),textarea,select,[role=button],'
  + '[tabindex]:not([tabindex="-1"])';

const newSurvey = ({ depth = 50, hidden = false, brief = false }) => {
  pass = { ...newPass(true), maxDepth: depth, withHidden: hidden, brief, apart: false, keeping: new Map(), cut: 0 };
  noteRoot(document);
};

const bodyOf = () => {
  const root = rootElementOf.call(document);
  return root === null ? null : querySelector.call(root, ':scope > body') ?? root;
};

/** What an element is called and where it stands among those of its tag, for the path of what lies in it. */
const pathStep = (element) => {
  const tag = localNameOf.call(element);
  const step = { tag };
  addNumber(step, 'id', attribute(element, 'id'));
  addClasses(step, element);
  const place = placeOf(element);
  if (place > 0) step.nth = place;
  return step;
};

const placeOf = (element) => {
  const parent = flatParent(element);
  if (parent === null) return 0;
  const nth = positions(flatNodes(parent));
  for (const node of flatNodes(parent)) {
    if (nodeTypeOf.call(node) !== ELEMENT) continue;
    const place = nth(localNameOf.call(node));
    if (node === element) return place;
  }
  return 0;
};

const stepsTo = (element) => {
  const steps = [];
  const body = bodyOf();
  for (let node = flatParent(element); node !== null && node !== body; node = flatParent(node)) {
    steps.unshift(pathStep(node));
  }
  return steps;
};

const surveyRoot = (nid) => {
  if (nid !== 0) return elementOf(nid);
  return topModal([...queryAll(document, 'dialog:modal')]) ?? bodyOf();
};

const surveyFrom = (root) => {
  if (root === null) return;
  const context = { shown: true, pre: closest.call(root, 'pre') !== null };
  surveyElement(root, 0, context, () => placeOf(root));
};

const aroundRoot = (root) =>
  (root === null
    ? { steps: [], controls: 0 }
    : { steps: stepsTo(root), controls: queryIn(root, COUNTED_CONTROLS).length });

/**
 * {…facts of the page, cells: those of all rows, steps, controls, cut}; `nid` scopes it, 0 is the body. {error: "gone"} without the element.
 */
const survey = (nid, options = {}) => {
  const part = surveyedPart(surveyRoot(nid), options.section === true);
  const { root } = part;
  if (root === null && nid !== 0) return GONE_ANSWER;
  newSurvey(options);
  pass.part = part;
  pass.recalls = nid === 0 && !pass.withHidden && namesHold();
  surveyFrom(root);
  const { rows, cut } = pass;
  pass = null;
  return JSON.stringify({ ...pageFacts(), cells: rows.flat(), cut, ...aroundRoot(root) });
};

/** {role, name} of one element as a survey would have them, or {error: "gone"}. */
const surveyed = (nid) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  const tag = localNameOf.call(element);
  newSurvey({});
  const { role = '', name = '' } = tag === 'option' ? optionFacts(element) : surveyFacts(element, tag, true);
  pass = null;
  return JSON.stringify({ role, name, tag });
};

/** How many elements lie in one, those in shadow roots too. */
const countIn = (root) => {
  let count = 0;
  for (const element of queryIn(root, '*')) {
    const inner = rootOf(element);
    count += inner === null ? 1 : 1 + countIn(inner);
  }
  return count;
};

/** The facts of the page with the number of elements in what a survey of it would show. */
const head = () => {
  const root = surveyRoot(0);
  return JSON.stringify({ ...pageFacts(), total: root === null ? 0 : countIn(root) });
};

const bare = document.implementation.createHTMLDocument(''); // where elements are nothing but markup

/** The tag of a field without the password in it. */
const masked = (input) => {
  const copy = bare.importNode(input, false);
  copy.setAttribute('value', BULLETS);
  return copy.outerHTML;
};

const markupOf = (element) => [element, ...elementsIn.call(element, 'input')]
  .filter((one) => localNameOf.call(one) === 'input' && attribute(one, 'value') && isSecret(one))
  .reduce((markup, input) => markup.replaceAll(input.outerHTML, () => masked(input)), element.outerHTML);

/** {html} of an element, the body for number 0, or {error: "gone"}. */
const html = (nid) => {
  const element = nid === 0 ? bodyOf() : elementOf(nid);
  return element === null ? GONE_ANSWER : JSON.stringify({ html: markupOf(element) });
};
