// Reads the page's plan (planner/report/picture/page_data.cc) into sections of tensors.

function readPlan() {
  return JSON.parse(document.getElementById('plan').textContent);
}

// One plan, with numbers that a picture can be drawn from; what may be too large for a script's
// numbers keeps its digits in `exact`.
function readSection(raw, programMemories) {
  const section = {
    title: raw.title,
    algorithm: raw.algorithm,
    raw,
    steps: (raw.steps || []).map(readStep),
    colors: new Map(Object.entries(raw.colors || {})),
    costUnit: raw.cost_unit || '',
    lowering: raw.lowering || null,
    programMemories: programMemories.filter((memory) => memory.board === raw.board),
    memories: raw.memories.map(readMemory),
    tensors: readTensors(raw.tensors),
  };
  section.first = 0;
  section.end = 1;
  if (section.tensors.length > 0) {
    section.first = section.tensors.reduce((least, t) => Math.min(least, t.first), Infinity);
    section.end = section.tensors.reduce((most, t) => Math.max(most, t.last + 1), 0);
  }
  for (const tensor of section.tensors) section.memories[tensor.memory].tensors.push(tensor);
  for (const memory of section.memories) memory.tensors.sort(largestFirst);
  section.weights = readWeights(raw.weights || {}, section);
  for (const [owner, guest, offset, bytes, why] of raw.common || []) {
    const common = {
      owner: section.tensors[owner],
      guest: section.tensors[guest],
      offset: Number(offset),
      bytes: Number(bytes),
      why,
      first: Math.max(section.tensors[owner].first, section.tensors[guest].first),
      last: Math.min(section.tensors[owner].last, section.tensors[guest].last),
    };
    common.owner.common.push(common);
    common.guest.common.push(common);
  }
  return section;
}

function readStep(raw, index) {
  return {
    index,
    ...raw,
    label: raw.label || raw.name,
    form: raw.form || '',
    macs: Number(raw.macs || 0),
    cost: raw.cost === undefined ? null : raw.cost,
  };
}

// Constants of the program, as tensors of a memory of their own that is full all the time.
function readWeights(columns, section) {
  if (!columns.name) return [];
  const total = columns.bytes.reduce((sum, bytes) => sum + Number(bytes), 0);
  const memory = {
    index: section.memories.length,
    name: 'weights',
    isWeights: true,
    base: '0x0',
    size: null,
    peak: total,
    bound: 0,
    mostLive: total,
    peakStep: section.first,
    read: 0,
    written: 0,
    cost: 0,
    live: [],
    tensors: [],
    exact: {size: null, peak: total, bound: 0, most_live: total, read: 0, written: 0},
  };
  let offset = 0;
  const weights = columns.name.map((name, i) => {
    const bytes = Number(columns.bytes[i]);
    const weight = {
      index: i,
      isWeight: true,
      name,
      label: columns.label[i] || name,
      lower: name.toLowerCase(),
      memory: memory.index,
      offset,
      bytes,
      end: offset + bytes,
      first: section.first,
      last: section.end - 1,
      parts: [[section.first, section.end - 1, 0, bytes]],
      reads: columns.read_by[i].length,
      writes: 0,
      traffic: 0,
      fixed: false,
      tiedTo: null,
      tiedElsewhere: false,
      dtype: columns.dtype[i],
      shape: columns.shape[i],
      layout: null,
      role: 'weight',
      writtenBy: [],
      readBy: columns.read_by[i],
      common: [],
      exact: {offset, bytes, end: BigInt(offset + bytes)},
    };
    offset += bytes;
    return weight;
  });
  memory.tensors = weights.slice().sort(largestFirst);
  section.memories.push(memory);
  return weights;
}

function largestFirst(a, b) {
  return b.bytes * (b.last - b.first + 1) - a.bytes * (a.last - a.first + 1) || a.index - b.index;
}

