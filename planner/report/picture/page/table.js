// A table that is sorted by its heads, filtered by a text, and builds only the rows in view.

const ROW_PIXELS = 30;
const ROWS_AT_ONCE = 400;  // up to here all rows are built

// Columns are {head, text(row), sort(row) (a number or a text), cell(row) (an element, in place of
// text), number: true}; `options` are {label, chosen(row), onchoose(row), filtered(rows)}.
class Table {
  constructor(columns, rows, options) {
    this.columns = columns;
    this.rows = rows;
    this.options = options;
    this.sorted = {column: null, down: false};
    this.words = [];
    this.texts = new Map();
    this.body = make('tbody', {});
    this.heads = columns.map(
        (column, i) => make(
            'th', {scope: 'col', class: column.number ? 'number' : null, 'aria-sort': 'none'},
            make('button', {
              type: 'button',
              text: column.head,
              title: column.title,
              onclick: () => this.sortBy(i)
            })));
    const table = make(
        'table', {'aria-label': options.label, role: options.onchoose ? 'grid' : null},
        make('thead', {}, make('tr', {}, ...this.heads)), this.body);
    this.table = table;
    this.element = make(
        'div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': options.label},
        table);
    this.element.addEventListener('scroll', oncePerFrame(() => this.build()));
    this.update();
  }

  sortBy(index) {
    const same = this.sorted.column === index;
    // Numbers are looked at from the largest one.
    const down = same ? !this.sorted.down : Boolean(this.columns[index].number);
    this.sorted = {column: index, down};
    this.heads.forEach(
        (head, i) => head.setAttribute(
            'aria-sort', i === index ? (down ? 'descending' : 'ascending') : 'none'));
    this.update();
  }

  // Rows that hold each of the words somewhere.
  filter(text) {
    this.words = text.toLowerCase().split(/\s+/).filter((word) => word.length > 0);
    this.update();
  }

  // All that a row says, kept: a filter asks for it letter by letter.
  textOf(row) {
    if (!this.texts.has(row)) {
      this.texts.set(row, this.columns.map((column) => column.text(row)).join('\n').toLowerCase());
    }
    return this.texts.get(row);
  }

  update() {
    this.shown = this.words.length === 0 ? this.rows.slice() : this.rows.filter((row) => {
      const text = this.textOf(row);
      return this.words.every((word) => text.includes(word));
    });
    if (this.sorted.column !== null) {
      const column = this.columns[this.sorted.column];
      const sign = this.sorted.down ? -1 : 1;
      const key = column.sort || column.text;
      this.shown.sort((a, b) => {
        const [left, right] = [key(a), key(b)];
        return left < right ? -sign : left > right ? sign : 0;
      });
    }
    this.table.setAttribute('aria-rowcount', String(this.shown.length + 1));
    if (this.options.filtered) this.options.filtered(this.shown.length, this.rows.length);
    this.built = null;
    this.build();
  }

  // The rows in view, with room above and below for the others.
  build() {
    const all = this.shown.length <= ROWS_AT_ONCE;
    const seen = Math.ceil((this.element.clientHeight || 480) / ROW_PIXELS);
    const top = all ? 0 : Math.max(0, Math.floor(this.element.scrollTop / ROW_PIXELS) - 20);
    const end = all ? this.shown.length : Math.min(this.shown.length, top + seen + 40);
    if (this.built && this.built.top === top && this.built.end === end) return;
    this.built = {top, end};
    const room = (rows) =>
        rows === 0 ? [] : [make('tr', {class: 'room', 'aria-hidden': 'true'}, this.roomCell(rows))];
    const rows = this.shown.slice(top, end).map((row, i) => this.rowElement(row, top + i));
    this.body.replaceChildren(...room(top), ...rows, ...room(this.shown.length - end));
  }

  roomCell(rows) {
    const cell = make('td', {colspan: String(this.columns.length)});
    cell.style.height = rows * ROW_PIXELS + 'px';
    return cell;
  }

  rowElement(row, index) {
    const {chosen, onchoose} = this.options;
    const cells = this.columns.map((column) => {
      const cell = make('td', {class: column.number ? 'number' : null});
      if (column.cell) {
        cell.append(column.cell(row));
      } else {
        cell.textContent = column.text(row);
      }
      return cell;
    });
    const element = make('tr', {'aria-rowindex': String(index + 2)}, ...cells);
    if (!onchoose) return element;
    element.tabIndex = 0;
    element.setAttribute('aria-selected', String(Boolean(chosen && chosen(row))));
    element.addEventListener('click', () => onchoose(row));
    element.addEventListener('keydown', (event) => this.rowKey(event, element, row));
    return element;
  }

  rowKey(event, element, row) {
    if (event.target !== element) return;
    const sibling = {ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling'}[event.key];
    if (sibling) {
      event.preventDefault();
      const next = element[sibling];
      if (next && next.tabIndex === 0) next.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.options.onchoose(row);
    }
  }

  // Shows which row is chosen without building all anew.
  refresh() {
    this.built = null;
    this.build();
  }

  scrollTo(row) {
    const index = this.shown.indexOf(row);
    if (index < 0) return;
    const top = index * ROW_PIXELS;
    const {scrollTop, clientHeight} = this.element;
    if (top < scrollTop || top > scrollTop + clientHeight - 2 * ROW_PIXELS) {
      this.element.scrollTop = Math.max(0, top - clientHeight / 2);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
