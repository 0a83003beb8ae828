// Runs in the page's own world before its scripts: hides the accessibility properties that only the probe uses, and
// lets the scripts after it hear of calls. A page may replace every built-in later, so all are taken now.
delete Element.prototype.computedRole;
delete Element.prototype.computedName;

export const { apply, construct } = Reflect;
export const { addEventListener, dispatchEvent } = EventTarget.prototype;
export const Notice = MouseEvent;
const natives = new WeakMap();
const nativeOf = WeakMap.prototype.get.bind(natives);
const remember = WeakMap.prototype.set.bind(natives);

/**
 * Whether the probe has heard it, which then prevents its default.
 * @param {any} name @param {any} init
 */
export const notify = (name, init) => !apply(dispatchEvent, document, [new Notice(name, { ...init, cancelable: true })]);

let here = document;
const questions = [];

/**
 * Answer what the probe asks.
 * @param {any} name @param {any} answer
 */
export const onQuestion = (name, answer) => {
  const question = [name, answer];
  questions[questions.length] = question;
  apply(addEventListener, here, question);
};

/** A window that was opened blank is kept for the document that comes, without what listened to the blank one. */
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
 * A function that pages call often: a plain one, which V8 can inline, in place of the native one that it looks like.
 * @param {any} native @param {any} wrapper
 */
export const looksLike = (native, wrapper) => {
  remember(wrapper, native);
  return wrapper;
};

/**
 * The function as it was, also to look at, but that we hear of its calls: `hear(arguments, result, this)`.
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
