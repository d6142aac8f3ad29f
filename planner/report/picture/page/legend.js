// The legend: what colors and marks mean; a click on a color shows its tensors alone.

function legendFor(app) {
  const {look, section} = app;
  const {colors} = look;
  const entries = [];
  if (colors.categories) {
    for (const {name, color} of colors.categories) {
      const swatch = make('span', {class: 'swatch'});
      swatch.style.background = color;
      entries.push(make(
          'button', {
            type: 'button',
            class: 'entry',
            'aria-pressed': String(look.category === name),
            title: 'show these alone',
            onclick: () => app.isolate(look.category === name ? null : name),
          },
          swatch, name));
    }
  } else if (colors.heat) {
    const ramp = make('span', {class: 'swatch ramp'});
    ramp.style.background = 'linear-gradient(to right, ' + HEAT.join(', ') + ')';
    entries.push(make('span', {class: 'entry'}, colors.heat[0] + ' ', ramp, ' ' + colors.heat[1]));
  } else {
    entries.push(make('span', {class: 'entry', text: 'a color for each tensor'}));
  }
  const mark = (kind, words) =>
      make('span', {class: 'entry'}, make('span', {class: 'mark ' + kind}), words);
  entries.push(mark('peak', 'peak'), mark('bound', 'lower bound'));
  if (section.memories.some((memory) => memory.size !== null)) entries.push(mark('limit', 'limit'));
  if (section.tensors.some((tensor) => tensor.common.length > 0)) {
    entries.push(mark('shared', 'bytes shared on purpose'));
  }
  if (section.tensors.some((tensor) => tensor.parts.length > 1)) {
    entries.push(mark('gap', 'a gap in a life: free for others'));
  }
  entries.push(mark('most', 'step with most live bytes'));
  if (section.memories.some((m) => m.size !== null && m.peak > m.size)) {
    entries.push(mark('over', 'beyond the limit'));
  }
  return entries;
}

// SPDX-License-Identifier: Apache-2.0
