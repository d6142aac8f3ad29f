// Starts a board's emulator: its image, its command line, its instruction counter.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/board/board.h"
#include "tools/target/child.h"
#include "tools/target/elf.h"

namespace arenite::tools {

// Every run lies between these two functions of an image.
inline constexpr std::string_view kRunBeginSymbol = "arenite_run_begin";
inline constexpr std::string_view kRunEndSymbol = "arenite_run_end";
// Loading lies between these two of an embedded image.
inline constexpr std::string_view kLoadBeginSymbol = "arenite_load_begin";
inline constexpr std::string_view kLoadEndSymbol = "arenite_load_end";
// And, where the host asks for marks, every step of the harness between these two.
inline constexpr std::string_view kStepBeginSymbol = "arenite_step_begin";
inline constexpr std::string_view kStepEndSymbol = "arenite_step_end";
// And, where the host asks for pauses, each of them is a call of this one.
inline constexpr std::string_view kPauseSymbol = "arenite_pause";

// The longest silence of a board that works: one run of a large model.
inline constexpr std::chrono::hours kWorkLimit(1);

struct TargetImage {
  std::filesystem::path path;
  ElfImage elf;
};

// The harness image of a board: in the folder of the environment variable ARENITE_IMAGES, or where
// this build puts images. Throws RunError that says how to build it when it is missing.
TargetImage find_image(const planner::Board& board);

// The instruction counter that QEMU loads: the environment variable ARENITE_QEMU_PLUGIN, or this
// build's. Empty when there is none.
std::filesystem::path find_counter();

// Whether the counter can estimate the cycles of the board's core.
bool has_cycles(const planner::Board& board);

// Addresses of the board whose traffic is counted.
struct CountedRange {
  std::string name;
  uint64_t base = 0, bytes = 0;
};

struct LaunchFiles {
  std::filesystem::path program;  // what is placed in the store; empty: nothing
  std::filesystem::path counter;  // empty: not counted
  std::filesystem::path counts;   // what the counter writes
  std::vector<CountedRange> memories;
  bool steps = false;   // count each step
  bool load = false;    // count loading
  bool cycles = false;  // estimate the core's cycles, where has_cycles(board)
  bool pauses = false;  // count calls inside steps, and what lies between them
};

// The words of the command. Throws InputError when the board has no emulator, RunError when the
// image lacks what is needed.
std::vector<std::string> launch_command(const planner::Board& board, const TargetImage& image,
                                        const LaunchFiles& files);

// The bytes read from an address range and written to it while counting was on.
struct MemoryTraffic {
  std::string name;
  uint64_t read_bytes = 0, written_bytes = 0;
};

// Reads the file that the counter wrote. Throws RunError.
struct Counts {
  uint64_t instructions = 0, intervals = 0, load_instructions = 0;
  uint64_t cycles = 0, load_cycles = 0;  // an estimate; 0 where none was wanted
  std::vector<MemoryTraffic> memories;
  std::vector<uint64_t> steps;  // by place in a run, of all intervals
  uint64_t pauses = 0, greatest_gap = 0;
};
Counts read_counts(const std::filesystem::path& path);

// Waits for the end of the emulator that launch_command() started, which has run `runs` times, and
// reads what was counted; nothing where there is no counter. Throws RunError where it failed.
std::optional<Counts> wait_for_end(Child& child, const LaunchFiles& files, uint64_t runs);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
