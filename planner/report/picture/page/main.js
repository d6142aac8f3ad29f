// Brings the page to life: one plan at a time, what is pinned in it, and everything that shows it.

const byId = (id) => document.getElementById(id);

class App {
  constructor(plan) {
    this.plan = plan;
    this.sections = [];  // those that were looked at
    this.tabs = null;    // the tables of the section that is shown
    this.searchBox = byId('search');
    this.look = {
      pinned: null,
      hovered: null,
      pinnedStep: null,
      hoveredStep: null,
      category: null,
      query: '',
      live: false,
      sameScale: true,
      toLimit: false,
      colors: null,
      isFaint: (tensor) => this.isFaint(tensor)
    };
    this.picture = new Picture(byId('picture'), this.look);
  }

  start() {
    this.theme = new Theme(() => this.picture.recolor());
    this.setUpSections();
    this.setUpToolbar();
    this.setUpSearch();
    listenToPointers(this);
    listenToKeys(this);
    const relay = oncePerFrame(() => this.picture.layOut());
    new ResizeObserver(relay).observe(byId('plot'));
    this.showSection(0);
  }

  showSection(index) {
    this.sections[index] =
        this.sections[index] || readSection(this.plan.sections[index], this.plan.program_memories);
    this.section = this.sections[index];
    Object.assign(
        this.look,
        {pinned: null, hovered: null, pinnedStep: null, hoveredStep: null, category: null});
    this.choices.forEach((one, i) => one.setAttribute('aria-current', String(i === index)));
    byId('cards').replaceChildren(...cardsFor(this.section));
    const nothing = this.section.memories.every((memory) => memory.peak === 0);
    byId('nothing').hidden = !nothing;
    byId('stage').hidden = nothing;
    this.picture.show(this.section);
    this.setUpColors();
    this.tabs = new TableTabs(this, this.tabs ? this.tabs.shown : 'tensors');
    this.search(this.look.query);
    this.inspect();
  }

  isFaint(tensor) {
    const {look} = this;
    if (look.query !== '' && !this.matching.has(tensor)) return true;
    return look.category !== null && look.colors.categoryOf(tensor) !== look.category;
  }

  // Pins a tensor, or nothing.
  pin(tensor, from) {
    this.look.pinned = tensor;
    this.look.pinnedStep = null;
    if (tensor && from !== 'picture') this.reveal(tensor);
    this.chosen(tensor && from !== 'table' ? this.tabs.tables.tensors : null, tensor);
    byId('said').textContent = tensor ? tensor.name + ': ' + exactBytes(tensor.exact.bytes) +
            ' in ' + this.section.memories[tensor.memory].name + ' at offset ' +
            digits(tensor.exact.offset) + ', ' + lifeText(tensor) :
                                        '';
  }

  pinStep(step) {
    this.look.pinned = null;
    this.look.pinnedStep = step;
    this.chosen(null, null);
    byId('said').textContent = stepText(this.section, step);
  }

  chosen(table, row) {
    this.inspect();
    this.tabs.refresh();
    if (table) table.scrollTo(row);
    this.picture.repaint();
  }

  // Brings a tensor into view where the picture is zoomed elsewhere.
  reveal(tensor) {
    const {time, panels} = this.picture;
    const bytes = panels[tensor.memory].bytes;
    const seen = tensor.first < time.high && tensor.last + 1 > time.low &&
        (tensor.bytes === 0 || (tensor.offset < bytes.high && tensor.end > bytes.low));
    if (!seen) this.picture.frame(tensor);
  }

  // In order of birth, among those that the search finds.
  pinNext(direction) {
    const list = (this.look.query === '' ? this.section.tensors : Array.from(this.matching))
                     .slice()
                     .sort((a, b) => a.first - b.first || a.index - b.index);
    if (list.length === 0) return;
    const at = list.indexOf(this.look.pinned);
    const next = at < 0 ? (direction > 0 ? 0 : list.length - 1) :
                          (at + direction + list.length) % list.length;
    this.pin(list[next]);
  }

  hover(found, event) {
    const {look} = this;
    const before = [look.hovered, look.hoveredStep];
    look.hovered = found && found.tensors && found.tensors.length > 0 ? found.tensors[0] : null;
    look.hoveredStep = found && !found.overview ? found.step : null;
    const tooltip = byId('tooltip');
    const lines =
        found && !found.overview && (found.lane || look.hovered) ? tooltipFor(this, found) : [];
    tooltip.hidden = lines.length === 0;
    if (lines.length > 0) {
      tooltip.replaceChildren(...lines);
      const box = tooltip.getBoundingClientRect();
      const left =
          Math.min(event.clientX + 14, document.documentElement.clientWidth - box.width - 8);
      const under = event.clientY + 18;
      const fits = under + box.height < window.innerHeight;
      tooltip.style.left = Math.max(4, left) + 'px';
      tooltip.style.top = (fits ? under : event.clientY - box.height - 10) + 'px';
    }
    this.picture.canvas.style.cursor =
        found && (found.overview || look.hovered || found.lane) ? 'pointer' : 'default';
    if (before[0] !== look.hovered || before[1] !== look.hoveredStep) this.picture.repaint();
  }

