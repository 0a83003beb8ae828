// Reports the elements that listen for clicks or drops to the probe, which cannot see the listeners of another world.
// A page adds listeners far more often than anyone looks: they are only noted, and reported when the probe asks.
const FEW = 2000; // noted elements that may be kept before those that are gone are dropped
const Weak = WeakRef;
const { deref } = Weak.prototype;
const isIn = Object.getOwnPropertyDescriptor(Node.prototype, 'isConnected').get;
const newList = () => ({ refs: [], limit: FEW, last: null });
const noted = { listens: newList(), presses: newList(), menus: newList(), drops: newList() };
const REPORTS = Object.keys(noted);

/** The noted elements that still exist; `keep` decides which of those. */
const dropGone = (refs, keep) => {
  const kept = [];
  for (let index = 0; index < refs.length; index += 1) {
    const element = apply(deref, refs[index], []);
    if (element !== undefined && keep(element)) kept[kept.length] = refs[index];
  }
  return kept;
};

const isAny = () => true;

const noteElement = (list, element) => {
  if (element === list.last || !(element instanceof Element)) return;
  if (list.refs.length >= list.limit) {
    list.refs = dropGone(list.refs, isAny);
    list.limit = list.refs.length * 2 + FEW;
  }
  list.last = element;
  list.refs[list.refs.length] = new Weak(element);
};

/** Elements outside the document wait: in a shadow root that is not attached, an event would name the host. */
const reportElements = (name) => {
  const list = noted[name];
  list.last = null;
  list.refs = dropGone(list.refs, (element) => {
    if (!apply(isIn, element, [])) return true;
    apply(dispatchEvent, element, [new Notice(`charlotte:${name}`, { composed: true, cancelable: true })]);
    return false;
  });
};

onQuestion('charlotte:listeners', () => {
  for (let index = 0; index < REPORTS.length; index += 1) reportElements(REPORTS[index]);
});

EventTarget.prototype.addEventListener = looksLike(addEventListener, {
  addEventListener(type, listener) {
    const result = apply(addEventListener, this, arguments);
    const name = reportOf(type);
    if (name !== undefined) {
      noteDocument();
      noteElement(noted[name], this);
    }
    return result;
  },
}.addEventListener);

const noteHandlers = (prototype, property, list) => {
  const handler = Object.getOwnPropertyDescriptor(prototype, property);
  const { set } = Object.getOwnPropertyDescriptor({
    set [property](value) {
      apply(handler.set, this, [value]);
      if (typeof value !== 'function') return;
      noteDocument();
      noteElement(list, this);
    },
  }, property);
  Object.defineProperty(prototype, property, { ...handler, set: looksLike(handler.set, set) });
};

for (const { prototype } of [HTMLElement, SVGElement]) {
  noteHandlers(prototype, 'onclick', noted.listens);
  noteHandlers(prototype, 'oncontextmenu', noted.menus);
  noteHandlers(prototype, 'ondrop', noted.drops);
}
