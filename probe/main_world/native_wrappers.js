// Wrappers of native functions, installed before the page's scripts. The accessibility properties that only the probe uses
// are hidden. All builtins are captured now: a page may replace them later.
delete Element.prototype.computedRole;
delete Element.prototype.computedName;

export const { apply, construct } = Reflect;
export const { addEventListener, dispatchEvent } = EventTarget.prototype;
export const Notice = MouseEvent;
/** @type {WeakMap<object, object>} */
const natives = new WeakMap();
const nativeOf = WeakMap.prototype.get.bind(natives);
const remember = WeakMap.prototype.set.bind(natives);

/** @type {(prototype: object, property: string) => () => any} */
export const getterOf = (prototype, property) =>
  /** @type {() => any} */ (Object.getOwnPropertyDescriptor(prototype, property)?.get);

/**
 * Dispatch an event to the probe; return whether the probe has handled it.
 * @param {string} name @param {MouseEventInit} init
 */
export const notify = (name, init) => !apply(dispatchEvent, document, [new Notice(name, { ...init, cancelable: true })]);

let knownDocument = document;
/** @type {[name: string, answer: (event: Event) => void][]} */
const requestListeners = [];

/** @param {string} name @param {(event: Event) => void} answer */
export const onRequest = (name, answer) => {
  requestListeners[requestListeners.length] = [name, answer];
  apply(addEventListener, knownDocument, [name, answer]);
};

/** Register the listeners again if a blank window has got its document: the world stays, the listeners do not. */
export const noteDocument = () => {
  if (knownDocument === document) return;
  knownDocument = document;
  for (let index = 0; index < requestListeners.length; index += 1) {
    apply(addEventListener, knownDocument, requestListeners[index]);
  }
};

/**
 * Return a proxy of a native function that prints like it.
 * @template {Function} F
 * @param {F} native @param {ProxyHandler<F>} traps
 */
export const withTraps = (native, traps) => {
  const proxy = new Proxy(native, traps);
  remember(proxy, native);
  return proxy;
};

/**
 * Make a wrapper print like its native function; V8 can inline a plain function, unlike a proxy.
 * @template {Function} F
 * @param {Function} native @param {F} wrapper
 */
export const printLike = (native, wrapper) => {
  remember(wrapper, native);
  return wrapper;
};

/**
 * Wrap the setter of a property so that its calls are reported.
 * @param {object} prototype @param {string} property @param {(self: any, value: unknown) => void} report
 */
export const reportSets = (prototype, property, report) => {
  const native = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(prototype, property));
  const nativeSet = /** @type {Function} */ (native.set);
  const { set } = /** @type {any} */ (Object.getOwnPropertyDescriptor({
    /** @param {unknown} value */
    set [property](value) {
      apply(nativeSet, this, [value]);
      report(this, value);
    },
  }, property));
  Object.defineProperty(prototype, property, { ...native, set: printLike(nativeSet, set) });
};

/**
 * Wrap a function so that its calls are reported.
 * @template {Function} F
 * @param {F} native @param {(args: any[], result: any, self: any) => void} report
 */
export const reportCalls = (native, report) => withTraps(native, {
  apply(target, self, args) {
    const result = apply(target, self, args);
    noteDocument();
    report(args, result, self);
    return result;
  },
});

const { toString } = Function.prototype;
/** @type {(run: Function) => string} */
export const sourceOf = (run) => apply(toString, run, []);

/** Print wrappers like the native functions. */
Function.prototype.toString = withTraps(Function.prototype.toString, {
  apply: (target, self, args) => apply(target, nativeOf(self) ?? self, args),
});
