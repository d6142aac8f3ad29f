// Fills the placeholders of a board's emulator command.
#include "tools/target/launch.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "planner/board/harness_image.h"
#include "support/hex.h"
#include "support/own_data.h"
#include "tools/io/tensor.h"
#include "tools/run/runner.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;

// The core whose timings tools/qemu_plugin knows.
constexpr std::string_view kCoreWithCycles = "cortex-m4";

// A comma ends an option's argument in QEMU unless it is doubled.
std::string with_commas_doubled(const std::string& text) {
  std::string doubled;
  for (const char c : text) doubled += c == ',' ? std::string(",,") : std::string(1, c);
  return doubled;
}

// Writes a number as an emulator and its plugin read addresses and sizes.
std::string hex(uint64_t number) { return "0x" + hex_digits(number, 16); }

uint32_t symbol(const TargetImage& image, std::string_view name) {
  const auto found = image.elf.symbols.find(std::string(name));
  if (found == image.elf.symbols.end()) {
    throw RunError(image.path.string() + ": has no symbol " + std::string(name));
  }
  return found->second;
}

using Placeholders = std::map<std::string, std::string>;

std::string filled(const std::string& word, const Placeholders& placeholders,
                   const std::string& where) {
  std::string result;
  for (size_t at = 0; at < word.size();) {
    const size_t end = word[at] == '{' ? word.find('}', at) : std::string::npos;
    if (end == std::string::npos) {
      result += word[at++];
      continue;
    }
    const std::string name = word.substr(at + 1, end - at - 1);
    const auto found = placeholders.find(name);
    if (found == placeholders.end()) {
      throw InputError(where + ": no such placeholder here: {" + name + "}");
    }
    result += found->second;
    at = end + 1;
  }
  return result;
}

void append(std::vector<std::string>& command, const std::vector<std::string>& words,
            const Placeholders& placeholders, const std::string& where) {
  for (const std::string& word : words) command.push_back(filled(word, placeholders, where));
}

// ",memory=NAME:BASE:BYTES" for each.
std::string memory_arguments(const std::vector<CountedRange>& memories) {
  std::string text;
  for (const CountedRange& memory : memories) {
    text += ",memory=" + memory.name + ":" + hex(memory.base) + ":" + hex(memory.bytes);
  }
  return text;
}

// Makes the words that a board's {steps} stands for, which say what is counted beside runs.
std::string mark_arguments(const TargetImage& image, const LaunchFiles& files) {
  std::string text;
  if (files.steps) {
    text += ",step_begin=" + hex(symbol(image, kStepBeginSymbol)) +
            ",step_end=" + hex(symbol(image, kStepEndSymbol));
  }
  if (files.load) {
    text += ",load_begin=" + hex(symbol(image, kLoadBeginSymbol)) +
            ",load_end=" + hex(symbol(image, kLoadEndSymbol));
  }
  if (files.cycles) text += ",cycles=" + std::string(kCoreWithCycles);
  if (files.pauses) text += ",pause=" + hex(symbol(image, kPauseSymbol));
  return text;
}

}  // namespace

TargetImage find_image(const planner::Board& board) {
  TargetImage image;
  image.path = planner::harness_image(board);
  std::error_code error;
  if (!fs::is_regular_file(image.path, error)) {
    throw RunError("the harness image of board " + board.name + " is missing: expected " +
                   image.path.string() + "; " + planner::harness_advice(board));
  }
  image.elf = read_elf(image.path);
  return image;
}

fs::path find_counter() {
  const char* variable = std::getenv("ARENITE_QEMU_PLUGIN");
  const fs::path path =
      variable != nullptr ? fs::path(variable) : find_own_data("lib/arenite/qemu_count.so");
  std::error_code error;
  return fs::is_regular_file(path, error) ? fs::absolute(path) : fs::path();
}

bool has_cycles(const planner::Board& board) { return board.cpu == kCoreWithCycles; }

std::vector<std::string> launch_command(const planner::Board& board, const TargetImage& image,
                                        const LaunchFiles& files) {
  if (!board.emulator) throw InputError("board " + board.name + " has no emulator");
  const std::string where = "board " + board.name + ", emulator";
  std::vector<std::string> command;
  append(command, board.emulator->command, {{"elf", image.path.string()}}, where + ", command");
  if (!files.program.empty()) {
    for (const planner::ProgramMemory& memory : board.program_memories) {
      if (memory.image != "harness") continue;
      append(
          command, board.emulator->load_program,
          {{"program", with_commas_doubled(files.program.string())}, {"store", hex(memory.base)}},
          where + ", load_program");
      break;
    }
  }
  if (!files.counter.empty()) {
    const auto& words = board.emulator->count_instructions;
    const bool has_marks = std::any_of(words.begin(), words.end(), [](const auto& word) {
      return word.find("{steps}") != std::string::npos;
    });
    if ((files.steps || files.load || files.pauses) && !has_marks) {
      throw InputError(where +
                       ", count_instructions: expected the placeholder {steps} to count "
                       "the instructions of each step, of loading, or between calls inside steps "
                       "(docs/board.md)");
    }
    append(command, words,
           {{"plugin", with_commas_doubled(files.counter.string())},
            {"out", with_commas_doubled(files.counts.string())},
            {"begin", hex(symbol(image, kRunBeginSymbol))},
            {"end", hex(symbol(image, kRunEndSymbol))},
            {"steps", mark_arguments(image, files)},
            {"memories", memory_arguments(files.memories)}},
           where + ", count_instructions");
  }
  return command;
}

Counts read_counts(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    throw RunError("the emulator wrote no instruction counts to " + path.string());
  }
  const std::vector<std::byte> bytes = read_file(path);
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  try {
    const auto json = nlohmann::json::parse(text);
    Counts counts{json.at("counted"), json.at("intervals"),   json.at("load"),
                  json.at("cycles"),  json.at("load_cycles"), {},
                  json.at("steps"),   json.at("pauses"),      json.at("greatest_gap")};
    for (const auto& memory : json.at("memories")) {
      counts.memories.push_back(
          {memory.at("name"), memory.at("read_bytes"), memory.at("written_bytes")});
    }
    return counts;
  } catch (const nlohmann::json::exception& wrong) {
    throw RunError(path.string() + ": " + wrong.what() + ": " + text);
  }
}

std::optional<Counts> wait_for_end(Child& child, const LaunchFiles& files, uint64_t runs) {
  constexpr std::chrono::seconds kEndLimit(60);
  if (const int status = child.wait(kEndLimit); status != 0) {
    throw RunError(child.name() + " ended with status " + std::to_string(status) + ": " +
                   child.errors());
  }
  if (files.counter.empty()) return std::nullopt;
  Counts counts = read_counts(files.counts);
  if (counts.intervals != runs) {
    throw RunError("the instruction counter saw " + std::to_string(counts.intervals) +
                   " runs, expected " + std::to_string(runs));
  }
  return counts;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
