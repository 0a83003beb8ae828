// The probe's functions. All answer with a JSON string or a promise of one, but for the last three, which
// are for callers that hold an element themselves.
globalThis.charlotte = Object.freeze({
  capture, target, through, met, content, focus: focusElement, focusText, box, describe, alive, query, settle, scroll,
  scrollBy, whereabouts, wording, reveal, draggable, choose, pick: pickSoon, checked, setValue, field, submitter,
  send, invalid, arrived,
  fileInput, watchDrop, isDropTaken, watch, standing, changed,
  survey, surveyed, head, html, selectors, styles, stored,
  element: elementOf, adopt, nid: nidOf,
});
