// The functions of the probe. They return JSON or a promise of JSON, except the last four, which are for scripts that hold
// an element themselves.
import { accessibleName } from './accessible_names.js';
import { framePoint, target } from './actionability.js';
import { attribute, cut, getterOf, isScriptless, localNameOf, queryAll, textOf } from './builtins.js';
import { capture } from './capture.js';
import { checked } from './checkables.js';
import { choose, chooseLate, pickWithin, surplus } from './choosing.js';
import { copySelection, pasteClip, useClip } from './clipboard.js';
import { adopt } from './closed_roots.js';
import { flatParent, openRoots } from './flat_tree.js';
import { focusElement, focusText, hideCaret, insertSecret, paste, typing } from './focus.js';
import { guarded, guardFocus } from './focus_guard.js';
import { field, invalidFields, send, setValue, submitter } from './forms.js';
import { rowsAround } from './listed_rows.js';
import { stored } from './local_storage.js';
import { boxesInFrame, drawMarks, visibleBoxes } from './marks.js';
import { cover } from './modals.js';
import { waitForTyping } from './pending.js';
import { dragged, dropped, expectPressAt, pressOutcome } from './press_check.js';
import { alive, box, classifyHidden, content, describe, query, selectors, styles } from './queries.js';
import { elementOf, nidOf } from './registry.js';
import { browserRole } from './roles.js';
import { reveal, revealForScreenshot, scroll, scrollBy, scrollersAt } from './scroll.js';
import { selectable, selectPart } from './selection.js';
import { settle } from './settle.js';
import { head, html, survey, surveyed } from './survey.js';
import { typedText } from './text_controls.js';
import { searchHidden, searchRole, searchText } from './text_search.js';
import { arrived } from './title.js';
import { hasRowText, wordsNow } from './twins.js';
import { fileInput, isDropTaken, watchDrop } from './uploads.js';
import { formatHints, scale, segments, shownValue, typedDate } from './value_widgets.js';
import { boxOf, SEEN, sightOf } from './visibility.js';
import { changed, conditions, elementState } from './watch.js';

const api = Object.freeze({
  capture, target, framePoint, revealForScreenshot, expectPressAt, pressOutcome, dragged, dropped, content, cover,
  focus: focusElement, focusText, insertSecret, guarded, guardFocus, paste, waitForTyping, box, describe, alive, query,
  hasRowText, wordsNow, settle, scroll, scrollBy, scrollersAt, typing, classifyHidden, searchText, reveal, typedText,
  choose, chooseLate, pickWithin, surplus, checked, setValue, scale, segments,
  formatHints, typedDate, shownValue, field, submitter, send, invalidFields, arrived, fileInput, watchDrop, isDropTaken,
  elementState, conditions, changed, hideCaret, copySelection, pasteClip, useClip,
  selectable, selectPart, survey, surveyed, head, html, selectors, styles, stored, rowsAround, searchRole, searchHidden,
  visibleBoxes, boxesInFrame, drawMarks, element: elementOf, adopt, nid: nidOf,
  parts: Object.freeze({
    tag: (/** @type {Element} */ element) => localNameOf.call(element),
    isSeen: (/** @type {Element} */ element) => sightOf(element) === SEEN,
    nid: nidOf, role: browserRole, name: accessibleName, attribute, cut, text: textOf, box: boxOf, parent: flatParent,
    roots: openRoots, all: queryAll, getter: getterOf, isScriptless,
  }),
});

publish(api);
