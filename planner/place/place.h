// Places a variant's storages in the memories of its board.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "planner/board/board.h"
#include "planner/memory/plan.h"
#include "planner/memory/report.h"
#include "planner/place/shortage.h"
#include "planner/steps/schedule/schedule.h"
#include "planner/steps/variant/overlaps.h"

namespace arenite::planner {

struct Placing {
  memory::MemoryReport memories;
  // Set where a memory ran out. Everything is then placed as if that memory had no end.
  std::optional<Shortage> shortage;
};

// Fills arena and offset of each storage, whose lifetimes are set, and the arenas: one for each
// memory that is used. A CPU variant uses the board's memories, fastest first; a Vulkan variant one
// for the device and one for each direction. The plan is verified by
// planner/memory/problem/verify.h. Storages may share bytes as far as `permissions` go; what
// shares any is marked, and no more steps than the peak asks for. `title` begins error messages.
Placing place(Schedule& plan, const Board& board, memory::Algorithm algorithm,
              const std::string& title, const std::vector<OverlapPermission>& permissions = {});

// A variant to place, whose lifetimes are set.
struct PlaceJob {
  Schedule* plan = nullptr;
  std::string title;  // begins error messages
  std::vector<OverlapPermission> permissions;
};

// Adds a user's constraints to the plan's problem. The problem has a buffer for each storage of
// each job, the first of job i at first_buffer[i]. `edit` throws memory::InputError.
struct Constrain {
  std::function<void(memory::Problem& problem, std::span<const uint32_t> first_buffer)> edit;
  std::string file_name;  // that a user asked it in; empty: no user did

  explicit operator bool() const { return edit != nullptr; }
};

// The same for the variants of several methods on one board, in one plan: they share all bytes but
// those that `constrain` (which may be empty) ties from one to another (placer.h).
// Returns one a job; a shortage belongs to the job whose step is the worst.
std::vector<Placing> place_together(std::span<const PlaceJob> jobs, const Board& board,
                                    memory::Algorithm algorithm, const Constrain& constrain);

// The same for one job whose storages `constrain` fixes all: nothing is planned.
Placing place_as_fixed(const PlaceJob& job, const Board& board, const Constrain& constrain);

// The most bytes that live in each memory at one step, summed up, with all overlaps that are
// permitted: no placing takes less. For a Vulkan variant, whose storages have one memory each.
uint64_t least_bytes(const PlaceJob& job, const Board& board);

// Names a step for people: its index and the nodes it stands for.
std::string step_text(const Schedule& plan, uint32_t step);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
