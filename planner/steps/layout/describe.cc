// Words for layouts and nodes, for reports.
#include "planner/steps/layout/layout.h"

namespace arenite::planner {

std::string layout_name(const Strided& form) {
  const auto rank = static_cast<uint32_t>(form.dims.size());
  if (same_elements(form, row_major(form.dims))) return "row-major";
  if (same_elements(form, dense_in_order(form.dims, channels_last_order(rank)))) {
    return "channels-last";
  }
  std::string text = "strides";
  for (uint32_t d = 0; d < rank; ++d) {
    text += (d == 0 ? " " : "x") + std::to_string(form.strides[d]);
  }
  if (form.offset != 0) text += " from " + std::to_string(form.offset);
  return text;
}

std::string node_name(const Node& node) {
  std::string name;
  for (const std::string& source : node.sources) name += (name.empty() ? "" : "+") + source;
  return name.empty() ? "unnamed" : name;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
