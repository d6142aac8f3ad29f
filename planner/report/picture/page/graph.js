// The network as a graph: a box for each step, with operator, nodes, form and device; lines are
// tensors.

const BOX = {
  width: 168,
  height: 38
};
const BOX_APART = {
  x: 184,
  y: 62
};
const GRAPH_SCALES = [0.02, 2.5];
const LINE_NEAR = 6;  // pixels from a line that count as on it

class Graph {
  // `app` has look, section, pin(tensor), pinStep(step), hoverGraph(found, event).
  constructor(canvas, app) {
    this.canvas = canvas;
    this.app = app;
    this.context = canvas.getContext('2d');
    this.repaint = oncePerFrame(() => this.paint());
    this.theme = {};
    this.listen();
  }

  show(section) {
    this.section = section;
    this.drawing = section.steps.length > 0 ? layersOf(section) : null;
    this.layOut();
    this.fit();
  }

  readTheme() {
    this.theme = colorsOfPage();
    this.font = getComputedStyle(document.body).fontFamily;
  }

  layOut() {
    this.readTheme();
    const box = this.canvas.parentElement;
    this.width = Math.max(200, Math.floor(box.clientWidth));
    this.height = Math.max(200, Math.floor(box.clientHeight));
    sizeCanvas(this.context, this.width, this.height);
    this.repaint();
  }

  // As much of the network from its top as can be read.
  fit() {
    if (!this.drawing) return;
    const {left, right, layers} = this.drawing;
    const wide = (right - left) * BOX_APART.x + BOX.width + 24;
    const high = layers.length * BOX_APART.y + 16;
    const whole = Math.min(this.width / wide, this.height / high);
    const readable = Math.min(0.95, Math.max(0.45, this.width / wide));
    this.scale = Math.min(1, Math.max(whole, readable));
    this.x0 = this.width / 2 - (left + right) / 2 * BOX_APART.x * this.scale;
    this.y0 = 10;
    this.repaint();
  }

  zoom(factor, at) {
    const point = at || {x: this.width / 2, y: this.height / 2};
    const scale = Math.min(Math.max(this.scale * factor, GRAPH_SCALES[0]), GRAPH_SCALES[1]);
    this.x0 = point.x - (point.x - this.x0) * scale / this.scale;
    this.y0 = point.y - (point.y - this.y0) * scale / this.scale;
    this.scale = scale;
    this.repaint();
  }

  move(dx, dy) {
    this.x0 += dx;
    this.y0 += dy;
    this.repaint();
  }

  // Brings a step into view.
  reveal(step) {
    const node = this.drawing ? this.drawing.nodes[step] : null;
    if (!node) return;
    const box = this.boxOf(node);
    const inside = box.left >= 0 && box.left + box.width <= this.width && box.top >= 0 &&
        box.top + box.height <= this.height;
    if (inside) return;
    this.move(
        this.width / 2 - box.left - box.width / 2, this.height / 2 - box.top - box.height / 2);
  }

  boxOf(node) {
    return {
      left: this.x0 + (node.x * BOX_APART.x - BOX.width / 2) * this.scale,
      top: this.y0 + node.layer * BOX_APART.y * this.scale,
      width: BOX.width * this.scale,
      height: BOX.height * this.scale
    };
  }

  // The layers that are seen, from the first to the last.
  seenLayers() {
    const pitch = BOX_APART.y * this.scale;
    return [
      Math.max(0, Math.floor(-this.y0 / pitch) - 1),
      Math.min(this.drawing.layers.length - 1, Math.ceil((this.height - this.y0) / pitch))
    ];
  }

  paint() {
    const {context} = this;
    context.fillStyle = this.theme.plot;
    context.fillRect(0, 0, this.width, this.height);
    if (!this.drawing || !this.app.look.colors) return;
    this.paintEdges();
    const [first, last] = this.seenLayers();
    for (let layer = first; layer <= last; ++layer) {
      for (const node of this.drawing.layers[layer]) this.paintNode(node);
    }
  }

  paintEdges() {
    const {context, theme} = this;
    const {look} = this.app;
    const [first, last] = this.seenLayers();
    const strong = [];
    context.strokeStyle = theme.muted;
    context.globalAlpha = 0.55;
    context.lineWidth = Math.max(0.6, 1.1 * Math.sqrt(this.scale));
    context.beginPath();
    for (const edge of this.drawing.edges) {
      if (edge.from.layer > last || edge.to.layer < first) continue;
      const chosen = edge.tensor === look.pinned || edge.tensor === look.hovered ||
          this.isChosen(edge.from.step) || this.isChosen(edge.to.step);
      if (chosen) {
        strong.push(edge);
      } else {
        this.trace(edge);
      }
    }
    context.stroke();
    context.globalAlpha = 1;
    context.strokeStyle = theme.accent;
    context.lineWidth = 2.2;
    context.beginPath();
    for (const edge of strong) this.trace(edge);
    context.stroke();
  }

  isChosen(step) {
    const {look} = this.app;
    return step === look.pinnedStep || step === look.hoveredStep;
  }

  // The four points of an edge's curve.
  curve(edge) {
    const from = this.boxOf(edge.from);
    const to = this.boxOf(edge.to);
    const [x1, y1] = [from.left + from.width / 2, from.top + from.height];
    const [x2, y2] = [to.left + to.width / 2, to.top];
    // A line past other layers goes around the boxes between.
    const span = edge.to.layer - edge.from.layer;
    if (span > 1 && Math.abs(x2 - x1) < BOX.width * this.scale) {
      const aside = (BOX.width / 2 + 8 + Math.min(4 * span, 36)) / 0.75 * this.scale;
      return [x1, y1, x1 + aside, y1, x2 + aside, y2, x2, y2];
    }
    const bend = Math.min((y2 - y1) / 2, 46 * this.scale);
    return [x1, y1, x1, y1 + bend, x2, y2 - bend, x2, y2];
  }

