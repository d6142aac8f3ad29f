// Floats that a device keeps in 16 bits: what a step is then, and which steps of a schedule are.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "planner/steps/lower/constants.h"
#include "planner/steps/schedule/schedule.h"

namespace arenite::planner {

// T of a step.
DType type_of(const ScheduledStep& step);

// The float32 values of a schedule that its steps on a device may keep in 16 bits.
class Halves {
 public:
  explicit Halves(const Schedule& schedule);

  // The step with its float32 operands of type T in float16, constants among them. Nothing where T
  // is not float32, where a value is to stay float32, or where a finite constant would not be
  // finite.
  std::optional<ScheduledStep> narrowed(const ScheduledStep& step, ConstantPool& pool) const;

  // Takes back from `narrow`, a flag for each step, what would give a storage parts of both types,
  // and few steps between many casts.
  void leave_out_bad(std::vector<bool>& narrow) const;

 private:
  bool narrow_operand(Operand& operand, ConstantPool& pool) const;
  void keep_storages_whole(std::vector<bool>& narrow) const;
  bool leave_out_islands(std::vector<bool>& narrow) const;

  const Schedule& schedule_;
  // Sums of many numbers that arithmetic goes on with, and what it makes of them alone: a
  // difference of two such may be small beside them, as a variance is beside the mean square.
  std::vector<bool> statistics_;  // by storage
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
