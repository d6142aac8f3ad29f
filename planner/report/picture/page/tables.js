// The tables of a plan: tensors, steps, memories, and the passes with what each saved.

function bytesColumn(head, value, exact) {
  return {
    head,
    number: true,
    sort: value,
    text: (row) => digits(exact ? exact(row) : value(row)),
    title: 'bytes'
  };
}

function tensorTable(app, filtered) {
  const {section} = app;
  const columns = [
    {head: 'Tensor', text: (t) => t.name, cell: (t) => nameElement(t.name)},
    bytesColumn('Offset', (t) => t.offset, (t) => t.exact.offset),
    bytesColumn('End', (t) => t.end, (t) => t.exact.end),
    bytesColumn('Bytes', (t) => t.bytes, (t) => t.exact.bytes),
    {head: 'First step', number: true, sort: (t) => t.first, text: (t) => String(t.first)},
    {head: 'Last step', number: true, sort: (t) => t.last, text: (t) => String(t.last)},
  ];
  if (section.tensors.some((t) => t.traffic > 0)) {
    columns.push(bytesColumn('Traffic', (t) => t.traffic));
  }
  if (section.memories.length > 1) {
    columns.splice(1, 0, {head: 'Memory', text: (t) => section.memories[t.memory].name});
  }
  if (section.steps.length > 0) {
    columns.splice(
        1, 0, {head: 'Shape', text: (t) => t.shape}, {head: 'Type', text: (t) => t.dtype},
        {head: 'Role', text: (t) => t.role});
  }
  if (section.tensors.some((t) => t.common.length > 0)) {
    columns.push({
      head: 'Shares with',
      text: (t) => sharers(t).map((o) => o.name).join(' '),
      sort: (t) => -t.common.length,
      cell: (t) => {
        const others = sharers(t);
        return others.length === 0 ?
            make('span', {text: ''}) :
            nameElement(others[0].name + (others.length > 1 ? ' +' + (others.length - 1) : ''));
      }
    });
  }
  return new Table(columns, section.tensors, {
    label: 'Tensors',
    filtered,
    chosen: (tensor) => tensor === app.look.pinned,
    onchoose: (tensor) => app.pin(tensor, 'table'),
  });
}

function sharers(tensor) {
  return tensor.common.map((c) => c.owner === tensor ? c.guest : c.owner);
}

function stepTable(app, filtered) {
  const {section} = app;
  const live = new Map();
  for (const {first, bytes} of totalLive(section)) live.set(first, bytes);
  let bytes = 0;
  const rows = section.steps.map((step, index) => {
    bytes = live.has(index) ? live.get(index) : bytes;
    return {index, step, bytes};
  });
  const columns = [
    {head: 'Step', number: true, sort: (r) => r.index, text: (r) => String(r.index)},
    {head: 'Node', text: (r) => r.step.name, cell: (r) => nameElement(r.step.name)},
    {head: 'Operator', text: (r) => r.step.op},
    {head: 'Runs on', text: (r) => r.step.where + (r.step.serial ? ', one thread' : '')},
    bytesColumn('Live bytes', (r) => r.bytes),
  ];
  if (section.steps.some((step) => step.form)) {
    columns.push({head: 'Form', text: (r) => r.step.form});
  }
  if (section.steps.some((step) => step.macs > 0)) {
    columns.push({
      head: 'MACs',
      number: true,
      sort: (r) => r.step.macs,
      title: 'multiply-accumulates',
      text: (r) => r.step.macs ? digits(r.step.macs) : ''
    });
  }
  if (section.costUnit !== '') {
    const costs = costsOf(section);
    const cost = (r) => r.step.cost || 0;
    columns.push(
        {
          head: costs.title,
          number: true,
          sort: cost,
          text: (r) => r.step.cost === null ? '' : costs.words(r.step.cost)
        },
        {
          head: 'Share',
          sort: cost,
          text: (r) => percent(cost(r), costs.total),
          cell: (r) => barElement(cost(r) / costs.total, 'cost')
        });
  }
  return new Table(columns, rows, {
    label: 'Steps',
    filtered,
    chosen: (row) => row.index === app.look.pinnedStep,
    onchoose: (row) => app.pinStep(row.index),
  });
}

function weightTable(app, filtered) {
  const {section} = app;
  const readers = (t) => t.readBy.map((step) => section.steps[step].label).join(' ');
  const columns = [
    {head: 'Weight', text: (t) => t.name, cell: (t) => nameElement(t.name)},
    {head: 'Shape', text: (t) => t.shape},
    {head: 'Type', text: (t) => t.dtype},
    bytesColumn('Bytes', (t) => t.bytes),
    {head: 'First read', number: true, sort: (t) => t.readBy[0], text: (t) => String(t.readBy[0])},
    {head: 'Read by', text: readers, cell: (t) => nameElement(readers(t))},
  ];
  return new Table(columns, section.weights, {
    label: 'Weights',
    filtered,
    chosen: (weight) => weight === app.look.pinned,
    onchoose: (weight) => app.pin(weight, 'weights'),
  });
}

