// Draws one memory: its title and byte axis, and in between the tensors and the lines over them.

function paintPanel(picture, panel) {
  const {context, theme} = picture;
  paintTitle(picture, panel);
  if (!panel.used) return;
  const width = picture.right - picture.left;
  context.fillStyle = theme.plot;
  context.fillRect(picture.left, panel.top, width, panel.height);
  paintByteAxis(picture, panel);
  context.save();
  context.beginPath();
  context.rect(picture.left, panel.top, width, panel.height);
  context.clip();
  if (!panel.memory.isWeights) paintPeakStep(picture, panel);
  tintBeyondLimit(picture, panel);
  const drawn = visibleRectangles(picture, panel);
  for (const rectangle of drawn) fillTensor(picture, rectangle);
  outlineGaps(picture, panel, drawn);
  paintShared(picture, panel, drawn);
  for (const rectangle of drawn) labelTensor(picture, panel, rectangle);
  if (picture.look.live) paintLive(picture, panel);
  outlineBeyondLimit(picture, panel);
  outlineChosen(picture, panel);
  context.restore();
  if (!panel.memory.isWeights) paintMarks(picture, panel);
}

// "dtcm: peak 98.2 KiB of 480 KiB ..." as far as there is room.
function paintTitle(picture, panel) {
  const {context, theme} = picture;
  const {memory} = panel;
  const y = panel.top - 9;
  context.textAlign = 'left';
  context.fillStyle = theme.ink;
  context.font = '600 13px ' + picture.font;
  context.fillText(memory.name, picture.left, y);
  const x = picture.left + context.measureText(memory.name).width + 10;
  context.font = '12px ' + picture.font;
  context.fillStyle = theme.muted;
  const parts = [];
  if (!panel.used) {
    parts.push('empty' + (memory.size === null ? '' : ', ' + shortBytes(memory.size)));
  } else if (memory.isWeights) {
    parts.push(
        shortBytes(memory.peak) + ' of constants in the program, in the order of the steps that ' +
        'read them');
  } else if (memory.size === null) {
    parts.push('peak ' + shortBytes(memory.peak) + ', no limit');
  } else {
    parts.push(
        'peak ' + shortBytes(memory.peak) + ' of ' + shortBytes(memory.size) + ' (' +
        percent(memory.peak, memory.size) + ')');
  }
  if (panel.used && !memory.isWeights) {
    parts.push('most live at ' + stepLabel(picture.section, memory.peakStep));
    if (panel.enlarged > 1.05) {
      parts.splice(
          1, 0,
          'drawn ' +
              (panel.enlarged < 10 ? panel.enlarged.toFixed(1) : Math.round(panel.enlarged)) +
              ' × taller');
    }
  }
  context.fillText(fitted(context, parts.join(' · '), picture.width - x - 4), x, y);
  if (!panel.used) return;
  context.textAlign = 'right';
  context.font = '11px ' + picture.font;
  context.fillText('offset', picture.left - 6, y);
}
function paintByteAxis(picture, panel) {
  const {context, theme} = picture;
  const {low, high, length} = panel.bytes;
  const distance = tickDistance(length, Math.max(panel.height / 44, 1), true);
  context.font = '11px ' + picture.font;
  context.textAlign = 'right';
  context.lineWidth = 1;
  for (const at of ticksOf(low, high, distance)) {
    const y = Math.round(picture.y(panel, at)) + 0.5;
    context.strokeStyle = theme.line;
    context.beginPath();
    context.moveTo(picture.left, y);
    context.lineTo(picture.right, y);
    context.stroke();
    context.fillStyle = theme.muted;
    if (y > panel.top + 4) context.fillText(shortBytes(at), picture.left - 6, y + 3.5);
  }
}

function paintPeakStep(picture, panel) {
  const {context, theme} = picture;
  const left = picture.x(panel.memory.peakStep);
  const right = picture.x(panel.memory.peakStep + 1);
  context.globalAlpha = 0.16;
  context.fillStyle = theme.accent;
  context.fillRect(left, panel.top, Math.max(right - left, 1.5), panel.height);
  context.globalAlpha = 1;
  const middle = (left + right) / 2;
  context.beginPath();
  context.moveTo(middle - 5, panel.top);
  context.lineTo(middle + 5, panel.top);
  context.lineTo(middle, panel.top + 7);
  context.fill();
}

// SPDX-License-Identifier: Apache-2.0
