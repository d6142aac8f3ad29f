// Adds one copy before the first node that reads an input in planes, and lets all of those read it.
#include "planner/steps/layout/input_copies.h"

namespace arenite::planner {
namespace {

// Whether the node's first operand is the whole of the input, as the model gives it.
bool reads_in_planes(const LaidNode& node, uint32_t input, const Strided& form) {
  if (node.view || !is_spatial(node.node.op) || !node.inputs[0].has_value()) return false;
  const Operand& placed = *node.inputs[0];
  return !placed.constant && placed.index == input && placed.form.offset == 0 &&
         placed.form.dims == form.dims && placed.form.strides == form.strides;
}

}  // namespace

InputCopies copy_inputs_to_channels_last(const LaidGraph& laid) {
  InputCopies result{laid, 0};
  for (const uint32_t input : laid.schedule.inputs) {
    const Storage& storage = laid.schedule.storages[input];
    const Strided& from = storage.form;
    const auto rank = static_cast<uint32_t>(from.dims.size());
    if (rank < 3 || from.dims[1] < 2) continue;
    std::vector<LaidNode>& nodes = result.laid.nodes;
    size_t first = nodes.size();
    Schedule& schedule = result.laid.schedule;
    const Strided to = dense_in_order(from.dims, channels_last_order(rank));
    const Operand copied = {.index = static_cast<uint32_t>(schedule.storages.size()),
                            .dtype = storage.dtype,
                            .form = to};
    for (size_t n = nodes.size(); n-- > 0;) {
      if (!reads_in_planes(nodes[n], input, from)) continue;
      nodes[n].inputs[0] = copied;
      first = n;
    }
    if (first == nodes.size()) continue;
    schedule.copies.push_back(
        {node_name(nodes[first].node), storage.name, layout_name(from), layout_name(to)});
    Storage copy = storage_of(storage.name + ", channels-last", storage.dtype, to);
    copy.half_will_do = storage.half_will_do;
    schedule.storages.push_back(std::move(copy));
    const Operand whole = {.index = input, .dtype = storage.dtype, .form = from};
    nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(first),
                 copy_node(whole, copied, nodes[first].node.sources));
    ++result.copies;
  }
  return result;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
