// The tables of a plan, one tab each, with a filter.

const TABLES = [
  {
    key: 'changes',
    title: 'Changes',
    make: changeTable,
    rows: (section, app) => app.changes ? Math.max(app.changes.length, 1) : 0,
    uncounted: true
  },
  {key: 'tensors', title: 'Tensors', make: tensorTable, rows: (section) => section.tensors.length},
  {key: 'steps', title: 'Steps', make: stepTable, rows: (section) => section.steps.length},
  {key: 'weights', title: 'Weights', make: weightTable, rows: (section) => section.weights.length},
  {
    key: 'memories',
    title: 'Memories',
    make: memoryTable,
    rows: (section) => section.memories.length + section.programMemories.length
  },
  {
    key: 'passes',
    title: 'Passes',
    make: passTable,
    rows: (section) => section.lowering ? 1 : 0,
    uncounted: true
  },
];

// The panes of a section; `shown` is the key of the one to begin with, where it is there.
class TableTabs {
  constructor(app, shown) {
    this.panes = TABLES.filter((table) => table.rows(app.section, app) > 0)
                     .map((table) => this.makePane(app, table));
    this.tables = Object.fromEntries(this.panes.map(({key, table}) => [key, table]));
    const list = document.getElementById('table-tabs');
    list.replaceChildren(...this.panes.map(({tab}) => tab));
    document.getElementById('panes').replaceChildren(...this.panes.map(({pane}) => pane));
    this.show(this.tables[shown] ? shown : this.panes[0].key);
  }

  makePane(app, {key, title, make: makeTable, rows, uncounted}) {
    const status = make('span', {class: 'muted', role: 'status'});
    const table = makeTable(app, (some, all) => {
      status.textContent = some === all ? '' : digits(some) + ' of ' + digits(all);
    });
    const filter = make('input', {
      type: 'search',
      placeholder: 'Filter',
      class: 'filter',
      'aria-label': 'Filter ' + title.toLowerCase(),
      oninput: () => table.filter(filter.value),
    });
    const pane = make(
        'div', {role: 'tabpanel', id: 'pane-' + key, 'aria-label': title},
        make('p', {class: 'filters'}, filter, status), table.element);
    const count =
        make('span', {class: 'count', text: uncounted ? '' : digits(rows(app.section, app))});
    const tab = make(
        'button', {
          type: 'button',
          role: 'tab',
          id: 'tab-' + key,
          'aria-controls': 'pane-' + key,
          onclick: () => this.show(key)
        },
        title, count);
    return {key, table, filter, pane, tab};
  }

  show(shown) {
    this.shown = shown;
    for (const {key, tab, pane} of this.panes) {
      tab.setAttribute('aria-selected', String(key === shown));
      tab.tabIndex = key === shown ? 0 : -1;
      pane.hidden = key !== shown;
    }
    this.tables[shown].refresh();
  }

  filter(key, text) {
    for (const pane of this.panes.filter((one) => one.key === key)) {
      pane.filter.value = text;
      pane.table.filter(text);
    }
  }

  // Shows which rows are chosen.
  refresh() {
    for (const {table} of this.panes) table.refresh();
  }
}

// Arrows move among the tabs of a list, as its role promises.
function makeTabKeys(list) {
  list.addEventListener('keydown', (event) => {
    const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    const tabs = Array.from(list.querySelectorAll('[role=tab]'));
    const at = tabs.indexOf(event.target);
    if (!by || at < 0) return;
    event.preventDefault();
    const next = tabs[(at + by + tabs.length) % tabs.length];
    next.focus();
    next.click();
  });
}

// SPDX-License-Identifier: Apache-2.0
