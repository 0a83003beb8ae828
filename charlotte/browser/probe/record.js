// Deciding on an element met by the walk: which row it makes, and the context that holds for what lies in it.
// A context says where rows and text lines below an element belong and what is not looked for there. The parent of a
// line is the nearest recorded ancestor of the block that it stands in: a heading, a control, a landmark.
const ROOT_CONTEXT = Object.freeze({
  row: 0, // number of the nearest recorded ancestor
  text: 0, // number of the nearest landmark, form or group: text in another one is in a line of its own
  counts: 0, // number of the nearest landmark
  inside: false, // in a widget: nothing in it is clickable by itself
  pre: false, // line ends and spaces are kept
});

const TEXT_ROLES = setOf('textbox searchbox combobox');

const holdsText = (kind) => kind === 'l' || kind === 'f' || kind === 'g';

const contextIn = (context, made, kind) => ({
  row: made.nid,
  text: holdsText(kind) ? made.nid : context.text,
  counts: made.extra.counts === undefined ? context.counts : made.nid,
  inside: context.inside || (kind === 'i' && WIDGETS.has(made.role)),
  pre: context.pre,
});

/** A helper of a widget that a person neither sees nor is told of: one that only takes the focus, or a field for it. */
const isUnseenHelper = ({ name, role, box, extra }) =>
  name === '' && (box === 0 || (box[2] <= 1 && box[3] <= 1)) && extra.focused !== 1
  && (role === 'generic' || (extra.tag === 'input' && TEXT_ROLES.has(role)));

/** A heading that says nothing is worth nothing. */
const saysSomething = (made, kind) =>
  made !== null && (kind !== 'h' || made.name !== '') && (kind !== 'i' || !isUnseenHelper(made));

const record = (context, made, kind) => {
  if (!saysSomething(made, kind)) return context;
  addRow(context.row, made);
  return contextIn(context, made, kind);
};

const recordClickable = (element, tag, context, style) => {
  if (!isClickable(element, tag, context, style)) return context;
  pass.clickables += 1;
  return record(context, clickableRow(element, tag, style), 'c');
};

const isFileInput = (element, tag) => tag === 'input' && element.type === 'file';

const recordSeen = (element, tag, context, kind, role) =>
  (kind === 'i' && role !== 'heading' && isBeyond(element)
    ? countBeyond(context, element, tag, role, false)
    : record(context, rowOfKind(kind, element, tag, role), kind));

const recordSemantic = (element, tag, context, kind, role) => {
  const sight = sightOrProxy(element, tag);
  if (sight === SEEN) return recordSeen(element, tag, context, kind, role);
  if (isFileInput(element, tag)) return record(context, hiddenFileRow(element), 'i');
  return sight === GONE ? null : context;
};

const recordEditable = (element, tag, context) => {
  if (sightOf(element) !== SEEN) return context;
  return isBeyond(element)
    ? countBeyond(context, element, tag, editableRole(element), true)
    : record(context, editableRow(element, tag), 'i');
};

const recordFrame = (frame, tag, context) => {
  const made = sightOf(frame) === SEEN ? frameRow(frame, tag) : null;
  return made === null ? null : record(context, made, 'd');
};

/** Record the element if it is worth a row; returns the context for its contents, null if none of it is shown. */
const recordElement = (element, tag, context, style) => {
  if (isFrame(element, tag)) return noted(() => recordFrame(element, tag, context), sameContext);
  const special = pass.special.has(element);
  if (special && isEditableRoot(element)) return noted(() => recordEditable(element, tag, context), sameContext);
  if (special || tagFacts(tag).row) {
    const role = roleOf(element, tag);
    const kind = kindOf(element, tag, role, special);
    if (kind !== '') return noted(() => recordSemantic(element, tag, context, kind, role), sameContext);
  }
  if (!answersClick(element, tag, style)) return context;
  return noted(() => recordClickable(element, tag, context, style), sameContext);
};
