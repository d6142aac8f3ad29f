// The picture: a panel for each memory over one time axis, drawn on a canvas.

const GAP = 16;           // pixels between panels
const TITLE = 26;         // above each panel
const PANEL_LEAST = 110;  // pixels of what holds something
const OVERVIEW = 46;
const TIME_TICKS = 22;
const LANE_NAMES = 104;  // below the cells of the step lane
const LANE_NAMES_ACROSS = 56;
const LANE_CELLS = 16;
const CELL_ACROSS = 64;  // pixels; in narrower ones names stand upright
const NARROW = 640;

class Picture {
  // `look` says how tensors appear: {colors, query, pinned, hovered, live, sameScale, toLimit,
  // weights},
  // and isFaint(tensor).
  constructor(canvas, look) {
    this.canvas = canvas;
    this.look = look;
    this.context = canvas.getContext('2d');
    this.repaint = oncePerFrame(() => this.paint());
    this.theme = {};
  }

  show(section) {
    this.section = section;
    this.time = new Range(section.first, section.end, Math.min(1, section.end - section.first));
    this.panels = section.memories.filter((memory) => !memory.isWeights || this.look.weights)
                      .map((memory) => ({memory}));
    this.setRanges();
    this.layOut();
  }

  // Each memory is drawn up to its peak, and to its limit if that is near.
  setRanges() {
    for (const panel of this.panels) {
      const {peak, bound, size} = panel.memory;
      panel.used = peak > 0;
      // Beside the plan before, both have one scale.
      let top = Math.max(peak, bound, this.look.tops.get(panel.memory.name) || 1);
      panel.limitIsNear = size === null || size <= top * 1.7;
      panel.limitShown = size !== null && (panel.limitIsNear || this.look.toLimit);
      if (panel.limitShown) top = Math.max(top, size);
      panel.bytes = new Range(0, top * 1.05, Math.min(16, top));
    }
  }

  readTheme() {
    this.theme = colorsOfPage();
    this.font = getComputedStyle(document.body).fontFamily;
  }

  // The colors of the page are others.
  recolor() {
    this.readTheme();
    this.repaint();
  }

  layOut() {
    this.readTheme();
    this.width = Math.max(240, Math.floor(this.canvas.parentElement.clientWidth));
    this.narrow = this.width < NARROW;
    this.left = this.narrow ? 56 : 66;
    this.right = this.width - (this.narrow ? 62 : 96);
    this.setHeights();
    let y = 4;
    for (const panel of this.panels) {
      panel.top = y + TITLE;
      y = panel.top + panel.height + (panel.used ? GAP : 2);
    }
    const known = costsOf(this.section);
    this.costs = {known, top: y + COSTS_TITLE, height: known ? COSTS : 0};
    if (known) y += COSTS_TITLE + COSTS + 4;
    this.lane = {top: y, height: this.laneHeight()};
    this.ticksTop = this.lane.top + this.lane.height;
    const columns = Math.floor(this.right - this.left);
    this.overview = {
      top: this.ticksTop + TIME_TICKS + 14,
      height: OVERVIEW,
      columns: overviewOf(this.section, columns)
    };
    this.height = this.overview.top + this.overview.height + 20;
    sizeCanvas(this.context, this.width, this.height);
    this.repaint();
  }

  // Names across take less than upright ones.
  laneHeight() {
    if (this.section.steps.length === 0) return 0;
    const cell = (this.right - this.left) / (this.section.end - this.section.first);
    return LANE_CELLS + (cell >= CELL_ACROSS ? LANE_NAMES_ACROSS : LANE_NAMES);
  }

