// Facts of the pinned tensor or step, beside the picture; and the short form under the mouse.

// `app` has section, pin(tensor), pinStep(step) and picture.
function inspectTensor(app, tensor) {
  const {section} = app;
  const memory = section.memories[tensor.memory];
  const steps = (list) => list.map((step) => stepLink(app, step));
  const rows = [
    ['Shape', tensor.shape],
    ['Type', tensor.dtype],
    ['Layout', tensor.layout],
    ['Size', exactBytes(tensor.exact.bytes)],
    ['Memory', memory.name],
    [
      'Offset',
      tensor.bytes === 0 || tensor.isWeight ?
          null :
          digits(tensor.exact.offset) + ' to ' + digits(tensor.exact.end)
    ],
    ['Address', tensor.bytes === 0 ? null : addressOf(memory, tensor)],
    ['Lives', tensor.isWeight ? 'in the program' : lifeText(tensor)],
    ['Written by', steps(tensor.writtenBy)],
    ['Read by', steps(tensor.readBy)],
    [
      'Read, written',
      tensor.traffic === 0 ? null :
                             digits(tensor.reads) + ' × and ' + digits(tensor.writes) +
              ' ×: ' + shortBytes(tensor.traffic) + ' a run'
    ],
  ];
  const why = make('ul', {class: 'why'});
  const sentences = tensor.isWeight ?
      [
        ['It lies in the program, which is not part of the plan of RAM; flash or a store holds it.']
      ] :
      reasonsFor(section, tensor);
  for (const sentence of sentences) {
    why.append(make('li', {}, ...sentence.map((part) => partElement(app, part))));
  }
  return [
    make('p', {class: 'kind', text: tensor.role || 'buffer'}),
    make('h3', {class: 'whole-name', text: tensor.name}),
    definitions(rows),
    make('h4', {text: 'Why it lies here'}),
    why,
    make(
        'p', {class: 'buttons'},
        make(
            'button',
            {type: 'button', text: 'Zoom to it', onclick: () => app.picture.frame(tensor)}),
        make('button', {type: 'button', text: 'Unpin', onclick: () => app.pin(null)})),
  ];
}

function partElement(app, part) {
  if (typeof part === 'string') return part;
  return part.step === undefined ? tensorLink(app, part) :
                                   stepLink(app, part.step, 'step ' + part.step);
}

function inspectStep(app, step) {
  const {section} = app;
  const known = section.steps[step] || {};
  const list = (column) =>
      section.tensors.filter((t) => t[column].includes(step)).map((t) => tensorLink(app, t));
  const weights = section.weights.filter((t) => t.readBy.includes(step));
  const weightBytes = weights.reduce((sum, t) => sum + t.bytes, 0);
  const costs = costsOf(section);
  const cost = section.costUnit === '' || known.cost === null || known.cost === undefined ?
      null :
      costs.words(known.cost) + ' (' + percent(known.cost, costs.total) + ' of all steps)';
  const live = section.memories.filter((memory) => memory.live.length > 0)
                   .map((m) => m.name + ' ' + shortBytes(mostLive(m, step, step).bytes))
                   .join(', ');
  const where = {cpu: 'CPU', vulkan: 'Vulkan', view: 'nowhere: a view', transfer: 'a transfer'};
  return [
    make('p', {class: 'kind', text: 'step ' + step}),
    make('h3', {class: 'whole-name', text: known.name || 'step ' + step}),
    definitions([
      ['Operator', known.op],
      ['Runs on', known.where ? where[known.where] + (known.serial ? ', one thread' : '') : null],
      ['Form', known.form],
      ['Computes', known.macs ? macsText(known.macs) : null],
      [costs ? costs.title : 'Time', cost],
      ['Reads', list('readBy')],
      [
        'Weights',
        weights.length === 0 ? null :
                               [shortBytes(weightBytes), ...weights.map((t) => tensorLink(app, t))]
      ],
      ['Writes', list('writtenBy')],
      ['Live then', live],
    ]),
    make(
        'p', {class: 'buttons'},
        make('button', {type: 'button', text: 'Unpin', onclick: () => app.pin(null)})),
  ];
}

function inspectNothing(app) {
  const {section} = app;
  const raw = section.raw;
  const used = section.memories.filter((memory) => memory.peak > 0 && !memory.isWeights);
  const macs = section.steps.reduce((sum, step) => sum + step.macs, 0);
  const costs = costsOf(section);
  const rows = [
    ['Tensors', digits(section.tensors.length)],
    ['Steps', section.steps.length > 0 ? digits(section.steps.length) : null],
    ['Planner', section.algorithm],
    ['Weights', section.weights.length > 0 ? weightsText(section) : null],
    ['Computes', macs > 0 ? macsText(macs) : null],
    [costs ? costs.title : '', section.costUnit === '' ? null : costs.words(costs.total)],
    ['Most live', [exactBytes(raw.total_peak) + ' at', stepLink(app, raw.total_peak_step)]],
    ['Peaks', used.length > 1 ? exactBytes(raw.peak_sum) + ' in all' : null],
  ];
  return [
    make('p', {class: 'kind', text: 'whole plan'}),
    make('h3', {class: 'whole-name', text: section.title}),
    definitions(rows),
    make('h4', {text: 'Live at step ' + raw.total_peak_step}),
    peakList(app, raw.total_peak_step),
    make('p', {
      class: 'muted',
      text: 'Point at a tensor to see its name, click it to pin it here, ' +
          'double-click it to zoom to it. Press ? for the keys.'
    }),
  ];
}

