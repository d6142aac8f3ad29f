// Lines over a memory: live bytes, limit, peak and bound, and outlines of what matters.

function paintLive(picture, panel) {
  const {context, theme} = picture;
  context.strokeStyle = theme.ink;
  context.lineWidth = 1.5;
  context.beginPath();
  let last = null;
  for (const span of panel.memory.live) {
    const y = picture.y(panel, span.bytes);
    if (last === null) context.moveTo(picture.x(span.first), y);
    context.lineTo(picture.x(span.first), y);
    context.lineTo(picture.x(span.last + 1), y);
    last = span;
  }
  context.stroke();
}

// Tints what does not fit: the ground above the limit, and what reaches into it.
function tintBeyondLimit(picture, panel) {
  const {context, theme} = picture;
  const {size, peak} = panel.memory;
  if (size === null || peak <= size) return;
  const bottom = Math.min(picture.y(panel, size), panel.top + panel.height);
  if (bottom <= panel.top) return;
  context.globalAlpha = 0.22;
  context.fillStyle = theme.bad;
  context.fillRect(picture.left, panel.top, picture.right - picture.left, bottom - panel.top);
  context.globalAlpha = 1;
}

function outlineBeyondLimit(picture, panel) {
  const {size, peak} = panel.memory;
  if (size === null || peak <= size) return;
  picture.context.strokeStyle = picture.theme.bad;
  picture.context.lineWidth = 1.5;
  for (const tensor of panel.memory.tensors) {
    if (tensor.end > size && tensor.bytes > 0) outline(picture, panel, tensor);
  }
}

function outline(picture, panel, tensor) {
  const left = picture.x(tensor.first);
  const top = picture.y(panel, tensor.end);
  picture.context.strokeRect(
      left, top, Math.max(picture.x(tensor.last + 1) - left - 1, 1),
      Math.max(picture.y(panel, tensor.offset) - top - 1, 1));
}

function outlineChosen(picture, panel) {
  const {context, look, theme} = picture;
  // What the chosen step reads and writes.
  const step = look.pinnedStep !== null ? look.pinnedStep : look.hoveredStep;
  if (step !== null && step !== undefined && look.stepShows) {
    context.strokeStyle = theme.accent;
    context.lineWidth = 2;
    for (const tensor of panel.memory.tensors) {
      if (tensor.bytes === 0) continue;
      if (tensor.readBy.includes(step) || tensor.writtenBy.includes(step)) {
        outline(picture, panel, tensor);
      }
    }
  }
  for (const [tensor, width] of [[look.hovered, 1.5], [look.pinned, 3]]) {
    if (!tensor || tensor.memory !== panel.memory.index || tensor.bytes === 0) continue;
    context.strokeStyle = theme.ink;
    context.lineWidth = width;
    outline(picture, panel, tensor);
  }
}

// Lines across the panel, with their names in the right margin, pushed apart where they are close.
function paintMarks(picture, panel) {
  const {context, theme} = picture;
  const {memory} = panel;
  const marks = [];
  if (memory.peak === memory.bound && !picture.narrow) {
    marks.push({words: 'peak = bound', bytes: memory.peak, color: theme.ink, dash: []});
  } else {
    marks.push({words: 'peak', bytes: memory.peak, color: theme.ink, dash: []});
    marks.push({words: 'bound', bytes: memory.bound, color: theme.good, dash: [6, 4]});
  }
  if (memory.size !== null) {
    marks.push({
      words: panel.limitShown ? 'limit' : '↑ limit',
      bytes: memory.size,
      color: theme.bad,
      dash: []
    });
  }
  const placed = [];
  for (const mark of marks.sort((a, b) => b.bytes - a.bytes)) {
    const y = Math.round(picture.y(panel, mark.bytes));
    const above = y < panel.top;
    if (y > panel.top + panel.height + 1 || (above && mark.words !== '↑ limit')) continue;
    const line = above ? panel.top - 1 : y;
    if (!above) {
      context.strokeStyle = mark.color;
      context.lineWidth = mark.words === 'limit' ? 2 : 1.5;
      context.setLineDash(mark.dash);
      context.beginPath();
      context.moveTo(picture.left, line);
      context.lineTo(picture.right + 5, line);
      context.stroke();
      context.setLineDash([]);
    }
    placed.push({...mark, y: line + 4});
  }
  labelMarks(picture, placed);
}

function labelMarks(picture, marks) {
  const {context} = picture;
  let free = -Infinity;
  context.textAlign = 'left';
  for (const mark of marks) {
    const y = Math.max(mark.y, free);
    context.fillStyle = mark.color;
    context.font = '600 11px ' + picture.font;
    context.fillText(mark.words, picture.right + 8, y);
    context.font = '11px ' + picture.font;
    context.fillText(shortBytes(mark.bytes), picture.right + 8, y + 12);
    free = y + 27;
  }
}

// SPDX-License-Identifier: Apache-2.0
