// The walk over the flat tree: every element is visited once, in document order; open shadow roots and the
// nodes assigned to slots take their place; parts that are aria-hidden or inert are left out.
const SPECIAL = '[role],[tabindex],[contenteditable],[onclick],[oncontextmenu],[aria-hidden="true" i],[inert],'
  + '[draggable="true" i],[style*="cursor"]';
const MAX_DEPTH = 600; // the parser stops at 512
const NO_BREAKS = Object.freeze([]);

const noteSpecials = (root) => {
  for (const element of queryAll(root, SPECIAL)) pass.special.add(element);
  pass.sorts ||= queryAll(root, '[aria-sort]').length > 0;
  pass.modals.push(...queryAll(root, 'dialog:modal'));
  if (pass.withText) noteGenerated(root);
};

const isLeftOut = (element) =>
  attribute(element, 'aria-hidden')?.toLowerCase() === 'true' || hasAttribute.call(element, 'inert');

/** Keep the element's text out of the lines around it. */
const mute = (element, tag) => {
  pass.muted.add(element);
  return tagFacts(tag).block ? BLOCK : MIXED;
};

const leaveOut = (element, tag) => (isSpaceOnly(textContentOf.call(element)) ? CLEAN : mute(element, tag));

const count = (element, kind, context) => {
  if (isRendered(element)) (pass.countsOf.get(context.counts) ?? pass.counts)[kind] += 1;
};

/** Children seen so far: null if all are clean, else [block, place after it, …] of the blocks among them. */
const withBreak = (breaks, child, flow) => {
  if (flow === CLEAN) return breaks;
  if (flow === MIXED) return breaks ?? NO_BREAKS;
  if (breaks === null || breaks === NO_BREAKS) return [child, pass.visited];
  breaks.push(child, pass.visited);
  return breaks;
};

const visitSiblings = (first, context, style) => {
  let breaks = null;
  for (let child = first; child !== null; child = nextElementOf.call(child)) {
    breaks = withBreak(breaks, child, visit(child, context, style));
  }
  return breaks;
};

const visitAssigned = (slot, context, style) => {
  let breaks = null;
  for (const child of slot.assignedElements()) breaks = withBreak(breaks, child, visit(child, context, style));
  return breaks;
};

const visitSlot = (slot, context, style) =>
  (slot.assignedNodes().length > 0
    ? visitAssigned(slot, context, style)
    : visitSiblings(firstElementOf.call(slot), context, style));

const visitShadow = (root, context, style) => {
  noteRoot(root);
  return visitSiblings(root.firstElementChild, context, style);
};

const visitChildren = (element, tag, context, style) => {
  if (tag === 'slot') return visitSlot(element, context, style) ?? NO_BREAKS;
  const root = rootOf(element);
  if (root !== null) return visitShadow(root, context, style) ?? NO_BREAKS;
  noteSuspect(element, tag);
  noteHost(element, tag);
  return visitSiblings(firstElementOf.call(element), context, style);
};

/** Of closed details only the summary can be seen. */
const visitClosed = (details, context, style) => {
  const summary = querySelector.call(details, ':scope > summary');
  if (summary !== null) visit(summary, context, style);
  return BLOCK;
};

const finishInline = (element, tag, breaks) => {
  const apart = pass.generated.has(element) || (tag === 'button' && isGlued(element, tag));
  if (breaks === null) return apart ? MIXED : CLEAN;
  pass.mixed.add(element);
  return MIXED;
};

const finishBlock = (element, tag, breaks, place, context) => {
  if (breaks === null) notedAlways(() => writeLeaf(element, place, context));
  else if (tagFacts(tag).runs) notedAlways(() => writeRuns(element, breaks, place, context));
  return BLOCK;
};

/** Visit what lies in an element and write the lines that end with it; tells how it stands in its parent's line. */
const visitInside = (element, tag, inner, outer, style) => {
  const place = pass.visited;
  const context = tag === 'pre' ? { ...inner, pre: true } : inner;
  const below = context.inside || context.pre ? null : style;
  if (tag === 'details' && !hasAttribute.call(element, 'open')) return visitClosed(element, context, below);
  const breaks = visitChildren(element, tag, context, below);
  if (!pass.withText) return CLEAN;
  const block = tagFacts(tag).block || context.text !== outer.text || (breaks !== null && breaks.length > 0);
  return block ? finishBlock(element, tag, breaks, place, context) : finishInline(element, tag, breaks);
};

/** A control that innerText would read, or that keeps two words apart. */
const isApart = (element, tag) =>
  tag === 'select' || ((tag === 'input' || tag === 'textarea') && isGlued(element, tag));

const visitElement = (element, context, parentStyle) => {
  const tag = localNameOf.call(element);
  const facts = tagFacts(tag);
  const special = pass.special.has(element);
  if (special && isLeftOut(element)) return leaveOut(element, tag);
  if (facts.count !== '') notedAlways(() => count(element, facts.count, context));
  const style = parentStyle === null ? null : styleBelow(parentStyle, element, tag, special);
  const plain = !facts.row && !special && style?.own !== true && !listening.has(element);
  const inner = plain ? context : recordElement(element, tag, context, style);
  if (inner === null) return mute(element, tag);
  if (facts.enter) return visitInside(element, tag, inner, context, style);
  if (isFrame(element, tag)) return BLOCK; // the lines of the document inside come here
  return isApart(element, tag) ? mute(element, tag) : CLEAN;
};

/** Of several modal dialogs the one on top: behind it, everything is inert, and it is hit wherever one looks. */
const topModal = (modals) => {
  if (modals.length < 2) return modals[0] ?? null;
  let node = elementAt(1, 1);
  while (node !== null && !modals.includes(node)) node = flatParent(node);
  return node ?? modals.at(-1);
};

/** An element that fails is left out and counted; it must not cost the page. */
const skip = (element) => {
  pass.skipped += 1;
  pass.muted.add(element);
  return MIXED;
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