function readMemory(raw, index) {
  return {
    index,
    name: raw.name,
    base: raw.base,
    size: raw.size === null ? null : Number(raw.size),
    peak: Number(raw.peak),
    bound: Number(raw.bound),
    mostLive: Number(raw.most_live),
    peakStep: raw.peak_step,
    read: Number(raw.read),
    written: Number(raw.written),
    cost: Number(raw.read) * raw.read_cost + Number(raw.written) * raw.write_cost,
    live: raw.live.map(([first, last, bytes]) => ({first, last, bytes: Number(bytes)})),
    tensors: [],
    exact: raw,
  };
}

function readTensors(columns) {
  return (columns.name || []).map((name, i) => {
    const value = (column) => (columns[column] ? columns[column][i] : null);
    const offset = Number(columns.offset[i]);
    const bytes = Number(columns.bytes[i]);
    return {
      index: i,
      name,
      label: columns.label[i] || name,
      lower: name.toLowerCase(),
      memory: columns.memory[i],
      offset,
      bytes,
      end: offset + bytes,
      first: columns.first[i],
      last: columns.last[i],
      // Steps, and the bytes that hold data then.
      parts: (value('parts') || [[columns.first[i], columns.last[i], 0, bytes]])
                 .map((part) => part.map(Number)),
      reads: columns.reads[i],
      writes: columns.writes[i],
      traffic: bytes * (columns.reads[i] + columns.writes[i]),
      fixed: columns.fixed[i],
      tiedTo: columns.tied_to[i],
      tiedElsewhere: columns.tied_elsewhere[i],
      dtype: value('dtype'),
      shape: value('shape'),
      layout: value('layout'),
      role: value('role'),
      writtenBy: value('written_by') || [],
      readBy: value('read_by') || [],
      common: [],
      exact: {
        offset: columns.offset[i],
        bytes: columns.bytes[i],
        end: BigInt(columns.offset[i]) + BigInt(columns.bytes[i]),
      },
    };
  });
}

// Whether it holds data at a step of its life.
function holdsData(tensor, step) {
  return tensor.parts.some(([first, last]) => first <= step && step <= last);
}

// The same of one of its bytes.
function holdsByte(tensor, step, byte) {
  return tensor.parts.some(
      ([first, last, begin, end]) => first <= step && step <= last && begin <= byte && byte < end);
}

function liveTogether(a, b) {
  return a.parts.some(
      ([first, last]) => b.parts.some((part) => part[0] <= last && first <= part[1]));
}

// "step 3 (conv, Conv_12)".
function stepText(section, step) {
  const known = section.steps[step];
  return 'step ' + step + (known ? ' (' + known.op + ', ' + known.name + ')' : '');
}

// The same with the short form of its name.
function stepLabel(section, step) {
  const known = section.steps[step];
  return 'step ' + step + (known ? ' (' + known.op + ', ' + known.label + ')' : '');
}

// Bytes that live in a memory at a step, and the most of any step from `first` to `last`.
function mostLive(memory, first, last) {
  let most = {bytes: 0, step: first};
  for (const span of memory.live) {
    if (span.last < first || span.first > last || span.bytes <= most.bytes) continue;
    most = {bytes: span.bytes, step: Math.max(first, span.first)};
  }
  return most;
}

// Live bytes of all memories together: [{first, bytes}] in order of time, each up to the next.
function totalLive(section) {
  const changes = new Map();
  const change = (step, bytes) => changes.set(step, (changes.get(step) || 0) + bytes);
  for (const memory of section.memories) {
    for (const span of memory.live) {
      change(span.first, span.bytes);
      change(span.last + 1, -span.bytes);
    }
  }
  let bytes = 0;
  return Array.from(changes)
      .sort((a, b) => a[0] - b[0])
      .map(([first, difference]) => ({first, bytes: bytes += difference}));
}

// SPDX-License-Identifier: Apache-2.0
