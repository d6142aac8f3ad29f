// Lowers a laid-out graph to steps as programs store them, before anything is placed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/board/board.h"
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

// Gives each step dims and strides (planner/graph/operands.h) and a form, packs constants into
// `pool` as the board likes them and the form reads them, and asks the form for scratch and
// over-read. Throws InputError where a value is too large for the format or there is no form for a
// step.
Lowered lower(const Graph& graph, const Board& board, const TargetForms& forms, ConstantPool& pool);
// The same from a layout of the graph; storages are its owners.
Lowered lower(const Graph& graph, const LaidGraph& laid, const Board& board,
              const TargetForms& forms, ConstantPool& pool);

// A step that copies from one operand to another, bytes as they are.
LoweredStep copy_step(const Operand& from, const Operand& to, const TargetForms& forms);

// Bytes that an operand's elements span, over-read included. Constants and packed weights span all
// their bytes.
uint64_t operand_bytes(const Operand& operand, const ConstantPool& pool);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
