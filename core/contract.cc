// Compares a step with the facts of its operator's contract.
#include "core/contract.h"

#include "core/shape.h"

namespace arenite {
namespace {

OperandType type_rule(const Contract& contract, uint32_t inputs, uint32_t operand) {
  if (operand < inputs) return contract.inputs[operand < 2 ? operand : 2];
  return contract.outputs[operand == inputs ? 0 : 1];
}

// The types of each OperandType; T differs from step to step.
constexpr TypeSet kOperandTypes[] = {0,
                                     type_set(DType::kInt64),
                                     type_set(DType::kBool),
                                     type_set(DType::kInt32, DType::kInt64),
                                     types::kAny,
                                     0};

// The types that rule `rule` allows an operand, where T is one of `t`.
TypeSet types_of(OperandType rule, TypeSet t) {
  if (rule == OperandType::kTOrHalf && has(t, DType::kFloat32)) t = types::kFloat;
  const TypeSet own = kOperandTypes[static_cast<uint32_t>(rule)];
  return own != 0 ? own : t;
}

// Words that a later writer appended say something that is not known here.
bool further_words_are_zero(const Step& step, uint32_t known) {
  for (uint32_t i = known; i < step.attribute_words(); ++i) {
    if (step.bindings().attributes[step.record().attribute_first + i] != 0) return false;
  }
  return true;
}

}  // namespace

bool is_one_of(int32_t number, DType type) {
  switch (type) {
    case DType::kInt8:
      return number == static_cast<int8_t>(number);
    case DType::kUint8:
      return number == static_cast<uint8_t>(number);
    case DType::kInt16:
      return number == static_cast<int16_t>(number);
    case DType::kUint16:
      return number == static_cast<uint16_t>(number);
    default:
      return true;
  }
}

DType type_of(const Step& step, const Contract& contract) {
  const uint32_t* operands = step.operand_words();
  const uint32_t inputs = step.input_count();
  for (uint32_t i = 0; i < inputs + step.output_count(); ++i) {
    if (operands[i] != kNoIndex &&
        (contract.only_t || type_rule(contract, inputs, i) == OperandType::kT)) {
      return static_cast<DType>(elements_of(step.bindings(), operands[i]).dtype);
    }
  }
  return DType::kNone;
}

Status check_contract(const Step& step, const Contract& contract) {
  const uint32_t* operands = step.operand_words();
  const uint32_t inputs = step.input_count();
  const uint32_t outputs = step.output_count();
  if (inputs < contract.min_inputs || inputs > contract.max_inputs || outputs == 0 ||
      outputs > contract.max_outputs) {
    return error(Code::kBadOperandCount);
  }
  TypeSet t = contract.types;  // what T may be: one type as soon as an operand has it
  // Shaders may keep float32 numbers in 16 bits, all or some: their rows say which.
  constexpr TypeSet kNarrow = type_set(DType::kFloat16);
  const bool may_narrow =
      step.where() == format::Where::kVulkan && has(contract.types, DType::kFloat32);
  if (may_narrow) t |= kNarrow;
  for (uint32_t i = 0; i < inputs + outputs; ++i) {
    const uint32_t value = operands[i];
    const bool output = i >= inputs;
    if (value == kNoIndex) {
      if (output || i < contract.min_inputs) return error(Code::kBadOperandCount);
      continue;
    }
    const format::ElementsRecord& operand = elements_of(step.bindings(), value);
    const auto type = static_cast<DType>(operand.dtype);
    const auto layout = static_cast<Layout>(operand.layout);
    const OperandType rule = contract.only_t ? OperandType::kT : type_rule(contract, inputs, i);
    const bool of_t = rule == OperandType::kT;
    if (!has(types_of(rule, t), type)) return error(Code::kBadType, value);
    if (of_t) {
      t = type_set(type);
      if (may_narrow && t == kNarrow) t |= types::kFloat32;
    }
    const bool weights = i == kWeightsInput && !output;
    if (weights ? !contract.packings.take(layout) : layout != Layout::kStrided) {
      return error(Code::kBadLayout, value);
    }
    // This bounds the work of a hostile step by the bytes it was given.
    if (output && !elements_apart(step.bindings(), value)) return error(Code::kBadShape, value);
  }
  if (!further_words_are_zero(step, contract.attribute_words)) return error(Code::kBadAttribute);
  return contract.check(step);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
