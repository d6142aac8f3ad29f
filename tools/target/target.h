// Runs methods of a program on a board, or on the emulator that stands in for it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "planner/board/board.h"
#include "support/progress.h"
#include "tools/run/program_file.h"
#include "tools/run/runner.h"
#include "tools/target/launch.h"
#include "tools/target/link.h"

namespace arenite::tools {

// Runs of one method, as bind_inputs() makes them.
struct TargetTask {
  uint32_t method = 0;
  BoundInputs inputs;
};

struct TargetTaskResult {
  std::vector<HostTensor> outputs;  // stacked where the inputs were
  uint64_t load_instructions = 0;   // by the board's clock
  uint64_t load_cycles = 0;         // an estimate; 0 where there is none
  uint64_t clock_instructions = 0;  // of all runs, by the board's clock
  std::vector<uint64_t> run_clock;  // of each, where each is timed
  uint64_t runs = 0;
  uint64_t load_stack_bytes = 0, run_stack_bytes = 0;
};

// Where the board is; by default, in its emulator.
struct TargetPlace {
  std::string port;        // a serial port, or tcp:HOST:PORT
  uint32_t baud = 115200;  // of a serial port
  std::string command;     // of a shell, whose standard input and output are the line to the board
  std::string reset;       // of a shell, which resets the board on a line; empty: nothing can
  bool in_emulator() const { return port.empty() && command.empty(); }
};

struct TargetOptions {
  TargetPlace place;
  // The longest silence of the board; nothing: an hour while it works, else a minute.
  std::optional<double> timeout_seconds;
  bool reset_first = false;       // resets a board on a line that has failed, if `place` says how
  bool count = true;              // by the emulator's counter, where there is one
  bool count_cycles = false;      // an estimate, where the counter makes one
  bool read_outputs = true;       // else they stay on the board
  bool time_each_run = false;     // asks the board's clock behind each run
  bool count_memory = false;      // what is moved in each arena, by the emulator's counter: slow
  bool profile_steps = false;     // each step's instructions, by the same; of one task
  uint32_t pause_operations = 0;  // the most between two calls inside steps; 0: no calls
  ProgressHook progress;          // may be empty
};

struct TargetResult {
  std::vector<TargetTaskResult> tasks;
  uint64_t instructions = 0;  // of all runs of all tasks; loading and transport not counted
  uint64_t cycles = 0;        // of the same, an estimate; 0 where there is none
  bool counted = false;       // by the emulator's counter; else by the board's clock
  std::vector<MemoryTraffic> memories;  // of all runs of the first task, by arena
  // Instructions in all runs of the task, for each of its CPU steps in their order. Marking the
  // steps adds some 14 instructions to each, which are in part counted with it.
  std::vector<uint64_t> step_instructions;
  // With pauses: calls in all runs, and the most instructions from one to the next, or from the
  // begin of a run or to its end.
  uint64_t pauses = 0, greatest_gap = 0;
  bool in_emulator = true;
  bool counts_instructions = true;  // what clocks count; else nanoseconds
  LinkCounts link;
  std::string elf, command;  // of a board on a line: no image, and the line
  uint64_t text_bytes = 0, data_bytes = 0, bss_bytes = 0;  // of the image
};

// The method's first variant that was planned for the board and needs its CPU only, relative to the
// method. Throws InputError that names the boards there are variants for.
uint32_t find_target_variant(const ProgramFile& file, uint32_t method, const planner::Board& board);

// A board with a program, ready for tasks. What was counted is known at its end alone.
class TargetSession {
 public:
  // Starts the emulator, or opens the line, and hands over the program. A board on a line that does
  // not answer is reset once, where a command for it is known. Throws InputError when the
  // board has no emulator, or no counter where one is needed; RunError when the image is missing or
  // anything on the board fails. All of these outlive it.
  TargetSession(const planner::Board& board, const ProgramFile& file,
                std::span<const TargetTask> tasks, const TargetOptions& options = {});
  ~TargetSession();
  TargetSession(const TargetSession&) = delete;
  TargetSession& operator=(const TargetSession&) = delete;

  // Runs the task of this index. Throws RunError, after which the session may be of no more use.
  TargetTaskResult run(size_t task);
  // Ends the emulator. All results, and what was counted.
  TargetResult finish();
  const LinkCounts& counts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Runs all tasks in one session.
TargetResult run_on_target(const planner::Board& board, const ProgramFile& file,
                           std::span<const TargetTask> tasks, const TargetOptions& options = {});

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
