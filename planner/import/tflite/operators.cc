// The table from TensorFlow Lite's operators to importers, and their names.
#include "planner/import/tflite/operators.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "planner/import/tflite/import.h"

namespace arenite::planner::tflite {
namespace {

using namespace tflite_schema;  // NOLINT(google-build-using-namespace): names.def names its tables

// Why an operator is refused, and what works instead.
constexpr Known kNoOperator = {nullptr, "operator is not supported",
                               "those that 'arenite ops' lists"};

struct Row {
  int32_t code;
  const char* name;
  Said said;
  Known known;
};

#define ARENITE_IMPORTER(says, call)             \
  [](Context& context) {                         \
    [[maybe_unused]] constexpr Said said = says; \
    call;                                        \
  }

constexpr Row kRows[] = {
#define ARENITE_TFLITE(number, NAME, says, call) \
  {number, #NAME, says, {ARENITE_IMPORTER(says, call)}},
#define ARENITE_TFLITE_NOT(number, NAME, why) {number, #NAME, "", why},
#include "planner/import/tflite/names.def"
};

struct CustomRow {
  std::string_view name;
  Said said;
  Importer importer;
};

constexpr CustomRow kCustomRows[] = {
#define ARENITE_TFLITE_CUSTOM(name, says, call) {name, says, ARENITE_IMPORTER(says, call)},
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
    return row == std::end(kCustomRows) ? kNoOperator : Known{row->importer};
  }
  const Row* row = find_row(op.code);
  return row == nullptr ? kNoOperator : row->known;
}

std::vector<NamedOperator> named_operators() {
  std::vector<NamedOperator> all;
  for (const Row& row : kRows) {
    all.push_back({row.name, row.said, row.known.why, row.known.instead});
  }
  for (const CustomRow& row : kCustomRows) all.push_back({row.name, row.said});
  return all;
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
