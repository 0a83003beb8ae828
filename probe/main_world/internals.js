// States that a custom element has only in its ElementInternals: reported to the probe when it asks and when they change.
import { addEventListener, apply, dispatchEvent, getterOf, printLike, reportSets } from './native_wrappers.js';

const STATES = [
  'Checked', 'Expanded', 'Selected', 'Pressed', 'Disabled', 'Required', 'ReadOnly', 'Invalid', 'ValueNow', 'ValueMin',
  'ValueMax', 'ValueText',
];
const { prototype } = ElementInternals;
const { attachInternals } = HTMLElement.prototype;
const { toLowerCase } = String.prototype;
const { stringify } = JSON;
const Report = InputEvent; // has a text, which crosses worlds
/** @type {WeakMap<object, HTMLElement>} */
const elements = new WeakMap(); // by their internals
const elementOf = WeakMap.prototype.get.bind(elements);
const remember = WeakMap.prototype.set.bind(elements);
/** @type {[name: string, get: () => any][]} */
const getters = [];

/** @param {object} internals */
const report = (internals) => {
  /** @type {Record<string, string>} */
  const states = {};
  for (let index = 0; index < getters.length; index += 1) {
    const value = apply(getters[index][1], internals, []);
    if (value !== null) states[getters[index][0]] = value;
  }
  apply(dispatchEvent, elementOf(internals), [new Report('charlotte:internals', { data: stringify(states) })]);
};

for (const state of STATES) {
  const property = `aria${state}`;
  getters[getters.length] = [`aria-${apply(toLowerCase, state, [])}`, getterOf(prototype, property)];
  reportSets(prototype, property, report);
}

HTMLElement.prototype.attachInternals = printLike(attachInternals, {
  /** @this {HTMLElement} */
  attachInternals() {
    const internals = apply(attachInternals, this, arguments);
    remember(internals, this);
    apply(addEventListener, this, ['charlotte:states', () => report(internals)]);
    return internals;
  },
}.attachInternals);
