// Draws what lies under the memories: the steps with their names, the time axis, the overview.

// A cell for each step in the color of its operator; names below, as many as there is room for.
function paintLane(picture) {
  const {context, theme, section, look} = picture;
  const {top, height} = picture.lane;
  if (height === 0) return;
  const first = Math.max(Math.floor(picture.time.low), section.first);
  const last = Math.min(Math.ceil(picture.time.high), section.end) - 1;
  const cell = picture.x(1) - picture.x(0);
  context.save();
  context.beginPath();
  context.rect(picture.left, top, picture.right - picture.left, height);
  context.clip();
  for (let step = first; step <= last; ++step) {
    const left = picture.x(step);
    context.globalAlpha = section.steps[step] && section.steps[step].where === 'view' ? 0.35 : 1;
    context.fillStyle = look.colors.step(step);
    context.fillRect(left, top, Math.max(cell - (cell > 3 ? 1 : 0), 0.75), LANE_CELLS - 4);
  }
  context.globalAlpha = 1;
  const each = Math.max(1, Math.ceil(13 / cell));
  for (let step = Math.ceil(first / each) * each; step <= last; step += each) {
    nameStep(picture, step, cell * each);
  }
  const chosen = look.pinnedStep !== null ? look.pinnedStep : look.hoveredStep;
  if (chosen !== null && chosen !== undefined) {
    context.strokeStyle = theme.ink;
    context.lineWidth = 2;
    context.strokeRect(picture.x(chosen), top + 1, Math.max(cell - 1, 2), LANE_CELLS - 6);
  }
  if (look.pinned) markUses(picture, look.pinned, cell);
  context.restore();
}

// Writes a name across if there is room, else upright, bottom to top.
function nameStep(picture, step, room) {
  const {context, theme, section} = picture;
  const known = section.steps[step];
  if (!known) return;
  const middle = (picture.x(step) + picture.x(step + 1)) / 2;
  const top = picture.lane.top + LANE_CELLS;
  context.font = '10.5px ' + picture.font;
  if (room >= CELL_ACROSS) {
    const left = picture.x(step) + 2;
    const letters = Math.floor((room - 6) / 5.8);
    context.textAlign = 'left';
    context.fillStyle = theme.ink;
    context.fillText(shortened(known.op, letters), left, top + 10);
    context.fillStyle = theme.muted;
    const lines = folded(known.label, letters, 3);
    lines.forEach((line, i) => context.fillText(line, left, top + 24 + 13 * i));
    return;
  }
  context.fillStyle = theme.muted;
  context.textAlign = 'right';
  context.save();
  context.translate(middle + 3.5, top + 2);
  context.rotate(-Math.PI / 2);
  context.fillText(fitted(context, known.label, LANE_NAMES - 6), 0, 0);
  context.restore();
}

// The text in at most `lines` lines; cut in the middle where that is too few.
function folded(text, letters, lines) {
  const all = Array.from(shortened(text, letters * lines));
  const result = [];
  for (let at = 0; at < all.length; at += letters) {
    result.push(all.slice(at, at + letters).join(''));
  }
  return result;
}

// Marks the steps that write (W) and read (R) the pinned tensor.
function markUses(picture, tensor, cell) {
  const {context, theme} = picture;
  context.font = '700 9px ' + picture.font;
  context.textAlign = 'center';
  for (const [letter, steps] of [['R', tensor.readBy], ['W', tensor.writtenBy]]) {
    for (const step of steps) {
      const left = picture.x(step);
      context.strokeStyle = theme.ink;
      context.lineWidth = 1.5;
      context.strokeRect(left + 0.5, picture.lane.top + 0.5, Math.max(cell - 2, 2), LANE_CELLS - 5);
      context.fillStyle = TEXT_ON_COLOR;
      if (cell >= 9) context.fillText(letter, left + cell / 2, picture.lane.top + 9.5);
    }
  }
}

function paintTimeTicks(picture) {
  const {context, theme, time} = picture;
  const y = picture.ticksTop;
  context.strokeStyle = theme.muted;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(picture.left, y + 0.5);
  context.lineTo(picture.right, y + 0.5);
  context.stroke();
  context.font = '11px ' + picture.font;
  context.textAlign = 'center';
  context.fillStyle = theme.muted;
  const room = (picture.right - picture.left) / (picture.narrow ? 56 : 64);
  const distance = tickDistance(time.length, Math.max(room, 1), false);
  for (const at of ticksOf(time.low, time.high - 0.01, distance)) {
    // In the middle of the step's column where that is wide.
    const x = distance === 1 ? (picture.x(at) + picture.x(at + 1)) / 2 : picture.x(at);
    if (x < picture.left - 1 || x > picture.right + 1) continue;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x, y + 4);
    context.stroke();
    context.fillText(String(at), x, y + 16);
  }
  context.textAlign = 'left';
  context.fillText('step', picture.right + 8, y + 16);
}

// The most that lives in each of `columns` parts of the time.
function overviewOf(section, columns) {
  const total = totalLive(section);
  const most = new Array(columns).fill(0);
  const scale = columns / (section.end - section.first);
  total.forEach((point, i) => {
    const end = i + 1 < total.length ? total[i + 1].first : section.end;
    const last = Math.min(columns, Math.ceil((end - section.first) * scale));
    for (let c = Math.floor((point.first - section.first) * scale); c < last; ++c) {
      most[c] = Math.max(most[c], point.bytes);
    }
  });
  return most;
}

// Live bytes of all memories over all steps, and the part that the panels show.
function paintOverview(picture) {
  const {context, theme, section, time} = picture;
  const {top, height, columns} = picture.overview;
  const width = picture.right - picture.left;
  const x = (step) => picture.left + (step - section.first) / (section.end - section.first) * width;
  const most = columns.reduce((a, b) => Math.max(a, b), 1);
  context.fillStyle = theme.plot;
  context.fillRect(picture.left, top, width, height);
  context.fillStyle = theme.accent;
  context.globalAlpha = 0.45;
  columns.forEach((bytes, i) => {
    const high = bytes / most * (height - 3);
    context.fillRect(picture.left + i, top + height - high, 1, high);
  });
  context.globalAlpha = 1;
  context.fillStyle = theme.muted;
  context.font = '11px ' + picture.font;
  context.textAlign = 'right';
  context.fillText(shortBytes(most), picture.left - 6, top + 9);
  context.fillText('0', picture.left - 6, top + height);
  context.textAlign = 'left';
  const words = picture.narrow ?
      'Live bytes: all memories, all steps' :
      'Live bytes of all memories over all steps; drag the frame to move the picture';
  context.fillText(words, picture.left, top + height + 14);
  const from = x(Math.max(time.low, section.first));
  const to = x(Math.min(time.high, section.end));
  context.strokeStyle = theme.ink;
  context.lineWidth = 1.5;
  context.strokeRect(from + 0.75, top + 0.75, Math.max(to - from - 1.5, 3), height - 1.5);
  if (time.whole) return;
  context.fillStyle = theme.ground;
  context.globalAlpha = 0.65;
  context.fillRect(picture.left, top, from - picture.left, height);
  context.fillRect(to, top, picture.right - to, height);
  context.globalAlpha = 1;
}

// SPDX-License-Identifier: Apache-2.0
