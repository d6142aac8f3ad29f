// Asks the operator's facts for the view, and refuses one that starts at an unaligned byte.
#include "planner/graph/views.h"

#include "planner/graph/op_facts.h"

namespace arenite::planner {

std::optional<Strided> view_form(const Node& node, const Value& output, const Strided& input,
                                 uint32_t view_alignment) {
  std::optional<Strided> form = facts_of(node.op).view(node, output, input);
  if (form.has_value() && form->offset * element_bytes(output.dtype) % view_alignment != 0 &&
      output.elements() != 0) {
    return std::nullopt;
  }
  return form;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
