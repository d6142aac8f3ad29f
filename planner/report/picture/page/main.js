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
      weights: true,
      tops: new Map(),  // the least bytes that a memory is drawn up to, by its name
      stepShows: true,  // outlines what the chosen step reads and writes
      colors: null,
      isFaint: (tensor) => this.isFaint(tensor)
    };
    this.picture = new Picture(byId('picture'), this.look);
    this.graph = new Graph(byId('graph'), this);
    this.beforePicture = new Picture(byId('before'), this.lookBefore());
  }

  start() {
    this.theme = new Theme(() => {
      this.picture.recolor();
      this.graph.readTheme();
      this.graph.repaint();
      if (this.before) this.beforePicture.recolor();
    });
    this.setUpSections();
    this.setUpToolbar();
    this.setUpSearch();
    listenToPointers(this);
    listenToKeys(this);
    const relay = oncePerFrame(() => this.picture.layOut());
    new ResizeObserver(relay).observe(byId('plot'));
    new ResizeObserver(oncePerFrame(() => this.graph.layOut())).observe(byId('graph-plot'));
    new ResizeObserver(oncePerFrame(() => {
      if (this.before) this.beforePicture.layOut();
    })).observe(byId('before-plot'));
    // The one whose steps were measured, if there is one.
    this.showSection(Math.max(0, this.plan.sections.findIndex((one) => one.cost_unit)));
  }

  showSection(index) {
    this.sections[index] =
        this.sections[index] || readSection(this.plan.sections[index], this.plan.program_memories);
    this.section = this.sections[index];
    Object.assign(
        this.look,
        {pinned: null, hovered: null, pinnedStep: null, hoveredStep: null, category: null});
    this.before = sectionBefore(this.plan, this.plan.sections[index]);
    this.changes = this.before ? changesBetween(this.before, this.section) : null;
    this.beforeByName = this.before ? byName(this.before.tensors) : null;
    this.look.tops.clear();
    for (const memory of this.before ? this.before.memories.concat(this.section.memories) : []) {
      const before = this.look.tops.get(memory.name) || 0;
      this.look.tops.set(memory.name, Math.max(before, memory.peak, memory.bound));
    }
    byId('before-side').hidden = !this.before;
    byId('stage').classList.toggle('compared', Boolean(this.before));
    byId('now-title').hidden = !this.before;
    const none = this.plan.before && !this.before;
    byId('no-before').hidden = !none;
    byId('network').hidden = this.section.steps.length === 0;
    this.choices.forEach((one, i) => one.setAttribute('aria-current', String(i === index)));
    byId('cards').replaceChildren(...cardsFor(this.section));
    const nothing = this.section.memories.every((memory) => memory.peak === 0 || memory.isWeights);
    byId('nothing').hidden = !nothing;
    byId('stage').hidden = nothing;
    this.picture.show(this.section);
    if (this.before) {
      byId('before-title').textContent = 'Before: ' + this.plan.before.file;
      this.beforePicture.show(this.before);
    }
    this.setUpColors();
    this.graph.show(this.section);
    this.tabs = new TableTabs(
        this,
        this.tabs       ? this.tabs.shown :
            this.before ? 'changes' :
                          'tensors');
    this.search(this.look.query);
    this.inspect();
  }

  isFaint(tensor) {
    const {look} = this;
    if (look.query !== '' && !this.matching.has(tensor)) return true;
    return look.category !== null && look.colors.categoryOf(tensor) !== look.category;
  }

  // The same look for the earlier plan: tensors go by their names.
  lookBefore() {
    const same = (tensor) =>
        tensor && this.beforeByName ? this.beforeByName.get(tensor.name) || null : null;
    const {look} = this;
    return {
      get pinned() {
        return same(look.pinned);
      },
      get hovered() {
        return same(look.hovered);
      },
      pinnedStep: null,
      hoveredStep: null,
      query: '',
      sameScale: true,
      toLimit: false,
      weights: true,
      stepShows: false,
      tops: look.tops,
      get live() {
        return look.live;
      },
      colors: null,
      isFaint: () => false
    };
  }

  // Pins a tensor, or nothing.
  pin(tensor, from) {
    this.look.pinned = tensor;
    this.look.pinnedStep = null;
    if (tensor && from !== 'picture') this.reveal(tensor);
    if (tensor && from !== 'graph') {
      const [step] = tensor.writtenBy.length > 0 ? tensor.writtenBy : tensor.readBy;
      if (step !== undefined) this.graph.reveal(step);
    }
    const table = tensor && tensor.isWeight ? this.tabs.tables.weights : this.tabs.tables.tensors;
    const fromTable = ['table', 'weights', 'changes'].includes(from);
    this.chosen(tensor && !fromTable ? table : null, tensor);
    byId('said').textContent = tensor ? tensor.name + ': ' + exactBytes(tensor.exact.bytes) +
            ' in ' + this.section.memories[tensor.memory].name + ' at offset ' +
            digits(tensor.exact.offset) + ', ' + lifeText(tensor) :
                                        '';
  }

  pinStep(step, from) {
    this.look.pinned = null;
    this.look.pinnedStep = step;
    if (from !== 'graph') this.graph.reveal(step);
    this.chosen(null, null);
    byId('said').textContent = stepText(this.section, step);
  }

  chosen(table, row) {
    this.inspect();
    this.tabs.refresh();
    if (table) table.scrollTo(row);
    this.repaint();
  }

  repaint() {
    this.picture.repaint();
    this.graph.repaint();
    if (this.before) this.beforePicture.repaint();
  }

  // Brings a tensor into view where the picture is zoomed elsewhere.
  reveal(tensor) {
    const {time, panels} = this.picture;
    if (!panels[tensor.memory]) return;
    const {bytes} = panels[tensor.memory];
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
    const lines =
        found && !found.overview && (found.lane || look.hovered) ? tooltipFor(this, found) : [];
    this.showTooltip(lines, event);
    this.picture.canvas.style.cursor =
        found && (found.overview || look.hovered || found.lane) ? 'pointer' : 'default';
    if (before[0] !== look.hovered || before[1] !== look.hoveredStep) this.repaint();
  }

  // What is under the mouse in the network.
  hoverGraph(found, event) {
    const {look} = this;
    const before = [look.hovered, look.hoveredStep];
    look.hovered = found && found.tensor ? found.tensor : null;
    look.hoveredStep = found && found.step !== undefined ? found.step : null;
    const lines = look.hovered    ? tooltipFor(this, {tensors: [look.hovered]}) :
        look.hoveredStep !== null ? tooltipFor(this, {lane: true, step: look.hoveredStep}) :
                                    [];
    this.showTooltip(lines, event);
    if (before[0] !== look.hovered || before[1] !== look.hoveredStep) this.repaint();
  }

  showTooltip(lines, event) {
    const tooltip = byId('tooltip');
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
    this.repaint();
  }

  search(query) {
    this.look.query = query.trim().toLowerCase();
    const words = this.look.query.split(/\s+/);
    this.matching = new Set(
        this.look.query === '' ?
            [] :
            this.section.tensors.concat(this.section.weights)
                .filter((tensor) => words.every((word) => tensor.lower.includes(word))));
    byId('matches').textContent = this.look.query === '' ? '' :
                                                           digits(this.matching.size) + ' of ' +
            digits(this.section.tensors.length + this.section.weights.length);
    this.tabs.filter('tensors', query);
    this.tabs.filter('weights', query);
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
    option('weights', 'weights', () => picture.show(this.section));
    byId('graph-out').addEventListener('click', () => this.graph.zoom(0.6, null));
    byId('graph-in').addEventListener('click', () => this.graph.zoom(1 / 0.6, null));
    byId('graph-all').addEventListener('click', () => this.graph.fit());
    byId('help-button').addEventListener('click', () => this.help());
    byId('theme').addEventListener('click', () => this.theme.toggle());
  }

  setUpColors() {
    const select = byId('color-by');
    const kinds = Object.keys(COLORINGS).filter((k) => COLORINGS[k].applies(this.section));
    select.replaceChildren(
        ...kinds.map((kind) => make('option', {value: kind, text: COLORINGS[kind].label})));
    const {memories} = this.section;
    const used = memories.filter((m) => m.peak > 0 && !m.isWeights);
    byId('same-scale').parentElement.hidden = used.length < 2;
    byId('weights').parentElement.hidden = this.section.weights.length === 0;
    const near = this.picture.panels.every((panel) => !panel.used || panel.limitIsNear);
    byId('to-limit').parentElement.hidden = near;
    this.colorBy(kinds[0]);
  }

  colorBy(kind) {
    this.look.colors = makeColors(this.section, kind);
    if (this.before) this.beforePicture.look.colors = makeColors(this.before, kind);
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
