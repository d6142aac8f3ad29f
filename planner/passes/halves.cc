// Sets and clears the flags of values; constants have none, since each reader narrows its own.
#include "planner/passes/halves.h"

namespace arenite::planner {

void set_halves(Graph& graph, bool allowed) {
  for (Value& value : graph.values) {
    value.half_will_do = allowed && value.dtype == DType::kFloat32 && value.constant == nullptr;
  }
}

bool keep_in_float32(Graph& graph, const std::string& name) {
  bool found = false;
  for (Value& value : graph.values) {
    // The name of a value that a pass made in the place of the model's goes on with a number.
    if (value.name != name && !value.name.starts_with(name + "#")) continue;
    value.half_will_do = false;
    found = true;
  }
  return found;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
