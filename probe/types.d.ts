// The records that the modules of the probe share. `Row`, `Part` and `Line` are what charlotte/page/capture.py reads.

/** x, y, width and height in CSS px of the viewport of this frame; 0 without an area. */
type Box = [x: number, y: number, width: number, height: number] | 0;

/** Everything about a row that has no place of its own; `k` is its kind, absent for interactive elements. */
type Extra = Record<string, any>;

/** An element of the capture; `parent` is the number of the nearest row around it, 0 for none. */
type Row = [nid: number, parent: number, role: string, name: string, box: Box, extra?: Extra];

/**
 * A line of text; `parent` is the number of the nearest row around its block, `cell` the column of its table cell. If
 * controls without lines of their own are in the line, the third member is a list: the column, -1 outside of cells, then
 * number, start and end of each control, in characters. The part of the line between start and end is the visible text of
 * the control. They are equal if it has none. A negative number is that of an element for which a token stands, such as `[image 120×40]`. The list of a numbered item
 * begins with its number and the style of its marker.
 */
type Line = [parent: number, text: string, cell?: number | any[]];

/** A part of the structure without a row of its own; `cell` is -1 outside of cells. */
type Part = [nid: number, parent: number, role: string, cell: number];

/** A row before it is known in which row it lies. */
interface NewRow { nid: number; role: string; name: string; box: Box; extra: Extra }

/** The kind of a row: interactive, landmark, heading, form, group, clickable or document in a frame. */
type Kind = '' | 'i' | 'l' | 'h' | 'f' | 'g' | 'c' | 'd';

/** The part of the structure that an element is; a head is a row of headers. */
type PartRole = '' | 'table' | 'head' | 'row' | 'cell' | 'list' | 'item' | 'term' | 'article';

/** What holds for everything below an element during a walk. */
interface Context {
  row: number; // number of the nearest recorded ancestor
  text: number; // number of the nearest landmark, form or group: text in another one is in a line of its own
  counts: number; // number of the nearest landmark
  ariaHidden: boolean; // in a part that is marked as hidden from accessibility
  away: boolean; // off the page, or without a size: text is not written
  inside: boolean; // in a widget: nothing in it is clickable by itself
  pre: boolean; // line ends and spaces are kept
  part: PartRole; // of the element itself
  layout: boolean; // in a table or list that only arranges its contents
  cell: number; // zero-based column of the cell, -1 outside of cells
  columns: { next: number; covered: number[] } | null; // the next column of the innermost row
  covered: number[] | null; // rows of the innermost table, by column, that cells with a rowspan still cover
}

/** The looks at one path of tags and classes, as `looksOf` returns them. */
interface ClickStyle {
  pointer: boolean;
  own: boolean;
  shape: number; // why contents may be invisible apart from colours
  odd: number; // with colours
  fill: string; // '' for that of the parent
  paint: string; // of the element itself
  ground: string;
  isShifted: boolean; // whether rules may raise or lower it
  inherited: ClickStyle | null; // the same with the colours of the last parent
  below: Map<string, ClickStyle>;
}

/** What the rules of a style sheet may do: `looks` by class, id or tag. */
interface SheetFacts { writers: string[]; looks: Map<string, any> }

interface Point { x: number; y: number }
interface Rect { x: number; y: number; width: number; height: number }

/** What a click at a point would reach instead of an element. */
interface Cover { hit: any; point: Point }

interface Counts { paragraphs: number; lists: number; images: number; tables: number; [kind: string]: number }

/** A step of a walk that can be repeated; false if it has another outcome now. */
interface Step { place: number; again: () => boolean }

interface Generated { before: string; after: string }

/** A reading of the document in progress. */
interface Pass {
  rows: Row[];
  places: number[]; // of the rows, in document order
  controls: [number, number][]; // places and numbers of controls and, negative, of images that are in no finished block
  structure: { place: number; row: Part }[];
  texts: { place: number; row: Line }[];
  withText: boolean;
  most: number; // rows after which interactive elements are only counted
  beyond: Map<string, number>;
  visited: number;
  skipped: number;
  depth: number;
  clickables: number;
  ids: number;
  counts: Counts;
  active: Element | null;
  siblings: Map<any, Map<string, number>>;
  labelled: Map<any, Set<string>>;
  special: Set<Element>;
  generated: Map<Element, Generated>;
  shifted: Map<Element, Generated>; // raised and lowered text, and images in a line
  lists: Map<any, any>; // the numbering of lists, null for lists without numbers
  sheets: SheetFacts[]; // of all roots
  styled: number;
  modals: Element[];
  suspects: Element[];
  measured: number;
  muted: Set<any>;
  veiled: Set<any>; // elements whose own text is invisible
  tinted: Set<any>; // elements of which only the colours were read, which no step reads again
  mixed: Set<any>;
  countsOf: Map<number, Counts>;
  formLists: Map<any, any>;
  shapes: Map<Element, string>;
  lastMeasured: Element | null;
  opaque: Element | null; // the block that was written last, if it is
  lastRect: any;
  readsSortOrder: boolean;
  readsRowSpans: boolean;
  readsCaches: boolean; // names may be taken from the caches
  fillsCaches: boolean; // what is read is kept for the next reading
  steps: Step[] | null;
  hosts: Element[];
  roots: any[];
  stale: boolean; // a name was taken from a cache and is out of date
  // Only of a survey.
  maxDepth: number;
  withHidden: boolean;
  brief: boolean;
  inView: boolean;
  isAfterBlock: boolean;
  keeping: Map<Element, boolean>;
  cut: number;
  part: { root: Element | null; nodes: Set<Node> | null };
}

/** What a tag decides before anything is computed. */
interface TagFacts {
  block: boolean; row: boolean; enter: boolean; runs: boolean; shown: boolean; count: string; part: PartRole;
}

/** How a capture is made: with lines of text, and with how many rows at most. */
interface ReadOptions { withText: boolean; most: number }

/** An option of a list, native or made with ARIA. */
interface Option { element: any; nid: number; text: string; value: string; disabled: boolean; chosen: boolean }

/** An option with its place in the viewport. */
interface DrawnOption { rect: DOMRect; text: string; value: string }

/** A getter of a DOM prototype. The results that are nodes are not typed: every caller checks them. */
interface Getter { call(receiver: any): any }

interface Node { data?: any }

/** Properties of form controls and other elements, undefined for all others. */
interface Element {
  type?: any; value?: any; checked?: any; indeterminate?: any; multiple?: any; size?: any; labels?: any; form?: any;
  name?: any; control?: any; required?: any; readOnly?: any; disabled?: any; options?: any; min?: any;
  max?: any; step?: any; placeholder?: any; willValidate?: any; validity?: any; validationMessage?: any; elements?: any;
  selectedOptions?: any; selectedIndex?: any; draggable?: any; caption?: any; editContext?: any; maxLength?: any;
  computedRole?: string; computedName?: string; innerText?: any; files?: any; spellcheck?: any;
  colSpan?: any; rowSpan?: any; reversed?: any; start?: any; src?: any; selectionEnd?: any; label?: any; selected?: any;
  offsetWidth?: any; offsetHeight?: any; stepUp?: any; stepDown?: any; setSelectionRange?: any; select?: any; method?: any;
  assignedNodes?: any; assignedElements?: any; hidden?: any; coords?: any;
}

declare function publish(api: object): void;
declare function createProbe(publish: (api: object) => void): void;
declare function getEventListeners(node: Node): Record<string, unknown[]>;
declare var charlotteTitle: ((title: string) => void) | undefined;
declare var charlotteFrame: ((payload: string) => void) | undefined;
