// The text of one element, as the browser would show it.
const MAX_PUT_OFF = 100_000;

const drawnText = (svg) => (localNameOf.call(svg) === 'text'
  ? svg.textContent
  : Array.from(svg.querySelectorAll('text'), (text) => text.textContent).join(' '));

/** Whether the browser has put off the layout of what is far outside the viewport; innerText is then empty. */
const isPutOff = (element) =>
  !checkVisibility.call(element, { contentVisibilityAuto: true }) && sightOf(element) !== GONE;

const innerText = (element) => {
  const text = innerTextOf.call(element);
  return text === '' && isPutOff(element) ? textOf(element, MAX_PUT_OFF) : text;
};

const ownText = (element) => {
  if (element instanceof HTMLElement) return innerText(element);
  return collapse(element instanceof SVGElement ? drawnText(element) : textContentOf.call(element));
};

const readText = (element) => {
  const { before, after } = generatedBy(element);
  return before + ownText(element) + after;
};
