// From a laid-out graph to steps in the exact form their kernels take, before anything is placed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/kernel.h"
#include "planner/board/board.h"
#include "planner/layout/layout.h"
#include "planner/lower/constants.h"

namespace arenite::planner {

// Bytes of an arena that a value owns.
struct Storage {
  std::string name;
  DType dtype = DType::kNone;
  Strided form;        // dense, offset 0
  uint64_t bytes = 0;  // tails included
};

struct Operand {
  bool constant = false;
  uint32_t index = 0;  // of a storage, or of the pool's constant
  DType dtype = DType::kNone;
  Strided form;  // as the kernel takes it
  uint32_t tail_bytes = 0;
  uint64_t packed_bytes = 0;  // all of them, of packed weights that lie in an arena
};

struct LoweredStep {
  Op op{};
  bool view = false;
  std::vector<std::optional<Operand>> inputs, outputs;
  std::vector<uint32_t> attributes;
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

// Gives each step its kernel's dims, strides and attributes (planner/operands.h), packs constants
// into `pool` as the board likes them and asks the kernels for scratch and tails. Throws InputError
// where a value is too large for the format or no kernel of `kernels` runs a step.
Lowered lower(const Graph& graph, const Board& board, KernelTable kernels, ConstantPool& pool);
// The same from a layout of the graph; storages are its owners.
Lowered lower(const Graph& graph, const LaidGraph& laid, const Board& board, KernelTable kernels,
              ConstantPool& pool);

// Bytes that an operand's elements span, the tail included; those of a constant and of packed
// weights are all their bytes.
uint64_t operand_bytes(const Operand& operand, const ConstantPool& pool);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
