// The table from ONNX's operator names to importers.
#include "planner/ops/ops.h"

#include <algorithm>
#include <iterator>

namespace arenite::planner {
namespace {

struct Row {
  std::string_view op_type;
  OpImporter importer;
};

constexpr Row kRows[] = {
#define ARENITE_ONNX_OWN(Name, name) {#Name, import_##name},
#define ARENITE_ONNX(Name, call) {#Name, [](OpContext& context) { import_##call; }},
#include "planner/import/onnx/names.def"
};

}  // namespace

OpImporter find_importer(std::string_view op_type) {
  const Row* row = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const Row& entry) { return entry.op_type == op_type; });
  return row == std::end(kRows) ? nullptr : row->importer;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
