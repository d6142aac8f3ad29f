// Runs a method of a program in a board's memories on this machine, and tells what it did there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/board/board.h"
#include "tools/run/measure.h"
#include "tools/run/step_table.h"
#include "tools/simulate/fault.h"

namespace arenite::tools {

struct SimulateOptions {
  std::string method;  // empty: the first
  uint32_t repeat = 1;
  bool count_memory = false;  // the bytes that each step moves
  // The board's CPU alone, or a Vulkan device of this machine that counts as one that offers what
  // the board's does. Null: the CPU.
  VulkanHost* vulkan = nullptr;
};

struct SimulatedMoves {
  std::string memory;
  uint64_t read_bytes = 0, written_bytes = 0;  // in one run, rounded down
};

struct SimulatedArena {
  std::string memory;
  uint64_t memory_bytes = 0;  // of the board; 0: no limit
  uint64_t planned_bytes = 0;
  uint64_t touched_bytes = 0;  // up to the highest byte that was written
};

struct SimulatedStep {
  StepRow row;
  std::string form;                    // empty: it was left out
  std::optional<double> predicted_us;  // by the board's costs
  std::vector<SimulatedMoves> moved;   // in memories that it moved anything in
};

struct Simulation {
  std::string board;
  bool counted = false;
  // Bytes are those of the operands of each step, not those of its accesses.
  bool by_extents = false;
  std::string device;  // of this machine, that ran the Vulkan steps; empty: there were none
  std::vector<SimulatedArena> arenas;
  std::vector<SimulatedMoves> states;    // between runs, as states take what their outputs hold
  std::vector<SimulatedMoves> memories;  // steps and states; where bytes were counted
  std::vector<SimulatedStep> steps;      // in the order of the program
  std::optional<double> predicted_us;    // of all steps that ran, where each has a cost
};

struct SimulatedRun {
  Simulation simulation;
  RunInfo info;
  std::vector<HostTensor> outputs;
  RunTimes times;
};

// What a device must be opened with to stand for the board's first Vulkan variant: a driver in
// software, unless the choice names one, and the board's limits. Throws InputError where the board
// has no Vulkan variant, RunError where this machine has no such driver.
VulkanHostOptions simulated_device(const planner::Board& board, const DeviceChoice& device);

// Throws SimulatedFault where a step did what it must not, InputError where the program is not for
// the board, and what runs throw.
SimulatedRun simulate(const ProgramFile& file, const planner::Board& board,
                      const BoundInputs& inputs, const SimulateOptions& options);

std::string to_text(const Simulation& simulation);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
