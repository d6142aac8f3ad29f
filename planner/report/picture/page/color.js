// Colors of tensors and steps, and the legend that explains them.

// Of tensors whose operators are not known; the same as in planner/report/picture/svg_colors.cc.
const PALETTE = [
  '#7fb0e6', '#f5b26b', '#86cc8e', '#f09a97', '#b9a3e3', '#6fcbc4', '#ebd162', '#eba3cb', '#c9ae93',
  '#b7cc6b'
];
const OTHER_COLOR = '#b4bcc6';
const HEAT = ['#d9e4ee', '#b5cfe4', '#8fb8dc', '#f3cf8a', '#f2a45f', '#e4744f'];

// Ways to color tensors: a category for each tensor, and the order of the categories.
const COLORINGS = {
  operator: {
    label: 'operator that writes it',
    applies: (section) => section.steps.length > 0,
    category: (section, tensor) => tensor.isWeight ? section.steps[tensor.readBy[0]].op :
        tensor.writtenBy.length > 0 && (tensor.role === 'result' || tensor.role === 'output') ?
                                                     section.steps[tensor.writtenBy[0]].op :
                                                     tensor.role,
  },
  role: {
    label: 'role',
    applies: (section) => section.steps.length > 0,
    category: (section, tensor) => tensor.role,
  },
  tensor: {label: 'tensor', applies: () => true, category: () => null},
  life: {
    label: 'length of life',
    applies: () => true,
    heat: (section, tensor) => Math.log2(tensor.last - tensor.first + 1),
    words: ['one step', 'to the end'],
  },
  traffic: {
    label: 'bytes read and written',
    applies: (section) => section.tensors.some((tensor) => tensor.traffic > 0),
    heat: (section, tensor) => Math.log2(tensor.traffic + 1),
    words: ['little', 'much'],
  },
};

// {of(tensor): color, step(step): color, categories: [{name, color}] or null, heat: words}
function makeColors(section, kind) {
  const coloring = COLORINGS[kind];
  const operators = makeCategories(section, COLORINGS.operator);
  const step = (index) => section.steps[index] ?
      section.colors.get(section.steps[index].op) || OTHER_COLOR :
      OTHER_COLOR;
  if (coloring.heat) return {...makeHeat(section, coloring), step, kind};
  if (kind === 'tensor') {
    // Neighbors in the list get colors far apart.
    const of = (tensor) => shade(PALETTE[tensor.index * 7 % PALETTE.length], tensor.index);
    return {of, step, kind, categories: null};
  }
  const {colors, categories, categoryOf} =
      kind === 'operator' ? operators : makeCategories(section, coloring);
  const of = (tensor) => shade(colors.get(categoryOf(tensor)) || OTHER_COLOR, tensor.index);
  return {of, step, kind, categories, categoryOf};
}

// The categories, those with most bytes x steps first, and the color of each.
function makeCategories(section, coloring) {
  if (!coloring.applies(section)) return {colors: new Map(), categories: [], categoryOf: () => ''};
  const weights = new Map();
  const categoryOf = (tensor) => coloring.category(section, tensor) || 'unknown';
  for (const tensor of section.tensors) {
    const weight = tensor.bytes * (tensor.last - tensor.first + 1);
    const category = categoryOf(tensor);
    weights.set(category, (weights.get(category) || 0) + weight);
  }
  const names = Array.from(weights.keys())
                    .sort((a, b) => weights.get(b) - weights.get(a) || (a < b ? -1 : 1));
  // An operator has the same color in every page: the plan says it.
  const colors = new Map(names.map((name) => [name, section.colors.get(name) || OTHER_COLOR]));
  const categories = names.map((name) => ({name, color: colors.get(name)}));
  return {colors, categories, categoryOf};
}

function makeHeat(section, coloring) {
  const heats = section.tensors.map((tensor) => coloring.heat(section, tensor));
  const least = heats.reduce((a, b) => Math.min(a, b), Infinity);
  const most = heats.reduce((a, b) => Math.max(a, b), -Infinity);
  const of = (tensor) => {
    if (tensor.isWeight) return OTHER_COLOR;
    const at = most > least ? (heats[tensor.index] - least) / (most - least) : 0;
    return HEAT[Math.min(HEAT.length - 1, Math.floor(at * HEAT.length))];
  };
  return {of, categories: null, heat: coloring.words};
}

const shades = new Map();
// Tints of neighbors of one kind: lighter, darker, towards the next channel.
const TINTS = [[1, 1, 1], [1.1, 1.1, 1.08], [0.88, 0.9, 0.92], [0.92, 1.03, 1.05], [1.06, 0.95, 1]];

// A color a little changed, so that neighbors of one kind can be told apart.
function shade(color, index) {
  const key = color + index % TINTS.length;
  if (!shades.has(key)) {
    const channels = TINTS[index % TINTS.length].map(
        (factor, i) =>
            Math.min(255, Math.round(parseInt(color.slice(1 + 2 * i, 3 + 2 * i), 16) * factor)));
    shades.set(key, 'rgb(' + channels.join(',') + ')');
  }
  return shades.get(key);
}

// SPDX-License-Identifier: Apache-2.0
