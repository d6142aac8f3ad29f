// Lays the operands of a step in slots, so that each is reached at addresses of its own.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/step.h"
#include "tools/simulate/caught.h"
#include "tools/simulate/element_runs.h"
#include "tools/simulate/mapped_memory.h"
#include "tools/simulate/watch.h"

namespace arenite::tools {

// A memory of the simulated machine, as large as what lies there.
struct SimulatedMemory {
  SimulatedMemory(std::string its_name, uint64_t size, bool is_read_only)
      : name(std::move(its_name)), bytes(size), read_only(is_read_only) {}

  std::string name;
  MappedMemory bytes;
  bool read_only;                    // constants
  std::vector<uint8_t> states = {};  // ByteState of each byte; empty where nothing is watched
  uint64_t touched_end = 0;          // of the highest byte that a run wrote
};

struct LaidOperand {
  uint32_t operand = 0;  // its number among those of the step
  uint32_t word = 0;     // of the program: a value or a constant
  uint32_t slot = 0;
  uint32_t memory = 0;
  bool written = false;  // an output or scratch
  bool scratch = false;
  ByteRange bytes = {};              // of the memory: from its first element to its last
  std::vector<ByteRange> runs = {};  // of the memory: the elements
};

// How accesses are seen.
enum class Level : uint8_t {
  kGuards,   // by the protection of pages, and by what bytes are after a step
  kWatched,  // each one, by watched forms
};

class OperandSlots {
 public:
  // Those of the arenas come first. Both outlive this.
  OperandSlots(std::span<SimulatedMemory* const> memories, uint32_t arena_count, Level level,
               Watch& watch);
  OperandSlots(const OperandSlots&) = delete;
  OperandSlots& operator=(const OperandSlots&) = delete;

  // The step with its operands in slots, until the next one is laid. The watch becomes that of
  // these slots. A form that may read behind inputs reads up to the end of their values.
  Step lay(const Step& step, bool over_reads);
  // No slot shows anything.
  void clear();
  // Leaves where an access is at fault.
  CaughtRun run(const Form& form, const Step& laid, const Platform& platform = {});

  std::span<const LaidOperand> operands() const { return operands_; }
  std::span<WatchedSlot> slots() { return watched_; }
  const Slots& addresses() const { return slots_; }

 private:
  void take_watch();
  uint32_t memory_of(const Step& step, uint32_t word) const;
  void place(const Step& step, uint32_t operand);
  uint32_t choose_slot(const Step& step, const LaidOperand& operand) const;
  void show(const LaidOperand& operand, bool writable);
  void set_slot(const LaidOperand& operand, uint64_t readable_end);
  void mark_elements(uint32_t slot);

  std::span<SimulatedMemory* const> memories_;
  uint32_t arena_count_;
  Level level_;
  Watch& watch_;
  Slots slots_;
  std::vector<WatchedSlot> watched_;
  std::vector<std::vector<uint8_t>> elements_;  // by slot, from its begin on
  std::vector<LaidOperand> operands_;
  struct Mapping {
    uint32_t slot;
    PageRange pages;
  };
  std::vector<Mapping> mappings_;      // of the step
  std::vector<uint32_t> shown_whole_;  // by slot: the memory, where forms are watched

  // What the laid step is made of.
  Bindings bindings_;
  format::StepRecord record_;
  std::vector<format::ValueRecord> values_;
  std::vector<format::ConstantRecord> constants_;
  std::vector<uint32_t> words_;
  std::vector<std::byte*> arenas_;
  std::vector<const std::byte*> sections_;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
