// Walks from the outputs back over all that operators read, and keeps that.
#include "planner/import/tflite/cut.h"

#include <algorithm>

#include "planner/import/model/cut.h"

namespace arenite::planner::tflite {

std::string cut(Subgraph& subgraph, const std::vector<std::string>& names,
                const std::vector<std::string>& outputs) {
  check_outputs(outputs, {names.begin(), names.end()});
  subgraph.outputs.clear();
  std::vector<bool> needed(subgraph.tensors.size(), false);
  for (const std::string& output : outputs) {
    const auto found = std::find(names.begin(), names.end(), output);
    subgraph.outputs.push_back(static_cast<uint32_t>(found - names.begin()));
    needed[subgraph.outputs.back()] = true;
  }
  const auto is_needed = [&](int32_t tensor) {
    return tensor >= 0 && needed[static_cast<size_t>(tensor)];
  };
  LeftOut left_out;
  left_out.of = subgraph.operators.size();
  std::vector<Operator> kept;
  for (auto op = subgraph.operators.rbegin(); op != subgraph.operators.rend(); ++op) {
    // Those without outputs set variables, of which later runs depend.
    if (!op->outputs.empty() && std::none_of(op->outputs.begin(), op->outputs.end(), is_needed)) {
      continue;
    }
    for (const int32_t input : op->inputs) {
      if (input >= 0) needed[static_cast<size_t>(input)] = true;
    }
    kept.push_back(std::move(*op));
  }
  std::reverse(kept.begin(), kept.end());
  subgraph.operators = std::move(kept);
  left_out.operators = left_out.of - subgraph.operators.size();
  std::erase_if(subgraph.inputs, [&](uint32_t input) {
    if (needed[input]) return false;
    left_out.inputs.push_back(names[input]);
    return true;
  });
  return cut_note(outputs, left_out);
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
