// The value of an expression as JSON has it, with values that JSON lacks written as in a console: nodes, functions,
// what is not finite. Runs as a function of the page's own world on the value, which is `this`.
function plain() {
  'use strict'; // a primitive value stays one

  const MOST_VALUES = 200_000;
  const DEEPEST = 100;
  const ELEMENT = 1;
  const ATTRIBUTE = 2;
  const around = [];
  let left = MOST_VALUES;

  const elementSaid = ({ localName, id, classList }) =>
    [localName, ...(id === '' ? [] : [`#${id}`]), ...[...classList].map((name) => `.${name}`)].join('');

  const nodeSaid = (node) => {
    if (node.nodeType === ELEMENT) return elementSaid(node);
    return node.nodeType === ATTRIBUTE ? `${node.name}="${node.value}"` : node.nodeName;
  };

  const orThrown = (read) => {
    try {
      return read();
    } catch (error) {
      return `[throws ${error}]`;
    }
  };

  /** Whether the properties of an object are inherited, as for objects of the browser. */
  const inherits = (value) => {
    const prototype = Object.getPrototypeOf(value);
    return prototype !== null && prototype !== Object.prototype && Object.keys(value).length === 0;
  };

  const allKeys = (value) => {
    const keys = [];
    for (const key in value) keys.push(key);
    return keys;
  };

  const isList = (value) =>
    typeof value[Symbol.iterator] === 'function'
    && (typeof value.forEach === 'function' || typeof value.length === 'number');

  const listed = (values) => {
    const found = [];
    for (const value of values) {
      if (left <= 0) break;
      found.push(toPlain(value));
    }
    return found;
  };

  const contents = (value) => {
    if (value instanceof Error || value instanceof RegExp) return `${value}`;
    const own = value.toJSON; // a page may give one to all objects or arrays
    if (typeof own === 'function' && own !== Object.prototype.toJSON && own !== Array.prototype.toJSON) {
      return toPlain(value.toJSON());
    }
    if (isList(value)) return listed(value);
    const isInherited = inherits(value);
    const found = Object.create(null);
    for (const key of isInherited ? allKeys(value) : Object.keys(value)) {
      if (left <= 0) break;
      const part = orThrown(() => value[key]);
      if (!(isInherited && typeof part === 'function')) found[key] = orThrown(() => toPlain(part));
    }
    return found;
  };

  const object = (value) => {
    if (value instanceof Node) return nodeSaid(value);
    if (value === value.window) return '[object Window]';
    if (around.includes(value)) return '[Circular]';
    if (around.length === DEEPEST) return '…';
    around.push(value);
    try {
      return contents(value);
    } finally {
      around.pop();
    }
  };

  const toPlain = (value) => {
    left -= 1;
    switch (typeof value) {
      case 'object':
        return value === null ? null : object(value);
      case 'function':
        return `ƒ ${value.name}()`;
      case 'bigint':
        return `${value}n`;
      case 'number':
        return Number.isFinite(value) ? value : `${value}`;
      case 'symbol':
        return value.toString();
      default:
        return value;
    }
  };

  return toPlain(this);
}
