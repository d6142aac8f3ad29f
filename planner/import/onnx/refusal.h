// Why an operator is not built here, and the nearest thing that works.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace arenite::planner {

struct RefusedOp {
  std::string name, why, instead;
};
// Operators of ONNX that are refused by name.
std::vector<RefusedOp> refused_ops();

struct OpRefusal {
  std::string why, instead;
};

// Why an operator without an importer is refused; it is ONNX's own if `domain` is empty.
OpRefusal refusal_of(std::string_view domain, std::string_view op_type);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
