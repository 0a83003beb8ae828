// What the script in the page's own world tells of elements (main_listens.js, main_hides.js): nothing else shows it.
let newlyTold = false; // since the last walk
let tellings = 0;

/** The elements of which events with that name tell. */
const toldBy = (name) => {
  const told = new WeakSet();
  EventTarget.prototype.addEventListener.call(document, name, (event) => {
    event.stopImmediatePropagation();
    event.preventDefault();
    tellings += 1;
    const { relatedTarget: element } = event;
    if (!(element instanceof Element) || told.has(element)) return;
    told.add(element);
    newlyTold = true;
  }, true);
  return told;
};
