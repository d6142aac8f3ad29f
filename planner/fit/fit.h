// Says on which boards, and in how little memory, models fit: the first question of all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/plan.h"

namespace arenite::planner {

// A board, or a budget: one memory of so many bytes, 16-aligned, on a CPU with one thread.
struct FitRow {
  std::string board;  // empty: a budget
  std::optional<uint64_t> budget_bytes;
  bool fits() const { return shortages.empty() && code_is_known; }
  // A memory that is too small, arenas' memories first, and whether it is proved that no plan of
  // these steps fits there.
  struct Short {
    std::string memory;
    uint64_t bytes = 0;
    bool impossible = false;
  };
  std::vector<Short> shortages;
  // Bytes of the arenas. If they do not fit: their bytes with that one memory larger.
  uint64_t ram_bytes = 0;
  // All of RAM (planner/report/report.h); of a budget, the stack is that of the first of the boards
  // whose toolchain was measured.
  RamReport ram;
  // Bytes in the memories that keep an embedded image: program and, as estimated, code. Without
  // such memories, bytes of the program file.
  uint64_t flash_bytes = 0;
  bool flash_has_code = false;
  bool code_is_known = true;    // or no memory for it
  uint32_t floor_step = 0;      // the step at which most bytes live
  std::string floor_step_name;  // "step 3 (conv, Conv_12)"
};

// Budgets are halved from 1 MiB down to 4 KiB.
inline constexpr uint64_t kLargestBudget = uint64_t{1} << 20, kLeastBudget = uint64_t{1} << 12;

// A row for each board in `boards`, in order, then one for each budget. Options are those of the
// CPU variants. Throws InputError as plan_graphs does.
std::vector<FitRow> fit(const std::vector<NamedGraph>& graphs, const PlanOptions& options);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
