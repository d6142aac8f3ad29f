// Writes the records of one step.
#include "planner/graph/step_tables.h"

namespace arenite::planner {

void StepTables::add(const StoredOperand& operand) {
  const Strided& form = operand.form;
  format::ElementsRecord elements{};
  describe(elements, operand.dtype, form);
  elements.shape = static_cast<uint32_t>(shapes.size());
  elements.bytes = static_cast<uint32_t>(operand.bytes);
  elements.offset = static_cast<uint32_t>(form.offset * element_bytes(operand.dtype));
  const std::vector<uint32_t> words = shape_words(form);
  shapes.insert(shapes.end(), words.begin(), words.end());
  if (operand.constant) {
    operands.push_back(format::kConstantBit | static_cast<uint32_t>(constants.size()));
    constants.push_back({elements});
    return;
  }
  const auto index = static_cast<uint32_t>(values.size());
  operands.push_back(index);
  format::ValueRecord& value = values.emplace_back();
  static_cast<format::ElementsRecord&>(value) = elements;
  value.place = static_cast<uint8_t>(index);
  value.below_or_root = kNoIndex;
}

void StepTables::set_step(Op op, size_t inputs, size_t outputs,
                          const std::vector<uint32_t>& words) {
  attributes = words;
  record.op = static_cast<uint16_t>(op);
  record.input_count = static_cast<uint16_t>(inputs);
  record.output_count = static_cast<uint8_t>(outputs);
  record.attribute_words = static_cast<uint16_t>(words.size());
}

void StepTables::bind() {
  bindings.values = values.data();
  bindings.shapes = shapes.data();
  bindings.operands = operands.data();
  bindings.attributes = attributes.data();
  bindings.constants = constants.data();
  bindings.sections = sections.empty() ? nullptr : sections.data();
  bindings.arenas = arenas.empty() ? nullptr : arenas.data();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
