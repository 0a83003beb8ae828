// Runs in the page's own world before any script of the page.
import './listener_reports.js';
import './pending_work.js';
import './console_limits.js';
import './clipboard_reports.js';
import './internals.js';
import './outside.js';
