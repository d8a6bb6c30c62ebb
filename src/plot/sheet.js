// Values under the pointer, switches for the lines, and a cue where a box can be scrolled. All of it is also in tables.
'use strict';
(() => {
const make = (tag, name, text) => {
  const e = document.createElement(tag);
  e.className = name;
  if (text) e.textContent = text;
  return e;
};

// The rows of a table: where they are, and what they say.
const read = table => {
  const dim = Number(table.dataset.dim || 1), cells = [...table.tHead.rows[0].cells];
  const heads = cells.map(e => e.textContent), other = cells.map(e => 'other' in e.dataset);
  const rows = [...table.tBodies[0].rows].map(row => {
    const cells = [...row.cells];
    return {at: cells.slice(0, dim).map(e => Number(e.textContent)), cells: cells.slice(dim)};
  });
  return {dim, rows, heads, other};
};

// A value on an axis "lo hi log" as a share of its length.
const share = (value, [lo, hi, log]) => log ? Math.log(value / lo) / Math.log(hi / lo) : (value - lo) / (hi - lo);

const panelsOf = (svg, tables) => [...svg.querySelectorAll('[data-table]')].map(g => {
  const list = name => g.dataset[name].split(' ').map(Number), [left, top, width, height] = list('box');
  const x = list('x'), y = list('y'), table = tables[g.dataset.table];
  return {left, top, width, height, read: () => table.sparRead ||= read(table),
    x: value => left + share(value, x) * width, y: value => top + (1 - share(value, y)) * height};
});

// The row of a panel nearest to a point.
const nearest = (panel, p) => {
  const {rows, dim} = panel.read();
  const far = row => Math.hypot(panel.x(row.at[0]) - p.x, dim > 1 ? panel.y(row.at[1]) - p.y : 0);
  return rows.reduce((best, row, i) => far(row) < far(rows[best]) ? i : best, 0);
};

const switchesOf = (plot, svg, off) => {
  const names = new Map();
  for (const key of svg.querySelectorAll('.key'))
    if (!names.has(key.dataset.series)) names.set(key.dataset.series, key.querySelector('text').textContent);
  if (names.size < 2) return;
  const box = make('div', 'switches');
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', 'Show or hide lines');
  for (const [series, name] of names) {
    const button = make('button', '', name);
    button.type = 'button';
    button.setAttribute('aria-pressed', 'true');
    button.onclick = () => {
      const hide = !off.delete(name);
      if (hide) off.add(name);
      button.setAttribute('aria-pressed', String(!hide));
      for (const e of svg.querySelectorAll(`[data-series="${series}"]`)) e.classList.toggle('off', hide);
    };
    box.append(button);
  }
  plot.querySelector('figcaption').before(box);
};

const watch = plot => {
  const svg = plot.querySelector('svg'), box = svg.parentElement, off = new Set();
  const home = plot.dataset.of ? document.getElementById(plot.dataset.of) : plot;
  const panels = panelsOf(svg, home.querySelectorAll('table.data'));
  svg.querySelector('title')?.remove(); // its bubble would hide the values; the name is also in aria-label
  switchesOf(plot, svg, off);
  const tip = make('div', 'tip'), marks = document.createElementNS(svg.namespaceURI, 'g');
  tip.setAttribute('role', 'status');
  tip.hidden = true;
  marks.setAttribute('class', 'hover');
  svg.append(marks);
  plot.append(tip);
  let here = null;
  const hide = () => { tip.hidden = true; marks.replaceChildren(); here = null; };
  const mark = (tag, attributes) => {
    const e = document.createElementNS(svg.namespaceURI, tag);
    for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
    marks.append(e);
  };
  const show = (panel, i) => {
    const {rows, heads, other, dim} = panel.read(), row = rows[i], x = panel.x(row.at[0]);
    here = {panel, i};
    marks.replaceChildren();
    tip.replaceChildren(make('b', '', row.at.map((value, d) => `${heads[d]} ${value.toLocaleString('en')}`).join(', ')));
    if (dim === 1) mark('line', {x1: x, x2: x, y1: panel.top, y2: panel.top + panel.height});
    else mark('circle', {cx: x, cy: panel.y(row.at[1]), r: 5});
    row.cells.forEach((cell, k) => {
      const name = heads[dim + k], value = parseFloat(cell.textContent), y = panel.y(value);
      if (!cell.textContent || off.has(name)) return;
      tip.append(make('span', '', `${name}: ${cell.textContent}`));
      if (dim === 1 && !other[dim + k] && y >= panel.top - 1 && y <= panel.top + panel.height + 1) mark('circle', {cx: x, cy: y, r: 3.5});
    });
    tip.hidden = false;
    const at = new DOMPoint(x, panel.top).matrixTransform(svg.getScreenCTM()), frame = plot.getBoundingClientRect();
    const right = at.x - frame.left + 14 + tip.offsetWidth < frame.width;
    tip.style.left = `${Math.max(0, at.x - frame.left + (right ? 14 : -14 - tip.offsetWidth))}px`;
    tip.style.top = `${at.y - frame.top + 8}px`;
  };
  svg.addEventListener('pointermove', event => {
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const panel = panels.find(a => p.x >= a.left - 4 && p.x <= a.left + a.width + 4 && p.y >= a.top && p.y <= a.top + a.height);
    if (panel && panel.read().rows.length) show(panel, nearest(panel, p));
    else hide();
  });
  svg.addEventListener('pointerleave', hide);
  box.addEventListener('blur', hide);
  box.addEventListener('keydown', event => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (event.key === 'Escape') hide();
    if (!step || !panels.length || box.scrollWidth > box.clientWidth + 1) return;
    event.preventDefault();
    const panel = here ? here.panel : panels[0], n = panel.read().rows.length, next = here ? here.i + step : 0;
    if (next >= 0 && next < n) show(panel, next);
    else show(panels[(panels.indexOf(panel) + (step > 0 ? 1 : panels.length - 1)) % panels.length], 0);
  });
};

const cue = box => {
  const more = box.scrollWidth > box.clientWidth + 1, next = box.nextElementSibling;
  box.classList.toggle('more', more && box.scrollLeft + box.clientWidth < box.scrollWidth - 2);
  if (next?.classList.contains('cue')) next.style.display = more ? 'block' : 'none';
};

for (const plot of document.querySelectorAll('.plot')) if (plot.querySelector('svg')) watch(plot);
const boxes = [...document.querySelectorAll('.scroll')], all = () => boxes.forEach(cue);
for (const box of boxes) box.addEventListener('scroll', () => cue(box), {passive: true});
for (const e of document.querySelectorAll('details')) e.addEventListener('toggle', all);
addEventListener('resize', all);
all();
})();
