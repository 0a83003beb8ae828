// Times captures in the page: complete ones, and incremental ones for a caller of the last, after some changes.
((changes, rounds) => {
  const cells = Array.from(document.querySelectorAll('#stock td:nth-child(2)'));
  let known = '';
  const timed = (options) => {
    document.body.getBoundingClientRect(); // excludes layout from the time
    const start = performance.now();
    const text = charlotte.capture(options);
    const ms = performance.now() - start;
    known = JSON.parse(text).answer || known;
    return { ms, chars: text.length };
  };
  const median = (measure) => {
    const all = Array.from({ length: rounds }, measure).sort((a, b) => a.ms - b.ms);
    return all[all.length >> 1];
  };
  const changed = (count) => median((_, round) => {
    for (const cell of cells.slice(0, count)) cell.firstChild.data = `Changed ${round}`;
    return timed({ known });
  });
  const first = timed({});
  const whole = median(() => timed({ fresh: true }));
  const same = median(() => timed({ known }));
  return JSON.stringify({ first, whole, same, changed: changes.map((count) => [count, changed(count)]) });
})
