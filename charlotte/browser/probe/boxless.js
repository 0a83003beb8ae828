// Role and name of elements about which the engine cannot be asked (accessible.js says which), in as much of
// the ARIA and HTML mappings as rows need: such elements are wrappers, seldom links, buttons or headings.
const SECTIONING = 'article,aside,main,nav,section';
const SCOPED = new Map(Object.entries({ header: 'banner', footer: 'contentinfo', aside: 'complementary' }));
const CAPTIONS = new Map(Object.entries({ fieldset: ':scope > legend', table: ':scope > caption' }));
const INLINE_DISPLAY = /^(inline|contents|ruby)/;

const isKnownRole = (role) =>
  WIDGETS.has(role) || LANDMARKS.has(role) || GROUPS.has(role) || role === 'heading' || role === 'img';

const words = (element, name) => attribute(element, name)?.trim().split(/\s+/) ?? [];

const sectionAround = (element) => {
  const parent = parentElementOf.call(element);
  return parent === null ? null : closest.call(parent, SECTIONING);
};

/** A header is the page's, not an article's; an aside of an article is a landmark if it has a name. */
const isScopedToPage = (element, tag) => {
  const section = sectionAround(element);
  if (section === null) return true;
  return tag === 'aside' && (localNameOf.call(section) === 'main' || hasNameAttribute(element));
};

const boxlessRole = (element) => {
  const given = words(element, 'role').map((role) => role.toLowerCase()).find(isKnownRole);
  if (given !== undefined) return given;
  const tag = localNameOf.call(element);
  if (tag === 'section') return 'region';
  return SCOPED.has(tag) && isScopedToPage(element, tag) ? SCOPED.get(tag) : '';
};

/** What an element adds to the name of one around it; a block stands apart from its neighbours. */
const spokenElement = (element) => {
  const { display } = getComputedStyle(element);
  if (display === 'none' || isLeftOut(element)) return '';
  const text = accessibleName(element) || spokenInside(element);
  return INLINE_DISPLAY.test(display) ? text : ` ${text} `;
};

const spokenNode = (node) => {
  const type = nodeTypeOf.call(node);
  if (type === TEXT) return node.data;
  if (type !== ELEMENT) return '';
  return localNameOf.call(node) === 'br' ? ' ' : spokenElement(node);
};

const spokenInside = (element) => flatNodes(element).map(spokenNode).join('');

const spokenById = (root, id) => {
  const element = queryAll(root, `[id="${CSS.escape(id)}"]`)[0];
  return element === undefined ? '' : attribute(element, 'aria-label') || spokenInside(element);
};

const nameByOthers = (element) => {
  const root = getRootNode.call(element);
  return words(element, 'aria-labelledby').map((id) => spokenById(root, id)).join(' ');
};

const nameInside = (element) => {
  const tag = localNameOf.call(element);
  if (NAMED_BY_CONTENT.has(roleOf(element, tag))) return spokenInside(element);
  const caption = CAPTIONS.has(tag) ? querySelector.call(element, CAPTIONS.get(tag)) : null;
  return caption === null ? '' : spokenInside(caption);
};

/** The title, unless it only repeats the text. */
const tooltip = (element) => {
  const title = attribute(element, 'title');
  return title === null || title.trim() === textContentOf.call(element).trim() ? '' : title;
};

/** What stands for an area of an image map, which never has a box. */
const alternative = (element) => (localNameOf.call(element) === 'area' ? attribute(element, 'alt') ?? '' : '');

const NAME_SOURCES = [
  nameByOthers, (element) => attribute(element, 'aria-label') ?? '', alternative, nameInside, tooltip,
];

const boxlessName = (element) => {
  for (const source of NAME_SOURCES) {
    const name = collapse(source(element));
    if (name !== '') return name;
  }
  return '';
};
