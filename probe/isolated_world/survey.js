// Surveys: all visible elements and the text between them, for the text modes of observe.
import {
  attribute, closest, collapse, elementsIn, isElement, localNameOf, matches, nextSiblingOf, queryIn, querySelector,
  rootElementOf, textContentOf,
} from './builtins.js';
import { addNumber, BULLETS, isSecret } from './control_values.js';
import { flatNodes, flatParent, openModal, rootOf } from './flat_tree.js';
import { pageFacts } from './page_facts.js';
import { beginPass, endPass, newPass, pass } from './pass.js';
import { byNumber, elementOf, GONE_ANSWER } from './registry.js';
import { namesHold } from './replay.js';
import { HEADINGS, roleOf } from './roles.js';
import { headingLevel } from './rows.js';
import { addClasses, optionFacts, positions, surveyElement, surveyFacts } from './survey_rows.js';
import { viewportRect } from './visibility.js';
import { noteRootsOf } from './walk.js';

/**
 * Return whether an element contains only the heading: the section follows it.
 * @param {any} part @param {Element} heading
 */
const isTitle = (part, heading) => {
  const tag = localNameOf.call(part);
  return ((tag === 'header' || tag === 'hgroup') && roleOf(part, tag) !== 'banner')
    || collapse(textContentOf.call(part)) === collapse(textContentOf.call(heading));
};

const bodyOf = () => {
  const root = rootElementOf.call(document);
  return root === null ? null : querySelector.call(root, ':scope > body') ?? root;
};

/**
 * Return the heading, or the outermost element around it that contains nothing else.
 * @param {Element} heading
 */
const titleOf = (heading) => {
  let part = heading;
  for (let node = flatParent(heading); node !== null && node !== bodyOf() && isTitle(node, heading); node = flatParent(node)) {
    part = node;
  }
  return part;
};

/** @param {any} part @param {Element} heading */
const siblingsFrom = (part, heading) => {
  const nodes = new Set([part]);
  for (let node = nextSiblingOf.call(part); node !== null; node = nextSiblingOf.call(node)) {
    const inside = node instanceof Element ? [...(matches.call(node, HEADINGS) ? [node] : []), ...queryIn(node, HEADINGS)] : [];
    if (inside.some((other) => other !== heading && headingLevel(other) <= headingLevel(heading))) break; // another section begins
    nodes.add(node);
  }
  return nodes;
};

/**
 * Return the start of a survey: {root, nodes: the children that count, null for all}. With `section`, a heading
 * stands for itself and its siblings up to the next heading of its rank.
 * @param {Element} element @param {any} section
 */
const surveyedPart = (element, section) => {
  const isSection = section && element !== null && roleOf(element, localNameOf.call(element)) === 'heading';
  if (!isSection) return { root: element, nodes: null };
  const title = titleOf(element);
  const parent = flatParent(title);
  return parent === null ? { root: element, nodes: null } : { root: parent, nodes: siblingsFrom(title, element) };
};

const COUNTED_CONTROLS = 'button,a[href],input:not([type=hidden]),textarea,select,[role=button],'
  + '[tabindex]:not([tabindex="-1"])';

/** @param {any} subject */
const newSurvey = ({ depth = 50, hidden = false, brief = false, inView = false }, root = document.documentElement) => {
  beginPass({ ...newPass(true), maxDepth: depth, withHidden: hidden, brief, inView, isAfterBlock: false, keeping: new Map(), cut: 0 });
  noteRootsOf(root);
};

/** @param {Element} element */
const placeOf = (element) => {
  const parent = flatParent(element);
  const siblings = parent === null ? [] : flatNodes(parent).filter(isElement);
  const nth = positions(siblings);
  return siblings.map((/** @type {Element} */ one) => nth(localNameOf.call(one)))[siblings.indexOf(element)] ?? 0;
};

/**
 * Return tag, id, class and position of an element, for the path of its descendants.
 * @param {Element} element
 */
const pathStep = (element) => {
  const tag = localNameOf.call(element);
  /** @type {Extra} */
  const step = { tag };
  addNumber(step, 'id', attribute(element, 'id'));
  addClasses(step, element);
  const place = placeOf(element);
  if (place > 0) step.nth = place;
  return step;
};

/** @param {Element} element */
const stepsTo = (element) => {
  const steps = [];
  const body = bodyOf();
  for (let node = flatParent(element); node !== null && node !== body; node = flatParent(node)) {
    steps.unshift(pathStep(node));
  }
  return steps;
};

/** @param {number} nid */
const surveyRoot = (nid) => {
  if (nid !== 0) return elementOf(nid);
  return openModal() ?? bodyOf();
};

/**
 * Return {…facts of the page, cells of all rows, steps, controls, cut}; `nid` limits it to an element, 0 is the body.
 * {error: "gone"} without the element.
 * @param {number} nid @param {any} [options]
 */
export const survey = (nid, options = {}) => {
  const part = surveyedPart(surveyRoot(nid), options.section === true);
  const { root } = part;
  if (root === null && nid !== 0) return GONE_ANSWER;
  newSurvey(options, root);
  pass.part = part;
  pass.readsCaches = nid === 0 && !pass.withHidden && namesHold();
  if (root !== null) {
    const context = { shown: true, pre: closest.call(root, 'pre') !== null, clip: viewportRect(), isSeen: true, mark: '', veiled: false };
    surveyElement(root, 0, context, () => placeOf(root));
  }
  const { rows, cut } = pass;
  endPass();
  const steps = root === null ? [] : stepsTo(root);
  const controls = root === null ? 0 : queryIn(root, COUNTED_CONTROLS).length;
  return JSON.stringify({ ...pageFacts(), cells: rows.flat(), cut, steps, controls });
};

/** Return {role, name, tag} of one element as in a survey. */
export const surveyed = byNumber((element) => {
  const tag = localNameOf.call(element);
  newSurvey({});
  const { role = '', name = '' } = tag === 'option' ? optionFacts(element) : surveyFacts(element, tag, true);
  endPass();
  return { role, name, tag };
});

/**
 * Return the number of elements inside a root, shadow roots included.
 * @param {any} root @returns {number}
 */
const countIn = (root) => [...queryIn(root, '*')].map(rootOf)
  .reduce((count, inner) => count + (inner === null ? 1 : 1 + countIn(inner)), 0);

/** Return the facts of the page with the number of elements in a full survey. */
export const head = () => {
  const root = surveyRoot(0);
  return JSON.stringify({ ...pageFacts(), total: root === null ? 0 : countIn(root) });
};

const bare = document.implementation.createHTMLDocument(''); // a document without styles and scripts

/**
 * Return the markup of a field without its password.
 * @param {Element} input
 */
const masked = (input) => {
  const copy = bare.importNode(input, false);
  copy.setAttribute('value', BULLETS);
  return copy.outerHTML;
};

/**
 * Return {html} of an element, of the body for 0, or {error: "gone"}.
 * @param {number} nid
 */
export const html = (nid) => {
  const element = nid === 0 ? bodyOf() : elementOf(nid);
  if (element === null) return GONE_ANSWER;
  const markup = [element, ...elementsIn.call(element, 'input')]
    .filter((one) => localNameOf.call(one) === 'input' && attribute(one, 'value') && isSecret(one))
    .reduce((text, input) => text.replaceAll(input.outerHTML, () => masked(input)), element.outerHTML);
  return JSON.stringify({ html: markup });
};
