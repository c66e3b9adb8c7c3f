// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// What both pages use. Names from outside become text nodes: nothing here parses HTML.
const page = (() => {
  const REFRESH_MILLIS = 10000;
  const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

  const byId = id => document.getElementById(id);

  // An element with a class and children, which are elements or texts.
  function element(tag, name, ...children) {
    const made = document.createElement(tag);
    if (name) {
      made.className = name;
    }
    made.append(...children.map(child => child instanceof Node ? child : String(child)));
    return made;
  }

  function bytes(number) {
    let unit = 0;
    let value = Math.abs(number);
    while (value >= 1024 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    return (number < 0 ? '-' : '') + (unit && value < 10 ? value.toFixed(1) : Math.round(value)) + ' ' + UNITS[unit];
  }

  const count = number => Number(number).toLocaleString('en');
  const share = (part, all) => all > 0 ? Math.round(100 * part / all) + ' %' : '-';

  function time(millis) {
    const seconds = Math.round(millis / 1000);
    if (seconds < 120) {
      return seconds + ' s';
    }
    const minutes = Math.round(seconds / 60);
    return minutes < 120 ? minutes + ' min' : Math.round(minutes / 60) + ' h';
  }

  // columns: [title, class, row => cell]; a table that scrolls by keyboard if it is too wide.
  function table(id, label, columns, rows, none) {
    const place = byId(id);
    if (!rows.length) {
      place.replaceChildren(element('p', 'none', none));
      return;
    }
    const head = element('tr', '');
    for (const [title, name] of columns) {
      const cell = element('th', name, title);
      cell.scope = 'col';
      head.append(cell);
    }
    const body = element('tbody', '');
    for (const row of rows) {
      body.append(element('tr', '', ...columns.map(([, name, cell]) => element('td', name, cell(row)))));
    }
    const focused = place.contains(document.activeElement);
    const left = place.firstElementChild ? place.firstElementChild.scrollLeft : 0;
    const scroll = element('div', 'scroll', element('table', '', element('thead', '', head), body));
    scroll.tabIndex = 0;
    scroll.setAttribute('role', 'region');
    scroll.setAttribute('aria-label', label);
    place.replaceChildren(scroll);
    scroll.scrollLeft = left;
    if (focused) {
      scroll.focus();
    }
  }

  function cards(id, pairs) {
    byId(id).replaceChildren(...pairs.map(([title, value]) =>
      element('div', '', element('dt', '', title), element('dd', '', value))));
  }

  function trouble(text) {
    byId('trouble').hidden = !text;
    byId('trouble').textContent = text;
  }

  async function ask(path) {
    const response = await fetch(path, {credentials: 'same-origin'});
    const json = await response.json();
    if (!response.ok) {
      throw new Error(json.error || 'HTTP ' + response.status);
    }
    return json;
  }

  // Draws now, and again and again while the page is seen.
  function repeat(draw) {
    async function once() {
      if (!document.hidden) {
        try {
          await draw();
          trouble('');
          byId('asof').textContent = 'As of ' + new Date().toLocaleTimeString() + '; refreshed every 10 seconds.';
          document.body.dataset.drawn = 'yes';
        } catch (e) {
          trouble('No answer: ' + e.message);
        }
      }
      setTimeout(once, REFRESH_MILLIS);
    }
    once();
  }

  return {byId, element, bytes, count, share, time, table, cards, ask, repeat};
})();
