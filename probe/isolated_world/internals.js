// ARIA states of an element: its attributes, or what a custom element has in its internals, which the main world reports.
import { addListener, attribute, dispatchEventOf, localNameOf } from './builtins.js';
import { forgetWithAncestors } from './caches.js';
import { noteReport } from './registry.js';

/** @type {WeakMap<Element, Record<string, string>>} */
const reported = new WeakMap();
const asked = new WeakSet();

/** @param {any} event */
const take = (event) => {
  event.stopImmediatePropagation();
  reported.set(event.currentTarget, JSON.parse(event.data));
  forgetWithAncestors(event.currentTarget);
  noteReport();
};

/**
 * Return the states in the internals of a custom element; undefined if it has none or they are not known.
 * @param {Element} element
 */
export const internalStates = (element) => {
  if (!asked.has(element) && localNameOf.call(element).includes('-')) {
    asked.add(element);
    addListener.call(element, 'charlotte:internals', take);
    dispatchEventOf.call(element, new Event('charlotte:states'));
  }
  return reported.get(element);
};

/** @param {Element} element @param {string} name */
export const ariaState = (element, name) => attribute(element, name) ?? internalStates(element)?.[name] ?? null;
