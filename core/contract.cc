// Compares a step with what the contract of its operator says in general.
#include "core/contract.h"

#include "core/shape.h"

namespace arenite {
namespace {

OperandType type_rule(const Step& step, const Contract& contract, uint32_t operand) {
  const uint32_t inputs = step.input_count();
  if (operand < inputs) return contract.inputs[operand < 2 ? operand : 2];
  return contract.outputs[operand == inputs ? 0 : 1];
}

bool allows(OperandType rule, DType type, DType t) {
  switch (rule) {
    case OperandType::kT:
      return type == t;
    case OperandType::kIndex:
      return type == DType::kInt32 || type == DType::kInt64;
    case OperandType::kAny:
      return has(types::kAny, type);
    default:
      return static_cast<uint8_t>(type) == static_cast<uint8_t>(rule);
  }
}

// Words that a later writer appended say something that is not known here.
bool further_words_are_zero(const Step& step, uint32_t known) {
  const uint32_t* words = step.bindings().attributes + step.record().attribute_first;
  for (uint32_t i = known; i < step.attribute_words(); ++i) {
    if (words[i] != 0) return false;
  }
  return true;
}

}  // namespace

DType type_of(const Step& step, const Contract& contract) {
  for (uint32_t i = 0; i < step.input_count() + step.output_count(); ++i) {
    if (step.input_value(i) != kNoIndex && type_rule(step, contract, i) == OperandType::kT) {
      return step.dtype(i);
    }
  }
  return DType::kNone;
}

Status check_contract(const Step& step, const Contract& contract) {
  const uint32_t inputs = step.input_count();
  const uint32_t outputs = step.output_count();
  if (inputs < contract.min_inputs || inputs > contract.max_inputs || outputs == 0 ||
      outputs > contract.max_outputs) {
    return error(Code::kBadOperandCount);
  }
  const DType t = type_of(step, contract);
  for (uint32_t i = 0; i < inputs + outputs; ++i) {
    const uint32_t value = step.input_value(i);
    const bool output = i >= inputs;
    if (value == kNoIndex) {
      if (output || i < contract.min_inputs) return error(Code::kBadOperandCount);
      continue;
    }
    const Tensor operand = step.operand(i);
    const OperandType rule = type_rule(step, contract, i);
    if (!allows(rule, operand.dtype, t) || (rule == OperandType::kT && !has(contract.types, t))) {
      return error(Code::kBadType, value);
    }
    if (output ? operand.layout != Layout::kStrided : !contract.packings.take(i, operand.layout)) {
      return error(Code::kBadLayout, value);
    }
    // That bounds the work of a hostile step by the bytes it was given.
    if (output && dense_bytes(operand) > operand.bytes) return error(Code::kBadShape, value);
  }
  if (!further_words_are_zero(step, contract.attribute_words)) return error(Code::kBadAttribute);
  return contract.check(step);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