  trace(edge) {
    const [x1, y1, ax, ay, bx, by, x2, y2] = this.curve(edge);
    this.context.moveTo(x1, y1);
    this.context.bezierCurveTo(ax, ay, bx, by, x2, y2);
  }

  paintNode(node) {
    const {context, theme} = this;
    const {look} = this.app;
    const step = this.section.steps[node.step];
    const box = this.boxOf(node);
    if (box.left > this.width || box.left + box.width < 0) return;
    const touched = look.pinned &&
        (look.pinned.readBy.includes(node.step) || look.pinned.writtenBy.includes(node.step));
    context.fillStyle = look.colors.step(node.step);
    context.fillRect(box.left, box.top, box.width, box.height);
    if (this.isChosen(node.step) || touched) {
      context.strokeStyle = theme.ink;
      context.lineWidth = node.step === look.pinnedStep ? 3 : 2;
      context.strokeRect(box.left, box.top, box.width, box.height);
    }
    if (this.scale < 0.42) return;
    const size = Math.max(8, 11 * Math.min(this.scale, 1.3));
    const room = box.width - 10 * this.scale;
    context.fillStyle = TEXT_ON_COLOR;
    context.textAlign = 'left';
    context.font = '600 ' + size + 'px ' + this.font;
    const fused = step.name.split('+').length;
    const device = {cpu: 'CPU', vulkan: 'GPU', transfer: 'copy'}[step.where] || step.where;
    const head = node.step + ' ' + step.op + (fused > 1 ? ' (' + fused + ' nodes)' : '');
    context.fillText(
        fitted(context, head, room - size * 2.6), box.left + 5 * this.scale,
        box.top + box.height * 0.4);
    context.font = size * 0.9 + 'px ' + this.font;
    context.textAlign = 'right';
    context.fillText(device, box.left + box.width - 5 * this.scale, box.top + box.height * 0.4);
    context.textAlign = 'left';
    const form = step.form.includes('.') ? step.form.split('.')[1] : step.form;
    const line = step.label + (form ? ' · ' + form : '');
    context.fillText(
        fitted(context, line, room), box.left + 5 * this.scale, box.top + box.height * 0.82);
  }

  // The step or the tensor at a point; null where there is none.
  at(point) {
    if (!this.drawing) return null;
    const [first, last] = this.seenLayers();
    for (let layer = first; layer <= last; ++layer) {
      for (const node of this.drawing.layers[layer]) {
        const box = this.boxOf(node);
        if (point.x >= box.left && point.x <= box.left + box.width && point.y >= box.top &&
            point.y <= box.top + box.height) {
          return {step: node.step};
        }
      }
    }
    for (const edge of this.drawing.edges) {
      if (edge.from.layer > last || edge.to.layer < first) continue;
      const [x1, y1, ax, ay, bx, by, x2, y2] = this.curve(edge);
      if (point.y < y1 - LINE_NEAR || point.y > y2 + LINE_NEAR) continue;
      for (let i = 1; i < 16; ++i) {
        const t = i / 16;
        const [u, v, w, z] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
        const x = u * x1 + v * ax + w * bx + z * x2;
        const y = u * y1 + v * ay + w * by + z * y2;
        if (Math.hypot(point.x - x, point.y - y) < LINE_NEAR) return {tensor: edge.tensor};
      }
    }
    return null;
  }

  // The step that an arrow leads to from the pinned one; the first where none is pinned.
  stepTowards(key) {
    const {look} = this.app;
    const at = look.pinnedStep === null ? null : this.drawing.nodes[look.pinnedStep];
    if (!at) return this.drawing.layers[0][0].step;
    const layer = this.drawing.layers[at.layer];
    const next = {
      ArrowUp: () => at.above[0],
      ArrowDown: () => at.below[0],
      ArrowLeft: () => layer[layer.indexOf(at) - 1],
      ArrowRight: () => layer[layer.indexOf(at) + 1]
    }[key]();
    return next ? next.step : at.step;
  }

  listen() {
    const {canvas} = this;
    let drag = null;
    const point = (event) => {
      const box = canvas.getBoundingClientRect();
      return {x: event.clientX - box.left, y: event.clientY - box.top};
    };
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      canvas.focus({preventScroll: true});
      canvas.setPointerCapture(event.pointerId);
      drag = {last: point(event), moved: 0};
    });
    canvas.addEventListener('pointermove', (event) => {
      const at = point(event);
      if (!drag) {
        const found = this.at(at);
        canvas.style.cursor = found ? 'pointer' : 'grab';
        this.app.hoverGraph(found, event);
        return;
      }
      drag.moved += Math.hypot(at.x - drag.last.x, at.y - drag.last.y);
      if (drag.moved > DRAG_PIXELS) this.move(at.x - drag.last.x, at.y - drag.last.y);
      drag.last = at;
    });
    canvas.addEventListener('pointerup', (event) => {
      const found = drag && drag.moved <= DRAG_PIXELS ? this.at(point(event)) : null;
      drag = null;
      if (!found) return;
      if (found.tensor) {
        this.app.pin(found.tensor, 'graph');
      } else {
        this.app.pinStep(found.step, 'graph');
      }
    });
    canvas.addEventListener('pointercancel', () => drag = null);
    canvas.addEventListener('pointerleave', (event) => this.app.hoverGraph(null, event));
    canvas.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;
      event.preventDefault();
      const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
      this.zoom(Math.exp(Math.max(-1, Math.min(1, -event.deltaY * unit * 0.002))), point(event));
    }, {passive: false});
  }
}

// SPDX-License-Identifier: Apache-2.0