  // To one scale, where that leaves every memory something to look at.
  setHeights() {
    for (const panel of this.panels) panel.height = panel.memory.isWeights ? PANEL_LEAST : 0;
    const used = this.panels.filter((panel) => panel.used && !panel.memory.isWeights);
    const room = Math.min(Math.max(window.innerHeight * 0.52, 300), 620) + 90 * (used.length - 1);
    const bytes = used.reduce((sum, panel) => sum + panel.bytes.most, 0);
    for (const panel of used) {
      const share = this.look.sameScale ? panel.bytes.most / bytes : 1 / used.length;
      panel.height = Math.max(PANEL_LEAST, Math.floor(room * share));
    }
    const scale = Math.min(...used.map((panel) => panel.height / panel.bytes.most));
    for (const panel of used) panel.enlarged = panel.height / panel.bytes.most / scale;
  }

  x(step) {
    return this.left + (step - this.time.low) / this.time.length * (this.right - this.left);
  }

  stepAt(x) {
    return this.time.low + (x - this.left) / (this.right - this.left) * this.time.length;
  }

  y(panel, bytes) {
    return panel.top + panel.height * (1 - (bytes - panel.bytes.low) / panel.bytes.length);
  }

  bytesAt(panel, y) {
    return panel.bytes.low + (1 - (y - panel.top) / panel.height) * panel.bytes.length;
  }

  fit() {
    this.time.fit();
    for (const panel of this.panels) panel.bytes.fit();
    this.repaint();
  }

  // Around a point of the canvas; of the middle of all where there is none.
  zoom(factor, axes, at) {
    if (axes !== 'bytes') {
      this.time.zoom(factor, at ? this.stepAt(at.x) : (this.time.low + this.time.high) / 2);
    }
    const under = at ? this.panelAt(at.y) : null;
    for (const panel of at ? [under] : this.panels) {
      if (!panel || !panel.used || axes === 'time') continue;
      const {low, high} = panel.bytes;
      panel.bytes.zoom(factor, at ? this.bytesAt(panel, at.y) : (low + high) / 2);
    }
    this.repaint();
  }

  // By pixels; bytes of the panel that was taken hold of, or of all.
  move(dx, dy, panel) {
    this.time.move(-dx / (this.right - this.left) * this.time.length);
    for (const moved of panel ? [panel] : this.panels) {
      if (moved.used) moved.bytes.move(dy / moved.height * moved.bytes.length);
    }
    this.repaint();
  }

  frame(tensor) {
    this.time.frame(tensor.first, tensor.last + 1, 0.6);
    const panel = this.panels[tensor.memory];
    if (panel && tensor.bytes > 0) panel.bytes.frame(tensor.offset, tensor.end, 0.6);
    this.repaint();
  }

  panelAt(y) {
    return this.panels.find((p) => p.used && y >= p.top && y <= p.top + p.height) || null;
  }

  // Returns what lies at a point: {tensors (smallest first), panel, step}, {step, lane: true} or
  // {overview: true, time}; null outside.
  at(x, y) {
    if (y >= this.overview.top && y <= this.overview.top + this.overview.height) {
      return {overview: true};
    }
    if (x < this.left || x > this.right) return null;
    const time = this.stepAt(x);
    const step = Math.floor(time);
    if (step < this.section.first || step >= this.section.end) return null;
    const panel = this.panelAt(y);
    if (panel) {
      const bytes = this.bytesAt(panel, y);
      const tensors = panel.memory.tensors.filter(
          (t) => t.first <= time && time < t.last + 1 && t.offset <= bytes && bytes < t.end &&
              holdsByte(t, step, bytes - t.offset));
      return {tensors: tensors.reverse(), panel, step, bytes};
    }
    const above = this.costs.height ? this.costs.top : this.lane.top;
    const inLane = y >= above && y <= this.ticksTop + TIME_TICKS;
    return inLane ? {step, lane: true} : null;
  }

  paint() {
    if (!this.section || this.width === 0) return;
    const context = this.context;
    context.fillStyle = this.theme.ground;
    context.fillRect(0, 0, this.width, this.height);
    context.textBaseline = 'alphabetic';
    for (const panel of this.panels) paintPanel(this, panel);
    paintCosts(this);
    paintLane(this);
    paintTimeTicks(this);
    paintOverview(this);
  }
}

// SPDX-License-Identifier: Apache-2.0
