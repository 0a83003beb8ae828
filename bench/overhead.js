// Workloads of pages. Each page waits until the bench opens the gate, repeats its own workload, measures it with
// performance.now(), and posts the times. No call of a browser driver takes place while a workload runs.
const REPEATS = 5;
const stage = document.querySelector('main');
const parameters = new URLSearchParams(location.search);

const make = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);
const range = (count) => Array.from({ length: count }, (_, index) => index);
const nextTask = () => new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { port1.close(); resolve(); };
  port2.postMessage(0);
});

const replaceItems = (times, item) => {
  const list = make('ul');
  stage.replaceChildren(list);
  for (let turn = 0; turn < times; turn += 1) list.replaceChildren(...range(100).map((index) => item(turn, index)));
};

const itemWithButton = (turn, index) => {
  const item = make('li', { textContent: `Item ${turn}.${index} ` });
  const button = make('button', { textContent: 'Buy' });
  button.addEventListener('click', () => item.remove());
  item.append(button);
  return item;
};

const elementsWithTimers = () => {
  const list = make('div');
  stage.replaceChildren(list);
  for (let index = 0; index < 5000; index += 1) {
    const element = make('span', { textContent: index });
    element.addEventListener('click', () => {});
    clearTimeout(setTimeout(() => {}, 400));
    list.append(element);
  }
};

const scrollVirtually = async () => {
  const rows = range(40).map(() => make('div', { className: 'row' }));
  stage.replaceChildren(...rows);
  for (let step = 0; step < 200; step += 1) {
    rows.forEach((row, index) => {
      row.textContent = `Row ${step * 10 + index}`;
      row.style.transform = `translateY(${(step * 10 + index) * 20}px)`;
    });
    await nextTask();
  }
};

const drawCanvas = () => {
  const canvas = make('canvas', { width: 800, height: 600 });
  stage.replaceChildren(canvas);
  const context = canvas.getContext('2d');
  for (let frame = 0; frame < 60; frame += 1) {
    context.clearRect(0, 0, 800, 600);
    for (let index = 0; index < 1000; index += 1) {
      context.fillStyle = `hsl(${(index + frame) % 360} 50% 50%)`;
      context.fillRect((index * 7 + frame) % 800, (index * 13) % 600, 10, 10);
    }
  }
  context.getImageData(0, 0, 1, 1);
};

const runTimers = () => new Promise((resolve) => {
  const total = 10000;
  let left = total;
  for (let index = 0; index < total; index += 1) {
    setTimeout(() => { if ((left -= 1) === 0) resolve(); }, 0);
    clearTimeout(setTimeout(resolve, 100));
  }
});

const addListeners = () => {
  const elements = range(2000).map(() => make('button', { textContent: 'Go' }));
  stage.replaceChildren(...elements);
  const types = ['click', 'mousedown', 'mousemove', 'keydown', 'focus'];
  const heard = () => {};
  for (let turn = 0; turn < 3; turn += 1) {
    for (const element of elements) {
      for (const type of types) element.addEventListener(type, heard);
      element.onclick = heard;
      for (const type of types) element.removeEventListener(type, heard);
    }
  }
};

class BenchCard extends HTMLElement {
  static observedAttributes = ['label'];
  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.append(make('b'), make('slot'));
    root.addEventListener('click', () => {});
  }
  attributeChangedCallback(_, __, label) { this.shadowRoot.firstChild.textContent = label; }
}
customElements.define('bench-card', BenchCard);

const upgradeCards = () => {
  stage.replaceChildren();
  for (let index = 0; index < 2000; index += 1) {
    const card = make('bench-card');
    card.setAttribute('label', `Card ${index}`);
    stage.append(card);
  }
  for (const card of stage.children) card.setAttribute('label', 'Again');
};

