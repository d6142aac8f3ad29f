// Draws tensors: rectangles of bytes and steps, hatched where two share bytes on purpose.

// Rectangles of the tensors in view, one for each stretch of time during which they hold data;
// large ones first.
function visibleRectangles(picture, panel) {
  const {time} = picture;
  const {low, high} = panel.bytes;
  const drawn = [];
  for (const tensor of panel.memory.tensors) {
    if (tensor.bytes === 0 || tensor.first >= time.high || tensor.last + 1 <= time.low ||
        tensor.offset >= high || tensor.end <= low) {
      continue;
    }
    for (const [first, last, begin, end] of tensor.parts) {
      const left = picture.x(first);
      const top = picture.y(panel, tensor.offset + end);
      const height = picture.y(panel, tensor.offset + begin) - top;
      drawn.push({tensor, left, top, width: picture.x(last + 1) - left, height});
    }
  }
  return drawn;
}

function fillTensor(picture, rectangle) {
  const {context, look, theme} = picture;
  const {tensor, left, top, width, height} = rectangle;
  const seam = width > 3 && height > 3 ? 1 : 0;  // the ground shows between neighbors
  context.globalAlpha = look.isFaint(tensor) ? 0.16 : 1;
  context.fillStyle = look.colors.of(tensor);
  // A tensor that was searched for is seen, however small.
  const least = look.query !== '' && !look.isFaint(tensor) ? 4 : 0.75;
  context.fillRect(left, top, Math.max(width - seam, least), Math.max(height - seam, least));
  context.globalAlpha = 1;
  if (least < 1) return;
  context.strokeStyle = theme.ink;
  context.lineWidth = 1;
  context.strokeRect(left, top, Math.max(width - seam, least), Math.max(height - seam, least));
}

// The whole life of a tensor with gaps, so that its parts are seen as one.
function outlineGaps(picture, panel, drawn) {
  const {context, theme, look} = picture;
  context.strokeStyle = theme.muted;
  context.lineWidth = 1;
  context.setLineDash([3, 3]);
  for (const tensor of new Set(drawn.map((rectangle) => rectangle.tensor))) {
    if (tensor.parts.length > 1 && !look.isFaint(tensor)) outline(picture, panel, tensor);
  }
  context.setLineDash([]);
}

// Bytes that two tensors share on purpose: both colors seen through each other and hatched, for as
// long as both live.
function paintShared(picture, panel, drawn) {
  const {context, look} = picture;
  for (const {tensor} of drawn) {
    for (const common of tensor.common) {
      if (common.guest !== tensor) continue;
      const left = picture.x(common.first);
      const right = picture.x(common.last + 1);
      const top = picture.y(panel, common.offset + common.bytes);
      const bottom = picture.y(panel, common.offset);
      if (right - left < 2 || bottom - top < 2) continue;
      const faint = look.isFaint(common.owner) && look.isFaint(tensor);
      if (!faint) {
        for (const [one, alpha] of [[common.owner, 1], [tensor, 0.5]]) {
          context.globalAlpha = alpha;
          context.fillStyle = look.colors.of(one);
          context.fillRect(left, top, right - left, bottom - top);
        }
        context.globalAlpha = 1;
      }
      hatch(context, left, top, right - left, bottom - top, faint ? 0.15 : 0.55);
    }
  }
}

function hatch(context, left, top, width, height, alpha) {
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.strokeStyle = 'rgba(16, 21, 27, ' + alpha + ')';
  context.lineWidth = 1;
  context.beginPath();
  const canvas = context.canvas;
  const right = Math.min(left + width, canvas.clientWidth);
  const from = Math.max(left, 0);
  // Lines of slope 1 on a grid of the canvas: they stay put while a rectangle grows.
  const first = Math.floor((from - (top + height)) / 6) * 6;
  for (let at = first; at < right - top; at += 6) {
    context.moveTo(at + top, top);
    context.lineTo(at + top + height, top + height);
  }
  context.stroke();
  context.restore();
}

// SPDX-License-Identifier: Apache-2.0
