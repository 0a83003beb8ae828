// Runs in the page's own world before its scripts: hides the accessibility properties that only the probe uses.
(() => {
  'use strict';
  delete Element.prototype.computedRole;
  delete Element.prototype.computedName;
})();
