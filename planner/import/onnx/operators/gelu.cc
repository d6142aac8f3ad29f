// Gelu: x times the share of a normal distribution below x, or its approximation by tanh.
#include "planner/import/onnx/operators/ops.h"
#include "support/printable.h"

namespace arenite::planner {

void import_gelu(OpContext& context) {
  const std::string approximate = context.string_attribute("approximate", "none");
  if (approximate != "none" && approximate != "tanh") {
    context.fail_attribute("approximate", "expected none or tanh, found " + quote(approximate));
  }
  import_unary(context, Op::kGelu, {nullptr, approximate == "tanh" ? 1.0f : 0.0f});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
