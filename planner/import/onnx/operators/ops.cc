// The tables from operator names to importers, one for each domain.
#include "planner/import/onnx/operators/ops.h"

#include <algorithm>
#include <concepts>
#include <utility>

namespace arenite::planner {
namespace {

std::vector<Op> becomes(std::same_as<Op> auto... ops) { return {ops...}; }

ConstantOperands constant_from(int64_t opset, std::same_as<int> auto... operands) {
  return {opset, {static_cast<size_t>(operands)...}};
}

ImportRow row(std::string_view op_type, void (*importer)(OpContext& context), std::vector<Op> ops,
              std::same_as<ConstantOperands> auto... constants) {
  return {op_type, importer, std::move(ops), {std::move(constants)...}};
}

#define ARENITE_ONNX_BRANCH(Name, ...) row(#Name, nullptr, __VA_ARGS__),
#define ARENITE_ONNX_OWN(Name, name, ...) row(#Name, import_##name, __VA_ARGS__),
#define ARENITE_ONNX(Name, call, ...) \
  row(                                \
      #Name, [](OpContext& context) { import_##call; }, __VA_ARGS__),

std::span<const ImportRow> onnx_rows() {
  using enum Op;
  static const ImportRow kRows[] = {
#include "planner/import/onnx/operators/names.def"
  };
  return kRows;
}

#define ARENITE_ONNX_OWN(Name, name, ...) row(#Name, import_##name, __VA_ARGS__),
#define ARENITE_ONNX(Name, call, ...) \
  row(                                \
      #Name, [](OpContext& context) { import_##call; }, __VA_ARGS__),

std::span<const ImportRow> microsoft_rows() {
  using enum Op;
  static const ImportRow kRows[] = {
#include "planner/import/onnx/operators/microsoft.def"
  };
  return kRows;
}

}  // namespace

std::span<const ImportRow> import_rows(std::string_view domain) {
  if (domain.empty()) return onnx_rows();
  return domain == "com.microsoft" ? microsoft_rows() : std::span<const ImportRow>();
}

const ImportRow* find_import_row(std::string_view domain, std::string_view op_type) {
  const std::span<const ImportRow> rows = import_rows(domain);
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const ImportRow& entry) { return entry.op_type == op_type; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
