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
    && a.inside === b.inside && a.pre === b.pre);

/** An element without a shadow root may get one, which nobody is told of. */
const noteHost = (element, tag) => {
  if (pass.steps !== null && mayHost(tag)) pass.hosts.push(element);
};

/** Whether one of them has got a shadow root; others are noted as suspects, as the walk does. */
const hasNewRoot = (hosts) => hosts.some((host) => {
  if (rootOf(host) !== null) return true;
  noteSuspect(host, localNameOf.call(host));
  return false;
});

const sameGenerated = (a, b) => b !== undefined && a.before === b.before && a.after === b.after;

/** Whether style sheets write the same texts on the same elements as they did. */
const generatesTheSame = ({ roots, generated, withText }) => {
  if (withText) roots.forEach(noteGenerated);
  if (pass.generated.size !== generated.size) return false;
  for (const [element, text] of pass.generated) if (!sameGenerated(text, generated.get(element))) return false;
  return true;
};

const stepsAgain = (steps) => {
  for (const { place, again } of steps) {
    pass.visited = place;
    if (!again()) return false;
  }
  return true;
};

const readsAlike = (walked) => {
  try {
    return !hasNewRoot(walked.hosts) && generatesTheSame(walked) && stepsAgain(walked.steps);
  } catch {
    return false;
  }
};

/** A pass that does the steps of `walked` again; null when the document must be walked again. */
const passAgain = (walked) => {
  const { mixed, muted, sorts } = walked;
  pass = { ...newPass(walked.withText, walked.most), mixed, muted, sorts, recalls: true, remembers: true };
  if (!readsAlike(walked)) return null;
  const { steps, hosts, roots, visited } = walked;
  return Object.assign(pass, { steps, hosts, roots, visited });
};
