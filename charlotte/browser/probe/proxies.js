// Checkboxes and radio buttons of which nothing is drawn but a label: that stands for them, and a click on it toggles.
const TOGGLES = setOf('checkbox radio');

const isToggle = (element, tag) => tag === 'input' && TOGGLES.has(element.type);

const labelsOf = (element) => (NATIVE_CONTROLS.has(localNameOf.call(element)) ? Array.from(element.labels ?? []) : []);

/** The label that is clicked for a checkbox or radio button of which nothing is drawn; null for anything else. */
const proxyOf = (element, tag = localNameOf.call(element)) => {
  if (!isToggle(element, tag) || isDrawn(element) || (pass !== null && !mayBeLabelled(element))) return null;
  return labelsOf(element).find(isDrawn) ?? null;
};

/** How an element is seen, by itself or in the label that stands for it. */
const sightOrProxy = (element, tag) => (proxyOf(element, tag) === null ? sightOf(element) : SEEN);

/** Whether a label is all there is to click of its control, which is not listed itself. */
const isProxyLabel = ({ control }) => {
  if (control === null || sightOf(control) === SEEN) return false;
  return !isToggle(control, localNameOf.call(control)) || closest.call(control, NOT_TOLD) !== null;
};

/** What a control is called for which its label stands: the engine knows no name of what cannot be seen. */
const proxyName = (element, tag) => {
  const proxy = proxyOf(element, tag);
  if (proxy === null || sightOf(element) === SEEN) return '';
  return collapse(nameByOthers(element)) || collapse(attribute(element, 'aria-label') ?? '') || labelOf(proxy);
};
