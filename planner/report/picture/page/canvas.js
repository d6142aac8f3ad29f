// Helps what draws on a canvas: the colors of the page, and a size in its pixels.

function colorsOfPage() {
  const style = getComputedStyle(document.documentElement);
  const colors = {};
  for (const name of ['ink', 'muted', 'line', 'plot', 'ground', 'accent', 'bad', 'good']) {
    colors[name] = style.getPropertyValue('--' + name).trim();
  }
  return colors;
}

// Sets a canvas to a size in CSS pixels, as sharp as the screen is.
function sizeCanvas(context, width, height) {
  const {canvas} = context;
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = width + 'px';
  canvas.style.height = height + 'px';
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
}

// SPDX-License-Identifier: Apache-2.0
