// Names in rectangles: where there is room beside what they share with others.

const TEXT_ON_COLOR = '#10151b';

// The text, without its middle where it is wider than that.
function fitted(context, text, width) {
  if (width <= 0) return '';
  let wide = context.measureText(text).width;
  let letters = text.length;
  while (wide > width && letters > 0) {
    letters = Math.min(letters - 1, Math.floor(letters * width / wide));
    wide = context.measureText(shortened(text, letters)).width;
  }
  return shortened(text, letters);
}
// In the largest part of the rectangle that it shares with nobody; where that is too small,
// nothing.
function labelTensor(picture, panel, rectangle) {
  const {context} = picture;
  const {tensor} = rectangle;
  if (rectangle.height < 12 || rectangle.width < 12) return;
  if (picture.look.isFaint(tensor)) return;
  let room = {
    left: Math.max(rectangle.left, picture.left),
    top: Math.max(rectangle.top, panel.top),
    right: Math.min(rectangle.left + rectangle.width, picture.right),
    bottom: Math.min(rectangle.top + rectangle.height, panel.top + panel.height),
  };
  for (const common of tensor.common) room = outsideOf(picture, panel, room, common);
  const width = room.right - room.left - 8;
  const height = room.bottom - room.top;
  context.fillStyle = TEXT_ON_COLOR;
  context.textAlign = 'left';
  context.font = '11px ' + picture.font;
  if (width < 60 && height > 1.5 * width && width > 4) {
    labelUpright(context, tensor, room);
    return;
  }
  if (width < 18 || height < 12) return;
  const size = shortBytes(tensor.bytes);
  const twoLines = height >= 30 && context.measureText(size).width <= width;
  const middle = (room.top + room.bottom) / 2;
  const name = fitted(context, tensor.label, width);
  if (!tells(name, tensor.label)) return;
  context.fillText(name, room.left + 4, middle + (twoLines ? -2 : 4));
  if (!twoLines) return;
  context.globalAlpha = 0.7;
  const more = tensor.shape ? size + ' · ' + tensor.shape : size;
  context.fillText(
      context.measureText(more).width <= width ? more : size, room.left + 4, middle + 12);
  context.globalAlpha = 1;
}

// A few letters of a longer name say nothing.
function tells(name, whole) {
  return name === whole || name.length >= 7;
}

// From the bottom to the top of what is narrow and high.
function labelUpright(context, tensor, room) {
  const height = room.bottom - room.top - 8;
  const name = fitted(context, tensor.label, height);
  if (!tells(name, tensor.label)) return;
  context.save();
  context.translate((room.left + room.right) / 2 + 4, room.bottom - 4);
  context.rotate(-Math.PI / 2);
  context.fillText(name, 0, 0);
  context.restore();
}

// The largest of the four parts of `room` beside the shared bytes.
function outsideOf(picture, panel, room, common) {
  const shared = {
    left: picture.x(common.first),
    right: picture.x(common.last + 1),
    top: picture.y(panel, common.offset + common.bytes),
    bottom: picture.y(panel, common.offset),
  };
  if (shared.left >= room.right || shared.right <= room.left || shared.top >= room.bottom ||
      shared.bottom <= room.top) {
    return room;
  }
  const parts = [
    {...room, right: Math.max(shared.left, room.left)},
    {...room, left: Math.min(shared.right, room.right)},
    {...room, bottom: Math.max(shared.top, room.top)},
    {...room, top: Math.min(shared.bottom, room.bottom)},
  ];
  // Width counts for little beyond what a name of some letters needs.
  const worth = (part) =>
      Math.min(part.right - part.left, 240) * Math.min(part.bottom - part.top, 30);
  return parts.reduce((best, part) => worth(part) > worth(best) ? part : best);
}

// SPDX-License-Identifier: Apache-2.0
