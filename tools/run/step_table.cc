// Gathers names, operators and operands of steps.
#include "tools/run/step_table.h"

#include <algorithm>

#include "core/step.h"
#include "core/step_counts.h"
#include "support/status_text.h"

namespace arenite::tools {
namespace {

using format::Where;

std::string op_text(Op op) {
  const char* name = operator_name(op);
  return name != nullptr ? name : "op " + std::to_string(static_cast<unsigned>(op));
}

// Operands that the step reads or writes, scratch apart.
std::vector<uint32_t> operands_of(const Step& step) {
  std::vector<uint32_t> values;
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    if (step.has_input(i)) values.push_back(step.input_value(i));
  }
  for (uint32_t i = 0; i < step.output_count(); ++i) values.push_back(step.output_value(i));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::string name_of(const ProgramFile& file, uint32_t method, uint32_t variant, const Step& step) {
  std::string name;
  for (const std::string& node : file.step_nodes(method, variant, step.index())) {
    name += (name.empty() ? "" : " + ") + node;
  }
  if (!name.empty()) return name;
  if (step.output_count() == 0) return "step " + std::to_string(step.index());
  return "-> " + file.value_name(method, variant, step.output_value(0));
}

}  // namespace

std::vector<StepRow> step_table(const ProgramFile& file, uint32_t method, uint32_t variant) {
  const Program& program = file.program();
  const format::VariantRecord& record =
      program.variants()[program.methods()[method].variant_first + variant];
  const Bindings bindings = program.bindings_of(record);
  const auto steps = program.steps_of(record);
  std::vector<StepRow> rows;
  for (uint32_t i = 0; i < steps.size(); ++i) {
    const Step step(bindings, steps[i], i);
    if (step.where() == Where::kView) continue;
    StepRow row{i, name_of(file, method, variant, step), op_text(step.op()), text_of(step.where()),
                0};
    for (const uint32_t operand : operands_of(step)) {
      row.bytes += tensor_of(bindings, operand).bytes();
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
