// The walk over the flat tree: every element is visited once, in document order; open shadow roots and the
// nodes assigned to slots take their place; parts that are aria-hidden or inert are left out.
const SPECIAL = '[role],[tabindex],[contenteditable],[onclick],[aria-hidden="true" i],[inert],[style*="cursor"]';
const MAX_DEPTH = 600; // the parser stops at 512
const NO_BREAKS = Object.freeze([]);

const noteSpecials = (root) => {
  for (const element of queryAll(root, SPECIAL)) pass.special.add(element);
};

const isLeftOut = (element) =>
  attribute(element, 'aria-hidden')?.toLowerCase() === 'true' || hasAttribute.call(element, 'inert');

const mute = (element, facts) => {
  pass.muted.add(element);
  return facts.block ? BLOCK : MIXED;
};

const leaveOut = (element, facts) => (isSpaceOnly(textContentOf.call(element)) ? CLEAN : mute(element, facts));

const count = (element, facts, context) => {
  if (facts.count !== '' && isRendered(element)) (context.counts ?? pass.counts)[facts.count] += 1;
};

const holdsText = (kind) => kind === 'l' || kind === 'f' || kind === 'g';

/** The context for what lies in a recorded element. */
const contextIn = (context, index, made, kind) => ({
  row: index,
  text: holdsText(kind) ? index : context.text,
  counts: made.extra.counts ?? context.counts,
  inside: context.inside || (kind === 'i' && made.role !== 'generic' && made.role !== 'heading'),
  mute: context.mute || made.extra.editable === 1,
  pre: context.pre,
});

const record = (element, context, place, made, kind) =>
  (made === null ? context : contextIn(context, addRow(place, context.row, made), made, kind));

const recordClickable = (element, tag, context, place) => {
  pass.clickables += 1;
  return record(element, context, place, clickableRow(element, tag), 'c');
};

const isFileInput = (element, tag) => tag === 'input' && element.type === 'file';

/** Record what can be a row; null when the element and all in it cannot be seen. */
const recordSemantic = (element, tag, context, place, kind, role) => {
  const sight = sightOf(element);
  if (sight !== SEEN && isFileInput(element, tag)) return record(element, context, place, hiddenFileRow(element), 'i');
  if (sight === GONE) return null;
  return sight === SEEN ? record(element, context, place, rowOfKind(kind, element, tag, role), kind) : context;
};

const recordEditable = (element, tag, context, place) => {
  const role = browserRole(element);
  const made = sightOf(element) === SEEN ? interactiveRow(element, tag, WIDGETS.has(role) ? role : 'textbox', true) : null;
  return record(element, context, place, made, 'i');
};

/** Record the element if it is worth a row; returns the context for its contents, null to leave them out. */
const recordElement = (element, tag, facts, special, context, style, place) => {
  if (special && isEditableRoot(element)) return recordEditable(element, tag, context, place);
  if (facts.row || special) {
    const role = roleOf(element, tag);
    const kind = kindOf(element, tag, role, special);
    if (kind !== '') return recordSemantic(element, tag, context, place, kind, role);
  }
  return isClickable(element, tag, context, style, special) ? recordClickable(element, tag, context, place) : context;
};

const firstFlatChild = (element) => {
  const root = shadowRootOf.call(element);
  if (root === null) return firstElementOf.call(element);
  noteSpecials(root);
  return root.firstElementChild;
};

/** Visit siblings from `first` on; returns null if all are clean, else the blocks among them and their ends. */
const visitSiblings = (first, context, style) => {
  let breaks = null;
  for (let child = first; child !== null; child = nextElementOf.call(child)) {
    breaks = withBreak(breaks, child, visit(child, context, style));
  }
  return breaks;
};

const withBreak = (breaks, child, flow) => {
  if (flow === CLEAN) return breaks;
  if (flow === MIXED) return breaks ?? NO_BREAKS;
  return breaks === null || breaks === NO_BREAKS ? [child, pass.visited] : (breaks.push(child, pass.visited), breaks);
};

const visitSlot = (slot, context, style) => {
  const assigned = slot.assignedElements();
  if (slot.assignedNodes().length === 0) return visitSiblings(firstElementOf.call(slot), context, style) ?? NO_BREAKS;
  let breaks = NO_BREAKS;
  for (const child of assigned) breaks = withBreak(breaks, child, visit(child, context, style));
  return breaks;
};

/** Of closed details only the summary can be seen. */
const visitClosed = (details, context, style) => {
  const summary = querySelector.call(details, ':scope > summary');
  if (summary !== null) visit(summary, context, style);
  return BLOCK;
};

const visitChildren = (element, tag, context, style) => {
  if (tag === 'slot') return visitSlot(element, context, style);
  const first = firstFlatChild(element);
  const breaks = first === null ? null : visitSiblings(first, context, style);
  return breaks ?? (shadowRootOf.call(element) === null ? null : NO_BREAKS);
};

/** Write the lines that end with this element and tell how it stands in its parent's line. */
const finishText = (element, facts, breaks, place, inner, outer) => {
  const block = facts.block || inner.text !== outer.text;
  if (breaks === null && !block) return CLEAN;
  if (breaks === null) writeLeaf(element, place, inner);
  else if (block || breaks.length > 0) {
    if (facts.runs) writeRuns(element, breaks, place, inner);
  } else {
    pass.mixed.add(element);
    return MIXED;
  }
  return BLOCK;
};

const visitInside = (element, tag, facts, inner, outer, style, place) => {
  const context = tag === 'pre' && !inner.pre ? { ...inner, pre: true } : inner;
  const below = context.inside || context.pre ? null : style;
  if (tag === 'details' && !hasAttribute.call(element, 'open')) return visitClosed(element, context, below);
  const breaks = visitChildren(element, tag, context, below);
  if (!pass.withText) return CLEAN;
  if (context.mute !== outer.mute) return mute(element, facts);
  const flow = finishText(element, facts, breaks, place, context, outer);
  return flow === CLEAN && tag === 'button' && isGlued(element, tag) ? MIXED : flow;
};

/** A control that innerText would read, or that keeps two words apart. */
const isApart = (element, tag) =>
  tag === 'select' || ((tag === 'input' || tag === 'textarea') && isGlued(element, tag));

const visitElement = (element, context, parentStyle) => {
  const place = pass.visited;
  const tag = localNameOf.call(element);
  const facts = tagFacts(tag);
  const special = pass.special.has(element);
  if (special && isLeftOut(element)) return leaveOut(element, facts);
  count(element, facts, context);
  const style = parentStyle === null ? null : styleBelow(parentStyle, element, tag, special);
  const inner = recordElement(element, tag, facts, special, context, style, place);
  if (inner === null) return mute(element, facts);
  if (facts.enter) return visitInside(element, tag, facts, inner, context, style, place);
  return isApart(element, tag) ? mute(element, facts) : CLEAN;
};

const visit = (element, context, style) => {
  pass.visited += 1;
  if (pass.depth >= MAX_DEPTH) return skip(element);
  pass.depth += 1;
  try {
    return visitElement(element, context, style);
  } catch {
    return skip(element);
  } finally {
    pass.depth -= 1;
  }
};

const skip = (element) => {
  pass.skipped += 1;
  pass.muted.add(element);
  return MIXED;
};
