// Operators' cases run by watched forms in slots, for tests of the simulator and of what forms
// state.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/ops/case_step.h"
#include "tests/ops/cases.h"
#include "tools/simulate/operand_slots.h"

namespace arenite::tools {

struct Room;

// A case's step whose operands lie in memories of their own, but for one input that lies in that of
// output 0 at a distance. It lasts until the next one is made.
class Simulated {
 public:
  Simulated(ops_test::CaseStep& from, const Form& form,
            std::optional<uint32_t> shared = std::nullopt, int64_t distance = 0);

  // The form's facts come from the plain forms, its code is watched.
  const Form& code() const;
  const Step& laid() const { return *laid_; }
  Step step() const { return {bindings_, record_, 0}; }
  OperandSlots& slots();
  SimulatedMemory& memory_of(const LaidOperand& operand);
  // Cut: with a pause wherever there can be one.
  CaughtRun run(bool cut = false);

 private:
  void place_values(ops_test::CaseStep& from, std::optional<uint32_t> shared, int64_t distance);
  void add_scratch();
  void copy_contents(ops_test::CaseStep& from);

  const Form& form_;
  format::StepRecord record_;
  std::vector<format::ValueRecord> values_;
  std::vector<uint32_t> shapes_, words_, attributes_;
  std::vector<uint64_t> memory_bytes_;  // of each value and of scratch
  std::vector<std::byte*> arenas_;
  Bindings bindings_;
  Room* room_ = nullptr;
  std::optional<Step> laid_;
};

// All forms that take a case: its reference, and special ones that run here.
std::vector<const Form*> forms_of(ops_test::CaseStep& from);

std::string text_of(const std::optional<Access>& access);
bool is_at(const CaughtRun& run, FaultKind kind, const LaidOperand& operand);

// With output 0 at the safe distance that the form states before the input, its accesses are right,
// in a run that is cut wherever it can be too.
void expect_safe_distance(ops_test::CaseStep& from, const Form& form, uint32_t input);

// An element nearer an input is read where the output was written. Behind its start nothing need be
// wrong: a form may read all before it writes. Returns whether it lay too near.
bool expect_tight_distance(ops_test::CaseStep& from, const Form& form, uint32_t input);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
