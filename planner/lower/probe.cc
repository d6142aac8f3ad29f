// Shows one lowered step to code that reads stored records: forms' facts, Vulkan support.
#include "planner/lower/probe.h"

namespace arenite::planner {

Probe::Probe(const LoweredStep& step, const ConstantPool& pool) : attributes_(step.attributes) {
  for (const auto* operands : {&step.inputs, &step.outputs}) {
    for (const std::optional<Operand>& operand : *operands) {
      operands_.push_back(operand.has_value() ? add_operand(*operand, pool) : kNoIndex);
    }
  }
  record_.op = static_cast<uint16_t>(step.op);
  record_.input_count = static_cast<uint16_t>(step.inputs.size());
  record_.output_count = static_cast<uint8_t>(step.outputs.size());
  record_.attribute_words = static_cast<uint16_t>(attributes_.size());
  bindings_.values = values_.data();
  bindings_.shapes = shapes_.data();
  bindings_.operands = operands_.data();
  bindings_.attributes = attributes_.data();
  bindings_.constants = constants_.data();
}

uint32_t Probe::add_operand(const Operand& operand, const ConstantPool& pool) {
  const auto shape = static_cast<uint32_t>(shapes_.size());
  shapes_.insert(shapes_.end(), operand.form.dims.begin(), operand.form.dims.end());
  shapes_.insert(shapes_.end(), operand.form.strides.begin(), operand.form.strides.end());
  const auto describe = [&](auto& record) {
    record.dtype = static_cast<uint8_t>(operand.dtype);
    record.rank = static_cast<uint8_t>(operand.form.dims.size());
    record.layout = static_cast<uint8_t>(operand.form.layout);
    record.shape = shape;
    record.bytes = static_cast<uint32_t>(operand_bytes(operand, pool));
    record.offset = static_cast<uint32_t>(operand.form.offset * element_bytes(operand.dtype));
  };
  if (operand.constant) {
    describe(constants_.emplace_back());
    return format::kConstantBit | static_cast<uint32_t>(constants_.size() - 1);
  }
  describe(values_.emplace_back());
  values_.back().below_or_root = kNoIndex;
  return static_cast<uint32_t>(values_.size() - 1);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
