// Shows one lowered step to code that reads stored records: forms' facts, Vulkan support.
#pragma once

#include <vector>

#include "planner/lower/lower.h"

namespace arenite::planner {

// Holds records for one step; no data is behind them. Must not move while the step is in use.
class Probe {
 public:
  Probe(const LoweredStep& step, const ConstantPool& pool);
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  Step step() const { return Step(bindings_, record_, 0); }

 private:
  // Returns its operand word.
  uint32_t add_operand(const Operand& operand, const ConstantPool& pool);

  std::vector<format::ValueRecord> values_;
  std::vector<format::ConstantRecord> constants_;
  std::vector<uint32_t> shapes_, operands_, attributes_;
  format::StepRecord record_{};
  Bindings bindings_;
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
