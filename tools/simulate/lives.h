// Which values live in an arena while the steps of a variant run.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/program.h"
#include "tools/simulate/element_runs.h"

namespace arenite::tools {

class Lives {
 public:
  Lives(const Program& program, const format::VariantRecord& variant);

  // A run begins: nothing lives.
  void restart();
  // Step `step` is next, and all before it are over. Calls `dies` for each range of bytes of an
  // arena whose value is dead since the last call and where nothing else lives on.
  void advance(uint32_t step, const std::function<void(uint32_t arena, ByteRange bytes)>& dies);
  // The value that lives at a byte now, the youngest of several; kNoIndex: none.
  uint32_t owner(uint32_t arena, uint64_t byte) const;

 private:
  const format::ValueRecord& value(uint32_t index) const { return values_[index]; }
  ByteRange bytes_of(uint32_t index) const;

  const format::ValueRecord* values_;
  uint32_t last_step_;
  std::vector<uint32_t> by_birth_;  // values that own bytes
  size_t born_ = 0;                 // so many of them
  std::vector<uint32_t> alive_;     // in the order of their births
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
