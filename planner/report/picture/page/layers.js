// Places the steps of a network in layers: each lies below those whose results it reads.
//
// 1. The layer of a step is one more than the last layer of the steps that it reads from.
// 2. Within a layer steps are ordered by the mean place of their neighbors above, then below
//    (the barycenter heuristic of Sugiyama, Tagawa and Toda), a few times over.
// 3. Each takes the place nearest to that mean with a distance of one to the next.

const SWEEPS = 4;

// {nodes: by step, null for views; layers: [[node]]; edges: [{from, to, tensor}]; left, right}
function layersOf(section) {
  const nodes = section.steps.map(
      (step) =>
          step.where === 'view' ? null : {step: step.index, layer: 0, x: 0, above: [], below: []});
  const edges = [];
  for (const tensor of section.tensors) {
    for (const to of tensor.readBy) {
      for (const from of tensor.writtenBy) {
        if (from >= to || !nodes[from] || !nodes[to]) continue;
        edges.push({from: nodes[from], to: nodes[to], tensor});
        nodes[from].below.push(nodes[to]);
        nodes[to].above.push(nodes[from]);
      }
    }
  }
  const layers = [];
  for (const node of nodes) {
    if (!node) continue;
    node.layer = node.above.reduce((most, other) => Math.max(most, other.layer + 1), 0);
    (layers[node.layer] = layers[node.layer] || []).push(node);
  }
  for (let sweep = 0; sweep < SWEEPS; ++sweep) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : layers.slice().reverse()) {
      settle(layer, down ? 'above' : 'below');
    }
  }
  let [left, right] = [0, 0];
  for (const node of nodes) {
    if (!node) continue;
    left = Math.min(left, node.x);
    right = Math.max(right, node.x);
  }
  return {nodes, layers, edges, left, right};
}

function settle(layer, side) {
  const wish = (node) => node[side].length === 0 ?
      node.x :
      node[side].reduce((sum, other) => sum + other.x, 0) / node[side].length;
  const wishes = new Map(layer.map((node) => [node, wish(node)]));
  layer.sort((a, b) => wishes.get(a) - wishes.get(b) || a.step - b.step);
  let at = -Infinity;
  for (const node of layer) {
    at = Math.max(at + 1, wishes.get(node));
    node.x = at;
  }
  // What was pushed to the right is moved back to the middle of what was wished.
  const shift = layer.reduce((sum, node) => sum + node.x - wishes.get(node), 0) / layer.length;
  for (const node of layer) node.x -= shift;
}

// SPDX-License-Identifier: Apache-2.0
