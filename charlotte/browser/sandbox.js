// The side of a program that faces Charlotte, which alone knows the returned object. It runs in the blank page before
// the program, which may replace anything later. So all that it uses is taken here, lists are linked records, and only
// strings go to Charlotte: their length limits hold for every program.
function openSandbox(options) {
  'use strict';

  const { code, plain, mostText, mostLines, longestLine } = options;
  const { parse, stringify } = JSON;
  const { defineProperty } = Object;
  const AsyncFunction = (async () => {}).constructor;
  const Promised = Promise;
  const Failure = Error;
  const Handled = Proxy;
  const later = setTimeout;
  const bound = Function.prototype.call;
  const slice = bound.bind(String.prototype.slice);
  const callsOf = new WeakMap();
  const noteCall = bound.bind(WeakMap.prototype.set, callsOf);
  const findCall = bound.bind(WeakMap.prototype.get, callsOf);
  const plainOf = bound.bind(plain);

  // the page's only realm: WebRTC would announce a name in the local network
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) delete globalThis[name];
  // called by the browser on a promise that Charlotte awaits
  defineProperty(Promised.prototype, 'then', { writable: false, configurable: false });

  const calls = { __proto__: null };
  let lastCall = 0;
  let first = null;
  let last = null;
  let wake = null;
  let linesLeft = mostLines;
  let dropped = 0;

  const take = () => {
    let text = first.text;
    for (first = first.next; first !== null && text.length + first.text.length < mostText; first = first.next) {
      text += `,${first.text}`;
    }
    if (first === null) last = null;
    return `[${text}]`;
  };

  const flush = () => {
    if (wake === null || first === null) return;
    const resolve = wake;
    wake = null;
    resolve(take());
  };

  const post = (text) => {
    const message = { __proto__: null, text, next: null };
    if (last === null) first = message;
    else last.next = message;
    last = message;
    flush();
  };

  const cut = (text, most) => (text.length > most ? `${slice(text, 0, most)}…` : text);

  const call = (tool, tab, given) =>
    new Promised((resolve, reject) => {
      const failure = new Failure();
      const text = given === undefined ? '{}' : stringify(given);
      if (typeof text !== 'string' || text.length > mostText) {
        throw new TypeError(`${tool} takes an object of at most ${mostText} characters of JSON`);
      }
      lastCall += 1;
      calls[lastCall] = { __proto__: null, resolve, reject, failure };
      const tabText = tab === null ? 'null' : stringify(cut(tab, 100));
      post(`{"call":{"id":${lastCall},"tool":${stringify(cut(tool, 100))},"tab":${tabText},"arguments":${text}}}`);
    });

  const settle = (text) => {
    const answer = parse(text); // has all of its keys
    const waiting = calls[answer.id];
    if (waiting === undefined) return;
    delete calls[answer.id];
    if (answer.error === null) {
      waiting.resolve(answer.value);
      return;
    }
    const { error } = answer;
    defineProperty(waiting.failure, 'code', { __proto__: null, value: error.code, enumerable: true });
    defineProperty(waiting.failure, 'message', { __proto__: null, value: error.message });
    defineProperty(waiting.failure, 'suggestion', { __proto__: null, value: error.suggestion, enumerable: true });
    noteCall(waiting.failure, answer.id);
    waiting.reject(waiting.failure);
  };

  const tools = (target, tab, apply) =>
    new Handled(target, {
      __proto__: null,
      get: (_, name) => {
        if (typeof name !== 'string' || name === 'then' || name === 'toJSON') return undefined;
        return name === 'id' ? tab : (given) => call(name, tab, given);
      },
      apply,
    });

  const charlotte = tools({ __proto__: null }, null);
  const tab = tools(
    () => {},
    null,
    (_target, _self, given) => tools({ __proto__: null }, `${given[0]}`),
  );

  const described = (value) => {
    try {
      return typeof value === 'string' ? value : stringify(plainOf(value)) ?? `${value}`;
    } catch {
      return '[cannot be shown]';
    }
  };

  const addLine = (...values) => {
    let line = '';
    for (let index = 0; index < values.length && line.length < longestLine; index += 1) {
      line += (index === 0 ? '' : ' ') + cut(described(values[index]), longestLine);
    }
    line = cut(line, longestLine);
    if (line.length >= linesLeft) {
      dropped += 1;
      linesLeft = 0;
      return;
    }
    linesLeft -= line.length + 1;
    post(`{"line":${stringify(line)}}`);
  };
  const lines = { log: addLine, info: addLine, debug: addLine, warn: addLine, error: addLine };

  const finish = (value) => {
    const text = stringify(plainOf(value)) ?? 'null';
    const isCut = text.length > mostText;
    const shown = isCut ? stringify(cut(text, mostText)) : text;
    post(`{"end":{"value":${shown},"total":${isCut ? text.length : 'null'},"dropped":${dropped}}}`);
  };

  const textOf = (read) => {
    try {
      return cut(`${read()}`, 2000);
    } catch {
      return '';
    }
  };

  const fail = (error) => {
    const isObject = typeof error === 'object' && error !== null;
    const text = stringify(textOf(() => error) || 'an error without a message');
    const stack = stringify(isObject ? textOf(() => error.stack) : '');
    const number = isObject ? findCall(error) ?? null : null;
    post(`{"end":{"error":{"text":${text},"stack":${stack},"call":${number}},"dropped":${dropped}}}`);
  };

  const compiled = (body) => new AsyncFunction('charlotte', 'tab', 'console', `${body}\n//# sourceURL=program.js`);

  const compile = () => {
    try {
      return compiled(`return (${code}\n)`);
    } catch {
      return compiled(code); // statements
    }
  };
  const program = compile();

  const run = async () => {
    try {
      let value = await program(charlotte, tab, lines);
      if (typeof value === 'function') value = await value(charlotte, tab, lines);
      finish(value);
    } catch (error) {
      fail(error);
    }
  };

  return {
    __proto__: null,
    next: () =>
      new Promised((resolve) => {
        wake = resolve;
        flush();
      }),
    settle,
    start: () => {
      later(run);
    },
  };
}
