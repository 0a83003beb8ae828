// The probe's functions. All answer with a JSON string or a promise of one, but for the last four: those are for
// callers that hold an element themselves, and for scripts that come later and look at the page in their own way.
const api = Object.freeze({
  capture, target, through, unveil, awaitPressAt, met, dragged, dropped, content, focus: focusElement, focusText, paste, beat: beatAfter, box, describe,
  alive, query, isAround, settle, scroll, scrollBy, scrollersAt, typing, whereabouts, wording, reveal,
  typedText, choose, pick: pickSoon, surplus, awaitClosed, checked, setValue, field, submitter,
  send, invalid, arrived,
  fileInput, watchDrop, isDropTaken, watch, standing, changed,
  survey, surveyed, head, html, selectors, styles, stored,
  element: elementOf, adopt, nid: nidOf,
  parts: Object.freeze({
    nid: nidOf, tag: (element) => localNameOf.call(element), role: browserRole, name: accessibleName, attribute,
    text: textOf, box: boxOf, isSeen: (element) => sightOf(element) === SEEN, parent: flatParent, roots: openRoots,
    all: queryAll, inside: queryIn, getter: getterOf, isScriptless,
  }),
});
