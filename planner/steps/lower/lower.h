// Lowers a laid-out graph to steps as programs store them, before anything is placed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/steps/layout/layout.h"
#include "planner/steps/lower/constants.h"

namespace arenite::planner {

// Bytes of an arena that a value owns.
struct Storage {
  std::string name;
  DType dtype = DType::kNone;
  Strided form;        // dense, offset 0
  uint64_t bytes = 0;  // what is read beyond the elements included
};

struct Operand {
  bool constant = false;
  uint32_t index = 0;  // of a storage, or of the pool's constant
  DType dtype = DType::kNone;
  Strided form;  // as the step has it
  uint32_t over_read_bytes = 0;
  uint64_t packed_bytes = 0;  // all of them, of packed weights that lie in an arena
};

struct LoweredStep {
  Op op{};
  bool view = false;
  std::vector<std::optional<Operand>> inputs, outputs;
  std::vector<uint32_t> attributes;
  StepForms forms;  // of a step on the CPU; none of a view
  uint32_t scratch_bytes = 0;
  std::string name;                  // for people
  std::vector<std::string> sources;  // of the model
};

struct Lowered {
  std::vector<Storage> storages;
  std::vector<LoweredStep> steps;
  std::vector<uint32_t> inputs, outputs;  // storages
  std::vector<InsertedCopy> copies;
};

// Makes the steps of a laid-out graph, one by one, as the options of each node want them.
class StepMaker {
 public:
  // Throws InputError where a value is too large for the format.
  StepMaker(const Graph& graph, const LaidGraph& laid, ConstantPool& pool);

  // The step of a node: dims and strides as steps have them (planner/graph/operands.h), constants
  // in the pool, packed in the `packings` that are wanted of them. No form is chosen yet.
  LoweredStep make(const LaidNode& node, const Packings& packings);

 private:
  Operand operand_of(const Placed& placed) const;
  void store_constant(const LaidNode& laid, size_t i, const Packings& packings, Operand& operand);

  const Graph& graph_;
  const LaidGraph& laid_;
  ConstantPool& pool_;
};

// Steps with their forms chosen, views among them: asks the forms for scratch and over-read.
// Storages are the layout's owners. Throws InputError where a value or scratch is too large for the
// format.
Lowered lower(const LaidGraph& laid, std::vector<LoweredStep> steps, uint32_t threads_max,
              ConstantPool& pool);

// A step that copies from one operand to another, bytes as they are.
LoweredStep copy_step(const Operand& from, const Operand& to, const TargetForms& forms);

// Bytes that an operand's elements span, over-read included. Constants and packed weights span all
// their bytes.
uint64_t operand_bytes(const Operand& operand, const ConstantPool& pool);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
