// The bytes of a step's pages that are none of its operands': they must not change, and nothing
// may follow from them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tools/simulate/operand_slots.h"

namespace arenite::tools {

class Surroundings {
 public:
  // Takes note of the bytes beside the operands of a step that is laid; with `inverted`, inverts
  // them until settle() is called.
  Surroundings(std::span<SimulatedMemory* const> memories, std::span<const LaidOperand> operands,
               bool inverted);

  struct Change {
    uint32_t memory = 0;
    uint64_t byte = 0;
  };
  // The first byte beside what the step writes that is another one now. Gives all their bytes.
  std::optional<Change> settle();

 private:
  struct Kept {
    uint32_t memory;
    ByteRange bytes;
    std::vector<std::byte> before;
  };
  void keep(uint32_t memory, ByteRange bytes);

  std::span<SimulatedMemory* const> memories_;
  std::vector<Kept> kept_;
  bool inverted_;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
