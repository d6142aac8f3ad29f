// The figures at a glance: a card for each memory, the traffic, what the passes saved, the proof.

function cardsFor(section) {
  const planned = section.memories.filter((memory) => !memory.isWeights);
  const cards = planned.filter((memory) => memory.peak > 0).map(memoryCard);
  if (section.weights.length > 0) cards.push(weightsCard(section));
  if (section.costUnit !== '') cards.push(costCard(section));
  cards.push(...section.programMemories.filter(isTold).map(programCard));
  const fits =
      section.memories.every((memory) => memory.size === null || memory.peak <= memory.size);
  if (fits) cards.push(proofCard(section));
  const traffic = trafficCard(section);
  if (traffic) cards.push(traffic);
  if (section.lowering && Number(section.lowering.baseline) > 0) cards.push(passesCard(section));
  return cards;
}

function card(kind, title, figure, ...rest) {
  return make(
      'div', {class: 'card ' + kind}, make('h3', {text: title}),
      make('p', {class: 'figure', text: figure}), ...rest);
}

function weightsCard(section) {
  const bytes = section.weights.reduce((sum, weight) => sum + weight.bytes, 0);
  const largest = section.weights.reduce((a, b) => b.bytes > a.bytes ? b : a);
  return card('weights', 'Weights', shortBytes(bytes), make('p', {
                class: 'muted',
                text: count(section.weights.length, 'constant') + ' in the program; the largest ' +
                    shortBytes(largest.bytes) + ', ' + shortened(largest.label, 40)
              }));
}

function costCard(section) {
  const costs = costsOf(section);
  const dearest = section.steps.reduce((a, b) => (b.cost || 0) > (a.cost || 0) ? b : a);
  return card('cost', costs.title + ' in steps', costs.words(costs.total), make('p', {
                class: 'muted',
                text: 'the dearest: ' + costs.words(dearest.cost) + ', ' + dearest.op + ' ' +
                    shortened(dearest.label, 40)
              }));
}

// A memory without a limit has no bar: there is nothing that it fills a part of.
function memoryCard(memory) {
  const over = memory.size !== null && memory.peak > memory.size;
  const scale = Math.max(memory.peak, memory.bound, memory.size === null ? 0 : memory.size, 1);
  const bar = memory.size === null ? null : barElement(memory.peak / scale, over ? 'bad' : 'good');
  if (bar) {
    bar.append(tickElement(memory.bound / scale, 'bound', 'bound ' + shortBytes(memory.bound)));
  }
  if (over) bar.append(tickElement(memory.size / scale, 'limit', 'limit'));
  let words = 'no limit';
  if (over) {
    words = 'short by ' + exactBytes(memory.peak - memory.size);
  } else if (memory.size !== null) {
    words = 'of ' + shortBytes(memory.size) + ', ' + percent(memory.peak, memory.size) + ' used, ' +
        shortBytes(memory.size - memory.peak) + ' free';
  }
  return card(
      over ? 'memory over' : 'memory', memory.name, shortBytes(memory.peak), bar,
      make('p', {class: 'muted', text: words}));
}

// Whether the memory gets a card: for a device's image if something is known, for tests if it does
// not fit.
function isTold(memory) {
  const over = Number(memory.used) > Number(memory.size);
  return over || (memory.image === 'embedded' && Number(memory.used) > 0);
}

// A card of what flash or a store has to hold.
function programCard(memory) {
  const used = Number(memory.used);
  const size = Number(memory.size);
  const over = used > size;
  const room = over ? 'short by ' + exactBytes(used - size) : shortBytes(size - used) + ' free';
  return card(
      over ? 'memory over' : 'memory', memory.name + ' (' + memory.image + ' image)',
      shortBytes(used), barElement(used / Math.max(size, used), over ? 'bad' : 'good'),
      make(
          'p',
          {class: 'muted', text: 'of ' + shortBytes(size) + ', ' + room + ': ' + memory.contents}));
}

function tickElement(share, kind, words) {
  const tick = make('span', {class: 'tick ' + kind, title: words});
  tick.style.left = Math.min(100, 100 * share).toFixed(2) + '%';
  return tick;
}

// One memory is judged by its height, several by their traffic: the sum of peaks says nothing.
function proofCard(section) {
  const {raw} = section;
  if (raw.faulty) {
    return card(
        '', 'Could it be lower?', 'not known',
        make('p', {class: 'muted', text: 'Tensors lie where they must not: see above.'}));
  }
  const several = section.memories.length > 1;
  if (several || raw.optimal) {
    const proved = raw.optimal || raw.slow_traffic === raw.slow_traffic_bound;
    const words = !several ?
        'The peak is the proved lower bound: no plan is lower.' :
        proved ?
        'No plan has less slow traffic.' :
        'No plan has less slow traffic than ' + shortBytes(Number(raw.slow_traffic_bound)) + '.';
    return card(
        proved ? 'good' : '', several ? 'Could slow traffic be less?' : 'Could it be lower?',
        proved ? 'no, proved' : 'not known', make('p', {class: 'muted', text: words}));
  }
  const above = Number(raw.peak_sum) - Number(raw.bound);
  return card('', 'Above the bound', percent(above, Number(raw.bound), 2), make('p', {
                class: 'muted',
                text: 'No plan is lower than ' + shortBytes(Number(raw.bound)) + '; this one is ' +
                    shortBytes(above) + ' higher.'
              }));
}

function trafficCard(section) {
  const {raw} = section;
  const total = Number(raw.total_traffic);
  if (total === 0) return null;
  if (section.memories.length < 2) {
    return card(
        '', 'Traffic', shortBytes(total),
        make('p', {class: 'muted', text: 'read and written in a run'}));
  }
  const slow = Number(raw.slow_traffic);
  const bound = Number(raw.slow_traffic_bound);
  const bar = barElement(slow / total, 'traffic');
  bar.append(tickElement(bound / total, 'bound', 'bound ' + shortBytes(bound)));
  return card('', 'Slow traffic', shortBytes(slow), bar, make('p', {
                class: 'muted',
                text: 'of ' + shortBytes(total) + ' a run are read or ' +
                    'written outside ' + section.memories[0].name
              }));
}

// A card of how passes changed the bytes that live at once.
function passesCard(section) {
  const {lowering} = section;
  const before = Number(lowering.baseline);
  const after =
      Number(lowering.passes.length === 0 ? lowering.native : lowering.passes.at(-1).live);
  const change = (after - before) / before;
  const text = Math.abs(change) < 0.0005 ? 'no change' :
                                           (change > 0 ? '+' : '−') + percent(Math.abs(change), 1);
  const words =
      shortBytes(after) + ' live at once, ' + shortBytes(before) + ' in the fused graph as it is';
  return card(
      change < 0 ? 'good' : '', 'Change by passes', text, barElement(after / before, 'pass'),
      make('p', {class: 'muted', text: words}));
}

// SPDX-License-Identifier: Apache-2.0
