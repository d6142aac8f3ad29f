// The tables from operator names to importers, one for each domain.
#include "planner/import/onnx/operators/ops.h"

#include <algorithm>
#include <span>

namespace arenite::planner {
namespace {

struct Row {
  std::string_view op_type;
  OpImporter importer;
};

#define ARENITE_ONNX_OWN(Name, name) {#Name, import_##name},
#define ARENITE_ONNX(Name, call) {#Name, [](OpContext& context) { import_##call; }},
constexpr Row kOnnx[] = {
#include "planner/import/onnx/operators/names.def"
};

#define ARENITE_ONNX_OWN(Name, name) {#Name, import_##name},
#define ARENITE_ONNX(Name, call) {#Name, [](OpContext& context) { import_##call; }},
constexpr Row kMicrosoft[] = {
#include "planner/import/onnx/operators/microsoft.def"
};

OpImporter find(std::span<const Row> rows, std::string_view op_type) {
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const Row& entry) { return entry.op_type == op_type; });
  return row == rows.end() ? nullptr : row->importer;
}

}  // namespace

OpImporter find_importer(std::string_view domain, std::string_view op_type) {
  if (domain.empty()) return find(kOnnx, op_type);
  return domain == "com.microsoft" ? find(kMicrosoft, op_type) : nullptr;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
