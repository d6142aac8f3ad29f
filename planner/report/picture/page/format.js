// Words and elements: figures in units, names that are too long, pieces of the page.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

// "4.62 MiB", "512 B".
function shortBytes(bytes) {
  let unit = 0;
  let number = bytes;
  for (; Math.abs(number) >= 1024 && unit + 1 < UNITS.length; ++unit) number /= 1024;
  const places = unit === 0 || Math.abs(number) >= 100 ? 0 : Math.abs(number) >= 10 ? 1 : 2;
  return number.toFixed(Number.isInteger(number) ? 0 : places) + ' ' + UNITS[unit];
}

// Groups digits of a number, or of a text of digits if the number is too large for a script.
function digits(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

// "4,845,120 bytes (4.62 MiB)".
function exactBytes(number) {
  const text = digits(number) + (String(number) === '1' ? ' byte' : ' bytes');
  return Number(number) < 1024 ? text : text + ' (' + shortBytes(Number(number)) + ')';
}

function percent(part, whole, places = 1) {
  return whole === 0 ? '0 %' : (100 * part / whole).toFixed(places) + ' %';
}

function count(number, noun) {
  const plural = noun.endsWith('s') ? noun + 'es' : noun + 's';
  return digits(number) + ' ' + (number === 1 ? noun : plural);
}

// At most `letters` of the text; what is behind its first third goes: the ends of
// names tell most.
function shortened(text, letters) {
  const all = Array.from(text);
  if (all.length <= letters) return text;
  if (letters < 3) return letters < 1 ? '' : '…';
  const head = Math.floor((letters - 1) * 0.3);
  return all.slice(0, head).join('') + '…' + all.slice(all.length - (letters - 1 - head)).join('');
}

// An element with properties ("text", "class", listeners as "onclick", else attributes) and
// children. Text never becomes markup.
function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === 'text') {
      element.textContent = value;
    } else if (key.startsWith('on')) {
      element.addEventListener(key.slice(2), value);
    } else {
      element.setAttribute(key, value === true ? '' : value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// A name in one line that loses its middle where there is no room; whole for those who copy it,
// search the page or hover.
function nameElement(name) {
  const all = Array.from(name);
  const tail = Math.min(18, Math.floor(all.length / 2));
  return make(
      'span', {class: 'name', title: name},
      make('span', {class: 'head', text: all.slice(0, all.length - tail).join('')}),
      make('span', {class: 'tail', text: all.slice(all.length - tail).join('')}));
}

// SPDX-License-Identifier: Apache-2.0
