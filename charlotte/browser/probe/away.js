// Why things that a capture listed before are not listed any more, though they are still in the document.
const FRONT = 'dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]';

const allMatching = (css) => openRoots().flatMap((root) => Array.from(queryAll(root, css)));

/** Whether the walk leaves a node out: for the modal dialog it is not in, or because it is made inert. */
const isBehind = (element, modal, known) => {
  const passed = [];
  let node = element;
  let behind; // what is known of the first node around that tells
  while (node !== null && behind === undefined) {
    behind = known.get(node) ?? (isLeftOut(node) || undefined);
    passed.push(node);
    node = flatParent(node);
  }
  behind ??= modal !== null;
  for (const each of passed) known.set(each, behind);
  return behind;
};

const describedFront = (element) => {
  const tag = localNameOf.call(element);
  const name = computedName(element, tag);
  return name === '' ? roleOf(element, tag) : `${roleOf(element, tag)} "${name}"`;
};

/** What is in front: the modal dialog, else the last dialog that can be seen; '' for nothing. */
const frontOf = (modal, known) => {
  const front = modal
    ?? allMatching(FRONT).findLast((each) => sightOf(each) === SEEN && !isBehind(each, modal, known));
  return front === undefined ? '' : describedFront(front);
};

/**
 * Of the elements with these numbers: {hidden: [numbers of those not to be seen], behind: [numbers of those that
 * are, out of reach], front: what is in front of the page}; those in neither list are gone, or are something else.
 */
const whereabouts = (_, nids) => {
  const modal = topModal(allMatching('dialog:modal'));
  const known = new Map(modal === null ? [] : [[modal, false]]);
  const answer = { behind: [], hidden: [], front: '' };
  pass = newPass(false);
  for (const nid of nids) {
    const element = elementOf(nid);
    if (element === null) continue;
    if (sightOrProxy(element) !== SEEN) answer.hidden.push(nid);
    else if (isBehind(element, modal, known)) answer.behind.push(nid);
  }
  if (answer.behind.length > 0) answer.front = frontOf(modal, known);
  pass = null;
  return JSON.stringify(answer);
};