const updateTable = async () => {
  const table = make('table');
  table.append(...range(100).map((row) => {
    const line = make('tr');
    line.append(...range(10).map((column) => make('td', { textContent: `${row}/${column}` })));
    return line;
  }));
  stage.replaceChildren(table);
  for (let turn = 0; turn < 8; turn += 1) {
    for (const row of table.children) for (const cell of row.children) cell.textContent = `${turn} ${cell.textContent}`;
    await nextTask();
    table.append(...[...table.children].reverse());
    await nextTask();
  }
};

const editText = async () => {
  const editor = make('div', { contentEditable: 'true' });
  editor.append(...range(200).map((line) => make('div', { textContent: `line ${line} of the text` })));
  stage.replaceChildren(editor);
  for (let key = 0; key < 200; key += 1) {
    const line = editor.children[key % 200];
    const words = `${line.textContent}x`.split(' ').map((word) => make('span', { textContent: `${word} ` }));
    line.replaceChildren(...words);
    const selection = getSelection();
    selection.collapse(line, line.childNodes.length);
    await nextTask();
  }
};

const SVG = 'http://www.w3.org/2000/svg';
const drawChart = async () => {
  const chart = document.createElementNS(SVG, 'svg');
  const points = range(300).map(() => document.createElementNS(SVG, 'circle'));
  chart.append(...points);
  stage.replaceChildren(chart);
  for (let turn = 0; turn < 20; turn += 1) {
    points.forEach((point, index) => {
      point.setAttribute('cx', index);
      point.setAttribute('cy', (index * turn) % 300);
      point.setAttribute('r', 2);
    });
    await nextTask();
  }
};

const feed = () => new Promise((resolve) => {
  const cells = range(100).map(() => make('td'));
  const row = make('tr');
  row.append(...cells);
  stage.replaceChildren(row);
  const socket = new WebSocket(`ws://127.0.0.1:${parameters.get('feed')}`);
  let left = 1000;
  socket.onopen = () => socket.send(left);
  socket.onmessage = ({ data }) => {
    const { symbol, price } = JSON.parse(data);
    cells[symbol].textContent = price;
    cells[symbol].className = price % 2 ? 'up' : 'down';
    if ((left -= 1) > 0) return;
    socket.close();
    resolve();
  };
});

// A map that is panned: each place on it has a list of 1,005 rows, and every pan writes all of them again.
const panMap = async () => {
  const rows = range(1005);
  const fill = (place, turn) => place.replaceChildren(...rows.map((row) => {
    const item = make('li', { textContent: `Stop ${row} ` });
    const link = make('a', { href: `#${turn}-${row}`, textContent: 'Route' });
    link.addEventListener('click', () => {});
    item.append(link);
    return item;
  }));
  const places = range(4).map(() => make('ol'));
  stage.replaceChildren(...places);
  for (let turn = 0; turn < 2; turn += 1) {
    places.forEach((place, index) => {
      fill(place, turn);
      place.style.transform = `translate(${turn * 10}px, ${index * 10}px)`;
    });
    await nextTask();
  }
};

const WORKLOADS = {
  'list items': () => replaceItems(300, (turn, index) => make('li', { textContent: `Item ${turn}.${index}` })),
  'list items with listeners': () => replaceItems(300, itemWithButton),
  'elements with timers': elementsWithTimers,
  'virtual scrolling': scrollVirtually,
  canvas: drawCanvas,
  timers: runTimers,
  listeners: addListeners,
  'custom elements': upgradeCards,
  'big table': updateTable,
  editor: editText,
  chart: drawChart,
  'WebSocket feed': feed,
  map: panMap,
};

const measure = async (work) => {
  const times = [];
  for (let turn = 0; turn <= REPEATS; turn += 1) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
  return times.slice(1); // the first warms up
};

addEventListener('load', async () => {
  await fetch('/gate');
  const times = await measure(WORKLOADS[parameters.get('page')]);
  await fetch('/times', { method: 'POST', body: JSON.stringify(times) });
});
