// Colours of tensors and steps, and the legend that explains them.

// The same as in planner/report/picture/svg.cc; dark text is readable on each.
const PALETTE = [
  '#7fb0e6', '#f5b26b', '#86cc8e', '#f09a97', '#b9a3e3', '#6fcbc4', '#ebd162', '#eba3cb', '#c9ae93',
  '#b7cc6b'
];
const OTHER_COLOUR = '#b4bcc6';
const HEAT = ['#d9e4ee', '#b5cfe4', '#8fb8dc', '#f3cf8a', '#f2a45f', '#e4744f'];

// Ways to colour tensors: a category for each tensor, and the order of the categories.
const COLOURINGS = {
  operator: {
    label: 'operator that writes it',
    applies: (section) => section.steps.length > 0,
    category: (section, tensor) =>
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

// {of(tensor): colour, step(step): colour, categories: [{name, colour}] or null, heat: words}
function makeColours(section, kind) {
  const colouring = COLOURINGS[kind];
  const operators = makeCategories(section, COLOURINGS.operator);
  const step = (index) => section.steps[index] ?
      operators.colours.get(section.steps[index].op) || OTHER_COLOUR :
      OTHER_COLOUR;
  if (colouring.heat) return {...makeHeat(section, colouring), step, kind};
  if (kind === 'tensor') {
    // Neighbours in the list get colours far apart.
    const of = (tensor) => shade(PALETTE[tensor.index * 7 % PALETTE.length], tensor.index);
    return {of, step, kind, categories: null};
  }
  const {colours, categories, categoryOf} =
      kind === 'operator' ? operators : makeCategories(section, colouring);
  const of = (tensor) => shade(colours.get(categoryOf(tensor)) || OTHER_COLOUR, tensor.index);
  return {of, step, kind, categories, categoryOf};
}

// The categories with most bytes x steps get colours of their own.
function makeCategories(section, colouring) {
  if (!colouring.applies(section))
    return {colours: new Map(), categories: [], categoryOf: () => ''};
  const weights = new Map();
  const categoryOf = (tensor) => colouring.category(section, tensor) || 'unknown';
  for (const tensor of section.tensors) {
    const weight = tensor.bytes * (tensor.last - tensor.first + 1);
    const category = categoryOf(tensor);
    weights.set(category, (weights.get(category) || 0) + weight);
  }
  const names = Array.from(weights.keys())
                    .sort((a, b) => weights.get(b) - weights.get(a) || (a < b ? -1 : 1));
  const colours = new Map(names.map((name, i) => [name, PALETTE[i] || OTHER_COLOUR]));
  for (const step of section.steps) {
    if (!colours.has(step.op)) colours.set(step.op, PALETTE[colours.size] || OTHER_COLOUR);
  }
  const categories = names.map((name) => ({name, colour: colours.get(name)}));
  return {colours, categories, categoryOf};
}

function makeHeat(section, colouring) {
  const heats = section.tensors.map((tensor) => colouring.heat(section, tensor));
  const least = heats.reduce((a, b) => Math.min(a, b), Infinity);
  const most = heats.reduce((a, b) => Math.max(a, b), -Infinity);
  const of = (tensor) => {
    const at = most > least ? (heats[tensor.index] - least) / (most - least) : 0;
    return HEAT[Math.min(HEAT.length - 1, Math.floor(at * HEAT.length))];
  };
  return {of, categories: null, heat: colouring.words};
}

const shades = new Map();
// Tints of neighbours of one kind: lighter, darker, towards the next channel.
const TINTS = [[1, 1, 1], [1.1, 1.1, 1.08], [0.88, 0.9, 0.92], [0.92, 1.03, 1.05], [1.06, 0.95, 1]];

// A colour a little changed, so that neighbours of one kind can be told apart.
function shade(colour, index) {
  const key = colour + index % TINTS.length;
  if (!shades.has(key)) {
    const channels = TINTS[index % TINTS.length].map(
        (factor, i) =>
            Math.min(255, Math.round(parseInt(colour.slice(1 + 2 * i, 3 + 2 * i), 16) * factor)));
    shades.set(key, 'rgb(' + channels.join(',') + ')');
  }
  return shades.get(key);
}

// SPDX-License-Identifier: Apache-2.0
