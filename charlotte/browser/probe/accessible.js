// What the accessibility engine says of an element. A browser started with ComputedAccessibilityInfo has
// properties for it. Any other lends the functions of its console, which ask the same engine, but which answer
// undefined for elements without a box of their own: those of `display: contents`.
const lent = (name) => (globalThis[name] instanceof Function ? globalThis[name] : () => undefined);

const asked = (property, name) => {
  const getter = getterOf(Element.prototype, property);
  return getter === undefined ? lent(name) : (element) => getter.call(element) ?? '';
};

const engineRole = asked('computedRole', 'getAccessibleRole');
const engineName = asked('computedName', 'getAccessibleName');

const accessibleRole = (element) => engineRole(element) ?? boxlessRole(element);

/** Of the areas of an image that is not there, the engine knows nothing, though they can be clicked. */
const namedByEngine = (element) => {
  const name = engineName(element);
  return name === undefined || (name === '' && element instanceof HTMLAreaElement) ? boxlessName(element) : name;
};

const ICONS = /[\ue000-\uf8ff]/g; // private-use characters: icon fonts draw them, and nobody can read them

/** The name without icons; of what has only an icon, its title. */
const accessibleName = (element) => {
  const name = namedByEngine(element);
  if (name.search(ICONS) < 0) return name;
  return name.replace(ICONS, '').trim() || element.getAttribute('title') || name;
};
