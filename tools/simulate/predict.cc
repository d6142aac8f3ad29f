// Multiplies a step's operations by what one takes (docs/board.md, measured costs).
#include "tools/simulate/predict.h"

#include <algorithm>

#include "ops/contracts.h"
#include "planner/graph/work.h"

namespace arenite::tools {
namespace {

constexpr double kPicosecondsInMicrosecond = 1e6;

std::vector<uint32_t> dims_of(const Step& step, uint32_t input) {
  if (!step.has_input(input)) return {};
  const uint32_t* dims = step.dims(input);
  return {dims, dims + step.elements(input).rank};
}

uint64_t operations_of(const Step& step) {
  uint64_t results = 1;
  if (step.output_count() != 0) {
    const uint32_t output = step.input_count();
    for (uint32_t d = 0; d < step.elements(output).rank; ++d) results *= step.dims(output)[d];
  }
  const uint32_t* words = step.bindings().attributes + step.record().attribute_first;
  return results * planner::operations_each({find_contract(step.op())->work,
                                             dims_of(step, 0),
                                             dims_of(step, 1),
                                             results,
                                             {words, words + step.attribute_words()}});
}

}  // namespace

std::optional<double> predicted_us(const planner::Board& board, const Step& step,
                                   const std::string& form) {
  const auto found = board.costs.forms.find(form);
  if (found == board.costs.forms.end()) return std::nullopt;
  const planner::MeasuredCost& cost = found->second;
  return (cost.ps + cost.ps_per_unit * static_cast<double>(operations_of(step))) /
         kPicosecondsInMicrosecond;
}

std::optional<double> predicted_transfer_us(const planner::Board& board, uint64_t bytes) {
  if (board.costs.empty()) return std::nullopt;
  const planner::MeasuredCost& cost = board.costs.transfer;
  return (cost.ps + cost.ps_per_unit * static_cast<double>(bytes)) / kPicosecondsInMicrosecond;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
