// Performance entries of a page: resources, images, layout shifts, long animation frames. Reads only.
({ nid, box, cut, isSeen, all, getter, isScriptless }) => {
  const WAIT = 150; // ms until buffered entries have been delivered
  const MOST = 200;
  const naturalWidthOf = getter(HTMLImageElement.prototype, 'naturalWidth');
  const naturalHeightOf = getter(HTMLImageElement.prototype, 'naturalHeight');
  const sourceOf = getter(HTMLImageElement.prototype, 'currentSrc');

  const observed = (type, read) => new Promise((resolve) => {
    const found = [];
    const observer = new PerformanceObserver((list) => found.push(...list.getEntries().map(read)));
    observer.observe({ type, buffered: true });
    setTimeout(() => {
      observer.disconnect();
      resolve(found.slice(0, MOST));
    }, WAIT);
  });

  const noted = (type, read) => (isScriptless() ? [] : observed(type, read));

  const shift = (entry) => ({
    value: entry.hadRecentInput ? 0 : entry.value,
    nids: entry.sources.map(({ node }) => node).filter((node) => node instanceof Element).map(nid),
  });

  const frame = (entry) => ({
    duration: entry.duration,
    forced: entry.scripts.map((script) => ({
      ms: script.forcedStyleAndLayoutDuration, url: script.sourceURL, name: script.sourceFunctionName || script.invoker,
    })),
  });

  const resource = (entry) => ({
    url: cut(entry.name, 2000), type: entry.initiatorType, blocking: entry.renderBlockingStatus === 'blocking',
    bytes: entry.encodedBodySize, ms: entry.duration,
  });

  const image = (element) => {
    const [, , width, height] = box(element) || [0, 0, 0, 0];
    return {
      nid: nid(element), url: cut(sourceOf.call(element), 2000), shown: [width, height],
      natural: [naturalWidthOf.call(element), naturalHeightOf.call(element)],
    };
  };

  const resources = performance.getEntriesByType('resource').slice(0, 5 * MOST).map(resource);
  const images = [...all(document, 'img')].filter(isSeen).slice(0, 5 * MOST).map(image);
  return Promise.all([noted('layout-shift', shift), noted('long-animation-frame', frame)])
    .then(([shifts, frames]) => JSON.stringify({ resources, images, shifts, frames, ratio: devicePixelRatio }));
}
