// What each step takes: measured time or instructions, else multiply-accumulates; bars over the
// steps.

const COSTS = 40;        // pixels of the bars
const COSTS_TITLE = 18;  // and of the words above them

// {of(step), total, most, words(number), title}, or null where nothing is known.
function costsOf(section) {
  if (section.costUnit !== '') {
    const micro = section.costUnit === 'us';
    const words = micro ? microseconds : (number) => digits(Math.round(number)) + ' instructions';
    return summed(section, (step) => step.cost, words, micro ? 'Time' : 'Instructions');
  }
  return summed(section, (step) => step.macs, macsText, 'MACs');
}

function summed(section, of, words, title) {
  const total = section.steps.reduce((sum, step) => sum + (of(step) || 0), 0);
  if (total === 0) return null;
  const most = section.steps.reduce((greatest, step) => Math.max(greatest, of(step) || 0), 0);
  return {of, words, title, total, most};
}

function microseconds(number) {
  if (number >= 1e6) return (number / 1e6).toFixed(2) + ' s';
  if (number >= 1e3) return (number / 1e3).toFixed(2) + ' ms';
  return number.toFixed(number >= 10 ? 1 : 2) + ' µs';
}

function macsText(number) {
  if (number >= 1e9) return (number / 1e9).toFixed(2) + ' G MACs';
  if (number >= 1e6) return (number / 1e6).toFixed(2) + ' M MACs';
  if (number >= 1e3) return (number / 1e3).toFixed(1) + ' K MACs';
  return digits(number) + ' MACs';
}

// Where several steps share a pixel, their bar is that of the dearest.
function paintCosts(picture) {
  const {context, theme, section, look, costs} = picture;
  if (!costs.height) return;
  const {known, top} = costs;
  const bottom = top + costs.height;
  context.font = '11px ' + picture.font;
  context.textAlign = 'left';
  context.fillStyle = theme.muted;
  const words = known.title + ' by step, ' + known.words(known.total) + ' in all; the dearest ' +
      known.words(known.most);
  context.fillText(fitted(context, words, picture.right - picture.left), picture.left, top - 5);
  context.fillStyle = theme.plot;
  context.fillRect(picture.left, top, picture.right - picture.left, costs.height);
  const first = Math.max(Math.floor(picture.time.low), section.first);
  const last = Math.min(Math.ceil(picture.time.high), section.end) - 1;
  const cell = picture.x(1) - picture.x(0);
  context.save();
  context.beginPath();
  context.rect(picture.left, top, picture.right - picture.left, costs.height);
  context.clip();
  for (let step = first; step <= last; ++step) {
    const cost = section.steps[step] ? known.of(section.steps[step]) : 0;
    if (!cost) continue;
    const height = Math.max(cost / known.most * (costs.height - 2), 1);
    context.fillStyle = look.colors.step(step);
    context.fillRect(
        picture.x(step), bottom - height, Math.max(cell - (cell > 3 ? 1 : 0), 1), height);
  }
  context.restore();
}

// SPDX-License-Identifier: Apache-2.0
