// Boards as the planner and the launcher know them: memories, CPU, Vulkan variants and emulator.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/capabilities.h"
#include "planner/board/costs.h"
#include "planner/memory/problem/problem.h"

namespace arenite::planner {

struct BoardMemory {
  memory::Memory memory;  // name, base, size, alignment, costs
  std::string kind;       // for people: "sram", "dram"
  bool base_is_given = false;
  // Firmware has these there beside arenas, or instead of them (Board::own_memories).
  bool holds_bss = false, holds_stack = false;
  bool holds_states = false;  // of all methods; one memory at most (planner/report/ram.h)
  // The bytes kept for these (planner/report/ram.h); memory.size_bytes is then the rest of the full
  // size, a byte at least.
  uint64_t own_bytes = 0;
  std::optional<uint64_t> full_size_bytes = {};

  uint64_t full_bytes() const { return full_size_bytes.value_or(memory.size_bytes); }
  void keep(uint64_t bytes) {
    full_size_bytes = full_bytes();
    own_bytes = bytes;
    memory.size_bytes = *full_size_bytes - std::min(bytes, *full_size_bytes - 1);
  }
};

// A memory in which an image keeps bytes that are not written while it runs.
struct ProgramMemory {
  std::string name, kind;
  std::string image;  // which image: "embedded" or "harness"
  uint64_t base = 0;
  uint64_t bytes = 0;
  bool holds_program = true;  // the program file
  bool holds_code = false;    // runtime, kernels, start-up
};

// The board's emulator: the words of a command that starts it, with {placeholders} that `arenite
// target run` fills in (docs/board.md).
struct Emulator {
  std::string package;  // the Debian package that holds it
  std::vector<std::string> command;
  std::vector<std::string> load_program;
  std::vector<std::string> count_instructions;
  bool clock_counts_instructions = true;  // else nanoseconds
};

// The machine that one variant of a program for the board is planned for.
struct BoardVariant {
  std::optional<Capabilities> vulkan;  // what a device must offer; none: on the CPU
  CpuFeatures cpu_features = 0;        // that forms of the CPU's steps may need
  bool for_halves = false;             // there for floats of 16 bits alone: add_variants_for_halves
};

struct Board {
  std::string name, description;
  std::filesystem::path folder;  // where its file lies
  std::filesystem::path file;
  std::string cpu;
  std::string toolchain;  // of toolchains/, empty for the host
  uint32_t threads_max = 1;
  uint32_t address_bits = 32;    // or 64: no memory passes the last address
  CpuFeatures cpu_features = 0;  // of every machine that the board stands for
  // In order of preference; at least one, the last on the CPU. Each has the board's features too.
  std::vector<BoardVariant> variants = {{}};
  std::vector<BoardMemory> memories;      // where arenas may lie, fastest first
  std::vector<BoardMemory> own_memories;  // those that hold .bss or the stack, and no arenas
  std::vector<ProgramMemory> program_memories;
  std::optional<Emulator> emulator;
  StepCosts costs;                 // empty: nothing is measured
  std::vector<std::string> notes;  // for people: parts of the file that change nothing

  // Whether some image of it holds a program together with just the code that the program needs.
  bool has_firmware() const {
    return std::ranges::any_of(
        program_memories, [](const ProgramMemory& memory) { return memory.image == "embedded"; });
  }
};

// The capabilities that a device must have for the first of the board's Vulkan variants.
std::optional<Capabilities> vulkan_of(const Board& board);

// Adds, before each Vulkan variant that asks for no 16-bit storage, the same one with it: for
// methods that have floats of 16 bits, on devices that have elements of that size.
void add_variants_for_halves(Board& board);

// Reads a board file's text. Throws InputError, beginning with `file_name`, that names the key.
Board read_board(std::string_view json_text, const std::string& file_name);

// Finds a board by file path (when it has a slash or ends in .json) or by name in the board
// folders. Throws InputError that lists the known names.
Board find_board(const std::string& name_or_file);

// Names of all boards found in the board folders, sorted.
std::vector<std::string> board_names();

// Folders with one folder a board, in order of preference: those of the environment variable
// ARENITE_BOARDS (separated by colons), then those that come with Arenite.
std::vector<std::filesystem::path> board_folders();

// The folder of the image builds, one folder a toolchain: the environment variable ARENITE_IMAGES,
// or what comes with Arenite. Empty when there is none.
std::filesystem::path images_folder();

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
