// Tells the probe which elements are given a closed shadow root: afterwards no script can see that they have one. And
// which are given an open one when they are already in the document: no mutation tells of that.
const rootMode = Object.getOwnPropertyDescriptor(ShadowRoot.prototype, 'mode').get;
const isConnected = Object.getOwnPropertyDescriptor(Node.prototype, 'isConnected').get;

Element.prototype.attachShadow = overhear(Element.prototype.attachShadow, (_, root, host) => {
  if (apply(rootMode, root, []) === 'closed') notify('charlotte:hides', { relatedTarget: host });
  else if (apply(isConnected, host, [])) notify('charlotte:opens', { relatedTarget: host });
});
