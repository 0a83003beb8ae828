// Lets a page log no more than can be told. It makes lines several times as fast as the browser tells them, and every
// tab would wait behind those on their way. What it warns of is counted apart, so that no chatter hides it.
const AT_ONCE = 1800; // lines
const A_SECOND = 100; // once those are spent
const WARNINGS = ['warn', 'error'];
const CHATTER = [
  'log', 'info', 'debug', 'trace', 'dir', 'dirxml', 'table', 'count', 'clear', 'group', 'groupCollapsed', 'groupEnd',
];
const MISSED = '[Charlotte] The page logged thousands of lines: from here on, some were not recorded.';
const pageConsole = console;
const { warn } = console;

/** Whether there is room for one more line; once there was none, not before there is room for a second's. */
const newBudget = () => {
  let room = AT_ONCE;
  let counted = time();
  let isSpent = false;
  return () => {
    const present = time();
    room += ((present - counted) / 1000) * A_SECOND;
    if (room > AT_ONCE) room = AT_ONCE;
    counted = present;
    if (isSpent && room < A_SECOND) return false;
    isSpent = room < 1;
    if (isSpent) apply(warn, pageConsole, [MISSED]);
    else room -= 1;
    return !isSpent;
  };
};

const limit = (names, admits) => {
  for (const name of names) {
    console[name] = withTraps(console[name], {
      apply(target, self, given) {
        if (admits()) apply(target, self, given);
      },
    });
  }
};

limit(WARNINGS, newBudget());
limit(CHATTER, newBudget());