  inspect() {
    const {pinned, pinnedStep} = this.look;
    const content = pinned  ? inspectTensor(this, pinned) :
        pinnedStep !== null ? inspectStep(this, pinnedStep) :
                              inspectNothing(this);
    byId('inspector').replaceChildren(...content);
  }

  isolate(category) {
    this.look.category = category;
    byId('legend').replaceChildren(...legendFor(this));
    this.picture.repaint();
  }

  search(query) {
    this.look.query = query.trim().toLowerCase();
    const words = this.look.query.split(/\s+/);
    this.matching = new Set(
        this.look.query === '' ?
            [] :
            this.section.tensors.filter(
                (tensor) => words.every((word) => tensor.lower.includes(word))));
    byId('matches').textContent = this.look.query === '' ?
        '' :
        digits(this.matching.size) + ' of ' + digits(this.section.tensors.length);
    this.tabs.filter('tensors', query);
    this.picture.repaint();
  }

  escape() {
    byId('help').close();
    if (this.look.pinned || this.look.pinnedStep !== null) {
      this.pin(null);
    } else {
      this.searchBox.value = '';
      this.search('');
    }
    this.hover(null, null);
  }

  hint(text) {
    const hint = byId('hint');
    hint.textContent = text;
    hint.hidden = false;
    clearTimeout(this.hintTimer);
    this.hintTimer = setTimeout(() => hint.hidden = true, 1600);
  }

  help() {
    const dialog = byId('help');
    if (!dialog.open) dialog.showModal();
  }

  setUpSections() {
    const list = byId('sections');
    this.choices = this.plan.sections.map((section, i) => make('button', {
                                            type: 'button',
                                            text: section.title,
                                            onclick: () => this.showSection(i),
                                          }));
    list.append(...this.choices);
    list.hidden = this.choices.length < 2;
    const keys = KEYS.map(
        ([key, what]) =>
            make('tr', {}, make('th', {scope: 'row', text: key}), make('td', {text: what})));
    byId('keys').append(...keys);
  }

  setUpToolbar() {
    const {picture, look} = this;
    byId('zoom-in').addEventListener('click', () => picture.zoom(0.6, 'both', null));
    byId('zoom-out').addEventListener('click', () => picture.zoom(1 / 0.6, 'both', null));
    byId('zoom-all').addEventListener('click', () => picture.fit());
    byId('color-by').addEventListener('change', (event) => this.colorBy(event.target.value));
    const option = (id, name, act) => {
      byId(id).checked = look[name];
      byId(id).addEventListener('change', (event) => {
        look[name] = event.target.checked;
        act();
      });
    };
    option('live', 'live', () => picture.repaint());
    const again = () => {
      picture.setRanges();
      picture.layOut();
    };
    option('same-scale', 'sameScale', again);
    option('to-limit', 'toLimit', again);
    byId('help-button').addEventListener('click', () => this.help());
    byId('theme').addEventListener('click', () => this.theme.toggle());
  }

  setUpColors() {
    const select = byId('color-by');
    const kinds = Object.keys(COLORINGS).filter((k) => COLORINGS[k].applies(this.section));
    select.replaceChildren(
        ...kinds.map((kind) => make('option', {value: kind, text: COLORINGS[kind].label})));
    const {memories} = this.section;
    byId('same-scale').parentElement.hidden = memories.filter((m) => m.peak > 0).length < 2;
    const near = this.picture.panels.every((panel) => !panel.used || panel.limitIsNear);
    byId('to-limit').parentElement.hidden = near;
    this.colorBy(kinds[0]);
  }

  colorBy(kind) {
    this.look.colors = makeColors(this.section, kind);
    this.isolate(null);
  }

  setUpSearch() {
    this.searchBox.addEventListener('input', () => this.search(this.searchBox.value));
    this.searchBox.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.pinNext(event.shiftKey ? -1 : 1);
    });
  }
}

const app = new App(readPlan());
makeTabKeys(byId('table-tabs'));
app.start();
// For the curious, and for the tests.
window.arenite = app;

// SPDX-License-Identifier: Apache-2.0
