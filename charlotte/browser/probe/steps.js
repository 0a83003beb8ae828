// What a walk reads, as steps that can be done again in the same order. As long as no element came, went or
// became something else, doing them again gives what a walk would, and no element need be looked at that makes
// no row and no line.
const note = (again) => {
  if (pass.steps !== null) pass.steps.push({ place: pass.visited, again });
};

/** Do something whose outcome decides how the walk goes on; done again, it must come out the same. */
const noted = (does, isSame) => {
  const outcome = does();
  note(() => isSame(does(), outcome));
  return outcome;
};

/** Do something that decides nothing. */
const notedAlways = (does) => {
  does();
  note(() => {
    does();
    return true;
  });
};

const sameContext = (a, b) =>
  a === b || (a !== null && b !== null && a.row === b.row && a.text === b.text && a.counts === b.counts
    && a.inside === b.inside && a.mute === b.mute && a.pre === b.pre);

const HOSTS = setOf('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span');

/** An element without a shadow root may get one, which nobody is told of. */
const noteHost = (element, tag) => {
  if (pass.steps !== null && (HOSTS.has(tag) || tag.includes('-'))) pass.hosts.push(element);
};

const stepsAgain = (steps) => {
  for (const { place, again } of steps) {
    pass.visited = place;
    if (!again()) return false;
  }
  return true;
};

/** A pass that does the steps of `walked` again; null when the document must be walked again. */
const passAgain = (walked) => {
  if (walked.hosts.some((host) => shadowRootOf.call(host) !== null)) return null;
  pass = { ...newPass(walked.withText), mixed: walked.mixed, muted: walked.muted, remembers: true };
  try {
    if (!stepsAgain(walked.steps)) return null;
  } catch {
    return null;
  }
  const { steps, hosts, roots, visited } = walked;
  return Object.assign(pass, { steps, hosts, roots, visited });
};
