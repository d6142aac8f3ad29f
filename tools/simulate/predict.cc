// Multiplies a step's size by what it takes (docs/board.md, measured costs).
#include "tools/simulate/predict.h"

#include "planner/steps/decide/costs.h"

namespace arenite::tools {
namespace {

constexpr double kPicosecondsInMicrosecond = 1e6;

// Inputs, then outputs.
planner::OperandFacts facts_of(const Step& step, uint32_t operand) {
  if (operand < step.input_count() && !step.has_input(operand)) return {};
  const format::ElementsRecord& elements = step.elements(operand);
  const uint32_t* dims = step.dims(operand);
  const uint32_t* strides = dims + elements.rank;
  planner::OperandFacts facts;
  facts.dims = {dims, strides};
  if (static_cast<Layout>(elements.layout) == Layout::kStrided) {
    facts.strides = {strides, strides + elements.rank};
  }
  facts.element_bytes = static_cast<uint32_t>(element_bytes(step.dtype(operand)));
  facts.is_unsigned = step.dtype(operand) == DType::kUint8;
  return facts;
}

}  // namespace

planner::StepFacts facts_of(const Step& step) {
  planner::StepFacts facts;
  facts.op = step.op();
  for (uint32_t i = 0; i < step.input_count(); ++i) facts.inputs.push_back(facts_of(step, i));
  if (step.output_count() != 0) facts.output = facts_of(step, step.input_count());
  const uint32_t* words = step.bindings().attributes + step.record().attribute_first;
  facts.attributes = {words, step.attribute_words()};
  return facts;
}

std::optional<double> predicted_us(const planner::Board& board, const Step& step,
                                   const std::string& form) {
  const planner::StepFacts facts = facts_of(step);
  const planner::MeasuredCost* cost = board.costs.find(form, planner::case_of(facts));
  if (cost == nullptr) return std::nullopt;
  return planner::picoseconds(*cost, planner::size_of(facts)) / kPicosecondsInMicrosecond;
}

std::optional<double> predicted_transfer_us(const planner::Board& board, uint64_t bytes) {
  if (board.costs.empty()) return std::nullopt;
  const planner::MeasuredCost& cost = board.costs.transfer;
  return (cost.ps + cost.ps_per_unit * static_cast<double>(bytes)) / kPicosecondsInMicrosecond;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
