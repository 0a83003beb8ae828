// Documents of which the browser runs no script (a sandbox without allow-scripts). It then calls no function of ours
// either, no listener, no timer, no observer: for each time it would have, the page's console gets an error instead.
const isScriptless = () => matchMedia('(scripting: none)').matches;
