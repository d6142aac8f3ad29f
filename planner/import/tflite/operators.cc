// The table from TensorFlow Lite's operators to importers, and their names.
#include "planner/import/tflite/operators.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace arenite::planner::tflite {
namespace {

using namespace tflite_schema;  // NOLINT(google-build-using-namespace): names.def names its tables

// Why an operator is refused.
constexpr const char* kNoOperator = "operator is not supported";
constexpr const char* kControlFlow = "operator is not supported: control flow comes later";
constexpr const char* kState = "operator is not supported: variables come with state, later";
constexpr const char* kDynamic =
    "operator is not supported: its result's shape depends on data, and dynamic dims come later";

struct Row {
  int32_t code;
  const char* name;
  Known known;
};

constexpr Row kRows[] = {
#define ARENITE_TFLITE(number, NAME, call) \
  {number, #NAME, {[](Context& context) { call; }, nullptr}},
#define ARENITE_TFLITE_NOT(number, NAME, why) {number, #NAME, {nullptr, why}},
#include "planner/import/tflite/names.def"
};

struct CustomRow {
  std::string_view name;
  Importer importer;
};

constexpr CustomRow kCustomRows[] = {
#define ARENITE_TFLITE_CUSTOM(name, call) {name, [](Context& context) { call; }},
#include "planner/import/tflite/names.def"
};

const Row* find_row(int32_t code) {
  const Row* row = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const Row& entry) { return entry.code == code; });
  return row == std::end(kRows) ? nullptr : row;
}

}  // namespace

std::string builtin_name(int32_t code) {
  const Row* row = find_row(code);
  return row == nullptr ? "builtin operator " + std::to_string(code) : row->name;
}

Known find_importer(const Operator& op) {
  if (op.custom) {
    const CustomRow* row =
        std::find_if(std::begin(kCustomRows), std::end(kCustomRows),
                     [&](const CustomRow& entry) { return entry.name == op.name; });
    if (row == std::end(kCustomRows)) return {nullptr, kNoOperator};
    return {row->importer, nullptr};
  }
  const Row* row = find_row(op.code);
  return row == nullptr ? Known{nullptr, kNoOperator} : row->known;
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
