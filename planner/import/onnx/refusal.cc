// Looks an operator up among those that are refused by name, or finds what was meant.
#include "planner/import/onnx/refusal.h"

#include <algorithm>

#include "planner/import/onnx/operators/ops.h"
#include "support/suggest.h"

namespace arenite::planner {
namespace {

struct Row {
  std::string_view name, why, instead;
};

constexpr Row kRefused[] = {
#define ARENITE_ONNX_REFUSED(Name, why, instead) {#Name, why, instead},
#include "planner/import/onnx/refused.def"
};

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const ImportRow& row : import_rows("")) names.emplace_back(row.op_type);
  return names;
}

}  // namespace

std::vector<RefusedOp> refused_ops() {
  std::vector<RefusedOp> all;
  for (const Row& row : kRefused) {
    all.push_back({std::string(row.name), std::string(row.why), std::string(row.instead)});
  }
  return all;
}

OpRefusal refusal_of(std::string_view domain, std::string_view op_type) {
  const auto* row = std::find_if(std::begin(kRefused), std::end(kRefused),
                                 [&](const Row& refused) { return refused.name == op_type; });
  const bool training = domain == "ai.onnx.preview.training";
  if (row != std::end(kRefused) && (domain.empty() || training)) {
    return {std::string(row->why), std::string(row->instead)};
  }
  if (domain == "ai.onnx.ml") {
    return {"trees, tables and the like of ai.onnx.ml are out of scope",
            "do it before or behind the model"};
  }
  if (!domain.empty()) {
    return {"operator is not supported", "operators of ONNX's own domain"};
  }
  const std::string meant = did_you_mean(op_type, known_names());
  return {"operator is not supported" + meant, "those that 'arenite ops' lists"};
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
