// Tells the probe which elements are given a closed shadow root: afterwards no script can see that they have one.
const rootMode = Object.getOwnPropertyDescriptor(ShadowRoot.prototype, 'mode').get;

Element.prototype.attachShadow = overhear(Element.prototype.attachShadow, (_, root, host) => {
  if (apply(rootMode, root, []) === 'closed') notify('charlotte:hides', { relatedTarget: host });
});