function memoryTable(app, filtered) {
  const {section} = app;
  const columns = [
    {head: 'Memory', text: (m) => m.name},
    {head: 'Base', text: (m) => m.base},
    {
      head: 'Limit',
      number: true,
      sort: (m) => m.size === null ? Infinity : m.size,
      text: (m) => m.isWeights ? 'program' :
          m.size === null      ? 'no limit' :
                                 digits(m.exact.size)
    },
    bytesColumn('Peak', (m) => m.peak, (m) => m.exact.peak),
    {
      head: 'Free',
      number: true,
      sort: (m) => m.size === null ? Infinity : m.size - m.peak,
      text: (m) => m.size === null ? '-' : digits(BigInt(m.exact.size) - BigInt(m.exact.peak))
    },
    bytesColumn('Live at most', (m) => m.mostLive, (m) => m.exact.most_live),
    {
      head: 'At step',
      number: true,
      sort: (m) => m.peakStep,
      text: (m) => m.isWeights ? 'all' : String(m.peakStep)
    },
    {
      head: 'Tensors',
      number: true,
      sort: (m) => m.tensors.length,
      text: (m) => digits(m.tensors.length)
    },
  ];
  if (section.programMemories.length > 0) {
    columns.splice(
        1, 0, {head: 'Holds', text: (m) => m.isWeights ? 'constants' : m.holds || 'tensors'});
  }
  if (section.memories.some((m) => m.read + m.written > 0)) {
    columns.push(
        bytesColumn('Read', (m) => m.read, (m) => m.exact.read),
        bytesColumn('Written', (m) => m.written, (m) => m.exact.written), {
          head: 'Cost',
          number: true,
          sort: (m) => m.cost,
          title: 'bytes read and written times their cost',
          text: (m) => Math.round(m.cost).toLocaleString('en-US')
        });
  }
  return new Table(
      columns, section.memories.concat(section.programMemories.map(programRow)),
      {label: 'Memories', filtered});
}

// A memory that holds the program, in the columns of those that hold tensors.
function programRow(memory) {
  return {
    name: memory.name + ' (' + memory.image + ' image)',
    holds: memory.contents,
    base: memory.base,
    size: Number(memory.size),
    peak: Number(memory.used),
    bound: Number(memory.used),
    mostLive: Number(memory.used),
    peakStep: '',
    read: 0,
    written: 0,
    cost: 0,
    tensors: [],
    exact: {size: memory.size, peak: memory.used, most_live: memory.used, read: 0, written: 0},
  };
}

// Shows how the peak came down: the fused graph as it is, each pass, and what was placed.
function passTable(app, filtered) {
  const {section} = app;
  const {lowering} = section;
  const rows = [
    {name: 'fused graph as it is', places: '', saved: null, live: lowering.baseline},
    {name: 'with scratch, tails and copies', places: '', saved: null, live: lowering.native},
    ...lowering.passes.map((pass) => ({
                             name: pass.name,
                             places: pass.enabled ? String(pass.places) : 'disabled',
                             saved: pass.saved,
                             live: pass.live,
                           })),
    {
      name: section.memories.length > 1 ? 'placed: sum of the peaks' : 'placed',
      places: '',
      saved: null,
      live: lowering.final
    },
  ];
  const most = Math.max(...rows.map((row) => Number(row.live)), 1);
  const columns = [
    {head: 'Pass', text: (r) => r.name},
    {head: 'Places', number: true, sort: (r) => Number(r.places) || 0, text: (r) => r.places},
    {
      head: 'Saved',
      number: true,
      sort: (r) => r.saved || 0,
      text: (r) => r.saved === null ? '' : digits(r.saved)
    },
    bytesColumn('Bytes live', (r) => Number(r.live), (r) => r.live),
    {
      head: 'Share',
      sort: (r) => Number(r.live),
      text: (r) => percent(Number(r.live), most),
      cell: (r) => barElement(Number(r.live) / most, 'pass')
    },
  ];
  return new Table(columns, rows, {label: 'Passes', filtered});
}

function barElement(share, kind) {
  const fill = make('span', {class: 'fill'});
  fill.style.width = Math.min(100, 100 * share).toFixed(2) + '%';
  return make(
      'span', {class: 'bar ' + kind, role: 'img', 'aria-label': (100 * share).toFixed(1) + ' %'},
      fill);
}

// SPDX-License-Identifier: Apache-2.0
