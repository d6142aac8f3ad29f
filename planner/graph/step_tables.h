// The tables that a program would hold for one step, for code that reads stored records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/step.h"
#include "planner/graph/operands.h"

namespace arenite::planner {

// One operand, as it is described to a step.
struct StoredOperand {
  DType dtype = DType::kNone;
  const Strided& form;  // as the step has it
  uint64_t bytes = 0;
  bool constant = false;
};

// Operands are added in the order inputs, outputs, scratch. No data is behind them unless sections
// and arenas are given. Must not move while a step of it is in use.
struct StepTables {
  std::vector<format::ValueRecord> values;
  std::vector<format::ConstantRecord> constants;
  std::vector<uint32_t> shapes, operands, attributes;
  std::vector<const std::byte*> sections;
  std::vector<std::byte*> arenas;  // of value i: arena i, where there are no more than 256
  Bindings bindings;
  format::StepRecord record{};

  StepTables() = default;
  StepTables(const StepTables&) = delete;
  StepTables& operator=(const StepTables&) = delete;

  void add(const StoredOperand& operand);
  void add_absent() { operands.push_back(kNoIndex); }
  // Sets the step. After it, and after any further change of a table, bind() makes step() see it.
  void set_step(Op op, size_t inputs, size_t outputs, const std::vector<uint32_t>& words);
  void bind();

  Step step() const { return {bindings, record, 0}; }
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
