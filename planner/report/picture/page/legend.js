// The legend: what colours and marks mean; a click on a colour shows its tensors alone.

function legendFor(app) {
  const {look, section} = app;
  const {colours} = look;
  const entries = [];
  if (colours.categories) {
    for (const {name, colour} of colours.categories) {
      const swatch = make('span', {class: 'swatch'});
      swatch.style.background = colour;
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
  } else if (colours.heat) {
    const ramp = make('span', {class: 'swatch ramp'});
    ramp.style.background = 'linear-gradient(to right, ' + HEAT.join(', ') + ')';
    entries.push(
        make('span', {class: 'entry'}, colours.heat[0] + ' ', ramp, ' ' + colours.heat[1]));
  } else {
    entries.push(make('span', {class: 'entry', text: 'a colour for each tensor'}));
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
