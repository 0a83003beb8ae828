// Wrappers of native functions, installed before the page's scripts. The accessibility properties that only the probe uses
// are hidden. All builtins are captured now: a page may replace them later.
delete Element.prototype.computedRole;
delete Element.prototype.computedName;

export const { apply, construct } = Reflect;
export const { addEventListener, dispatchEvent } = EventTarget.prototype;
export const Notice = MouseEvent;
const natives = new WeakMap();
const nativeOf = WeakMap.prototype.get.bind(natives);
const remember = WeakMap.prototype.set.bind(natives);

/**
 * Dispatch an event to the probe; return whether the probe has handled it.
 * @param {any} name @param {any} init
 */
export const notify = (name, init) => !apply(dispatchEvent, document, [new Notice(name, { ...init, cancelable: true })]);

let here = document;
const questions = [];

/**
 * Answer questions of the probe.
 * @param {any} name @param {any} answer
 */
export const onQuestion = (name, answer) => {
  const question = [name, answer];
  questions[questions.length] = question;
  apply(addEventListener, here, question);
};

/** Register the listeners again if a blank window has got its document: the world stays, the listeners do not. */
export const noteDocument = () => {
  if (here === document) return;
  here = document;
  for (let index = 0; index < questions.length; index += 1) apply(addEventListener, here, questions[index]);
};

/** @param {any} native @param {any} traps */
export const withTraps = (native, traps) => {
  const overheard = new Proxy(native, traps);
  remember(overheard, native);
  return overheard;
};

/**
 * Use a plain function in place of a native one, which V8 can inline, and print it like the native one.
 * @param {any} native @param {any} wrapper
 */
export const looksLike = (native, wrapper) => {
  remember(wrapper, native);
  return wrapper;
};

/**
 * Wrap a function so that calls are reported: `hear(arguments, result, this)`.
 * @param {any} native @param {any} hear
 */
export const overhear = (native, hear) => withTraps(native, {
  apply(target, self, given) {
    const result = apply(target, self, given);
    noteDocument();
    hear(given, result, self);
    return result;
  },
});

const { toString } = Function.prototype;
/** @param {any} run */
export const sourceOf = (run) => apply(toString, run, []);

/** So that what is overheard looks native even in print. */
Function.prototype.toString = withTraps(Function.prototype.toString, {
  apply: (target, self, given) => apply(target, nativeOf(self) ?? self, given),
});
