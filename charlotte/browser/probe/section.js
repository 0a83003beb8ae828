// What a heading is the heading of: its siblings up to the next heading of its rank.
const TITLE_PARTS = setOf('header hgroup');

const isHeading = (element) => roleOf(element, localNameOf.call(element)) === 'heading';

const rankOf = (heading) => headingLevel(heading, localNameOf.call(heading));

const headingsIn = (element) => {
  const inside = Array.from(queryIn(element, HEADINGS));
  return matches.call(element, HEADINGS) ? [element, ...inside] : inside;
};

/** Whether another heading in the element begins a section of its own beside or above that of `heading`. */
const endsSection = (element, heading) =>
  headingsIn(element).some((other) => other !== heading && rankOf(other) <= rankOf(heading));

/** Whether an element says no more than the heading in it: what belongs to that comes after. */
const isTitle = (part, heading) => {
  const tag = localNameOf.call(part);
  return (TITLE_PARTS.has(tag) && roleOf(part, tag) !== 'banner')
    || collapse(textContentOf.call(part)) === collapse(textContentOf.call(heading));
};

/** The heading, or the outermost element around it that says no more. */
const titleOf = (heading) => {
  let part = heading;
  for (let node = flatParent(heading); node !== null && node !== bodyOf() && isTitle(node, heading); node = flatParent(node)) {
    part = node;
  }
  return part;
};

const siblingsFrom = (part, heading) => {
  const nodes = new Set([part]);
  for (let node = nextSiblingOf.call(part); node !== null; node = nextSiblingOf.call(node)) {
    if (node instanceof Element && endsSection(node, heading)) break;
    nodes.add(node);
  }
  return nodes;
};

/**
 * Where a survey of the element begins: {root, nodes: those of its children that count, null for all}. With `section`,
 * a heading stands for itself and its siblings up to the next heading of its rank; nothing around it is included.
 */
const surveyedPart = (element, section) => {
  if (element === null || !section || !isHeading(element)) return { root: element, nodes: null };
  const title = titleOf(element);
  const parent = flatParent(title);
  return parent === null ? { root: element, nodes: null } : { root: parent, nodes: siblingsFrom(title, element) };
};
