// Lays a step's operands into pages of their own beside pages that nobody may touch: an access just
// before or just behind an operand ends the process, whatever a kernel was compiled with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/ops/case_step.h"

namespace arenite::ops_test {

// Memory between two such pages, filled with a byte.
class GuardedPages {
 public:
  // On which side nothing lies between the bytes and the page.
  enum class Flush { kFront, kBack };

  GuardedPages(size_t bytes, Flush flush, std::byte fill);
  ~GuardedPages();
  GuardedPages(GuardedPages&& other) noexcept;
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;
  GuardedPages& operator=(GuardedPages&&) = delete;

  std::byte* data() const { return data_; }

 private:
  std::byte* pages_;
  size_t mapped_;
  std::byte* data_;
};

// While alive, the operands lie there; then what the step wrote returns to its arena.
class Guards {
 public:
  // Inputs are followed by `over_read_bytes` that may be read.
  Guards(CaseStep& step, GuardedPages::Flush flush, std::byte fill, uint32_t over_read_bytes);
  ~Guards();
  Guards(const Guards&) = delete;
  Guards& operator=(const Guards&) = delete;

 private:
  CaseStep& step_;
  std::vector<format::ValueRecord> values_;
  std::vector<GuardedPages> memory_;
  std::vector<std::byte*> arenas_;
};

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
