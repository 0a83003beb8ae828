// changed(): a promise that is kept as soon as the page may read otherwise. Besides mutations of the DOM, of which the
// browser tells, that is what scripts can do without one: give a field a value, show a popover, attach a shadow root.
const OFTEN = 50; // ms between two looks
const RESTS = 20; // times as long as a look takes

const chosenIn = (select) =>
  (select.multiple ? Array.from(select.selectedOptions, (option) => option.index).join() : select.selectedIndex);

const holdsNow = (field) => {
  switch (localNameOf.call(field)) {
    case 'select': return chosenIn(field);
    case 'textarea': return field.value;
    default: return field.checked || field.indeterminate ? `${field.checked} ${field.indeterminate}` : field.value;
  }
};

/** A function that lists what no mutation tells of; which elements that are, only a mutation can change. */
const newUntold = (roots) => {
  const fields = roots.flatMap((root) => [...queryAll(root, 'input,textarea,select')]);
  const popovers = roots.flatMap((root) => [...queryAll(root, '[popover]')]);
  return () => {
    askForListeners();
    return [tellings, ...fields.map(holdsNow), ...popovers.map((popover) => matches.call(popover, ':popover-open'))];
  };
};

const otherwise = (ms) => new Promise((resolve) => {
  const end = now() + ms;
  const roots = openRoots();
  const look = newUntold(roots);
  const known = look();
  const observer = new MutationObserver(() => done());
  let next = 0;
  const done = () => {
    observer.disconnect();
    clearTimeout(next);
    resolve();
  };
  const check = () => {
    const begun = now();
    if (begun >= end || !sameList(look(), known)) done();
    else next = setTimeout(check, Math.max(OFTEN, RESTS * (now() - begun)));
  };
  observe(observer, roots);
  next = setTimeout(check, Math.min(OFTEN, ms));
});

/** A promise of {}; where no script is run, the page may always have changed. */
const changed = async (ms) => {
  await (isScriptless() ? later(Math.min(ms, LOOK_AGAIN)) : otherwise(ms));
  return '{}';
};