function weightsText(section) {
  return shortBytes(section.weights.reduce((sum, t) => sum + t.bytes, 0)) + ' in ' +
      count(section.weights.length, 'constant');
}

// The largest tensors that live at a step, with bars.
function peakList(app, step) {
  const live = app.section.tensors.filter((t) => t.bytes > 0 && holdsData(t, step))
                   .sort((a, b) => b.bytes - a.bytes);
  const list = make('ul', {class: 'peak-list'});
  const shown = live.slice(0, 6);
  for (const tensor of shown) {
    list.append(make(
        'li', {}, tensorLink(app, tensor),
        make('span', {class: 'muted', text: shortBytes(tensor.bytes)}),
        barElement(tensor.bytes / live[0].bytes, 'live')));
  }
  if (live.length > shown.length) {
    const rest = live.slice(shown.length).reduce((sum, t) => sum + t.bytes, 0);
    list.append(make('li', {
      class: 'muted',
      text: 'and ' + digits(live.length - shown.length) + ' more with ' + shortBytes(rest)
    }));
  }
  return list;
}

function definitions(rows) {
  const list = make('dl', {});
  for (const [term, value] of rows) {
    if (value === null || value === undefined || value.length === 0) continue;
    const parts = Array.isArray(value) ? value : [value];
    list.append(make('dt', {text: term}), make('dd', {}, ...parts));
  }
  return list;
}

function lifeText(tensor) {
  const steps = tensor.last - tensor.first + 1;
  if (steps === 1) return 'at step ' + tensor.first;
  const held = tensor.parts.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const whole = tensor.parts.every(([, , begin, end]) => end - begin === tensor.bytes);
  return 'steps ' + tensor.first + ' to ' + tensor.last + ' (' + digits(steps) + ')' +
      (held < steps ? ', with data at ' + digits(held) + ' of them' : '') +
      (whole ? '' : ', not always in all its bytes');
}

function addressOf(memory, tensor) {
  const address = BigInt(memory.base) + BigInt(tensor.exact.offset);
  return BigInt(memory.base) === 0n ? null : '0x' + address.toString(16).padStart(8, '0');
}

function tensorLink(app, tensor) {
  return link(tensor.name, shortened(tensor.label, 40), () => app.pin(tensor));
}

function stepLink(app, step, text) {
  const whole = stepText(app.section, step);
  const brief = shortened(stepLabel(app.section, step), 48);
  return link(whole, text || brief, () => app.pinStep(step));
}

// An anchor, not a button: it breaks across lines like the text around it.
function link(title, text, act) {
  return make('a', {
    href: '#inspector',
    class: 'link',
    title,
    text,
    onclick: (event) => {
      event.preventDefault();
      act();
    }
  });
}

// "CPU, Conv.float32_avx2, 1.2 M MACs, 14 µs", as much of it as is known.
function stepFigures(section, step) {
  const words =
      [{cpu: 'CPU', vulkan: 'Vulkan', view: 'a view', transfer: 'a transfer'}[step.where]];
  if (step.form) words.push(step.form);
  if (step.macs > 0) words.push(macsText(step.macs));
  if (section.costUnit !== '' && step.cost !== null) words.push(costsOf(section).words(step.cost));
  return words.join(', ');
}

// Under the mouse: the tensors that lie there, or the step.
function tooltipFor(app, found) {
  const {section} = app;
  if (found.lane) {
    const known = section.steps[found.step];
    return known ?
        [
          make('strong', {text: 'step ' + found.step + ' · ' + known.op}),
          make('span', {text: known.name}),
          make('span', {class: 'muted', text: stepFigures(section, known)})
        ] :
        [make('strong', {text: 'step ' + found.step})];
  }
  const lines = [];
  for (const tensor of found.tensors.slice(0, 3)) {
    const facts = tensor.isWeight ?
        [
          shortBytes(tensor.bytes),
          'a weight of ' + tensor.readBy.map((s) => 'step ' + s).join(', ')
        ] :
        [shortBytes(tensor.bytes), lifeText(tensor), 'offset ' + digits(tensor.exact.offset)];
    if (tensor.shape) facts.unshift(tensor.dtype + ' ' + tensor.shape);
    lines.push(make('strong', {text: tensor.name}), make('span', {text: facts.join(' · ')}));
  }
  if (found.tensors.length > 1) {
    lines.push(make('span', {
      class: 'muted',
      text: 'They share these bytes on purpose; click to ' +
          'see why.'
    }));
  }
  return lines;
}

// SPDX-License-Identifier: Apache-2.0
