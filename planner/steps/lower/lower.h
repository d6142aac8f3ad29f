// Lowers a laid-out graph to steps as programs store them, before anything is placed.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/steps/layout/layout.h"
#include "planner/steps/lower/constants.h"
#include "planner/steps/schedule/schedule.h"

namespace arenite::planner {

// Makes the steps of a laid-out graph, one by one, as the options of each node want them.
class StepMaker {
 public:
  // Throws InputError where a value is too large for the format.
  StepMaker(const Graph& graph, const LaidGraph& laid, ConstantPool& pool);

  // The step of a node: dims and strides as steps have them (planner/graph/operands.h), constants
  // in the pool, packed in the `packings` that are wanted of them. No form is chosen yet.
  ScheduledStep make(const LaidNode& node, const Packings& packings);

 private:
  void store_constant(const LaidNode& laid, size_t i, const Packings& packings, Operand& operand);

  const Graph& graph_;
  const LaidGraph& laid_;
  ConstantPool& pool_;
};

// Steps with their forms and machines chosen, views among them: asks the forms for scratch and
// over-read. Storages are the layout's. Throws InputError where a value or scratch is too
// large for the format.
Schedule lower(const LaidGraph& laid, std::vector<ScheduledStep> steps, uint32_t threads_max,
               ConstantPool& pool);

// A step that copies from one operand to another, bytes as they are.
ScheduledStep copy_step(const Operand& from, const Operand& to, const TargetForms& forms);

// Bytes that an operand's elements span, over-read included. Constants and packed weights span all
// their bytes.
uint64_t operand_bytes(const Operand& operand, const ConstantPool& pool);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
