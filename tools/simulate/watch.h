// What watched forms share with the simulator: where operands lie, and what became of their bytes.
//
// Each operand of a step lies in an address range of its own, a slot, though several may be the
// same bytes of one memory. So an address tells through which operand a form got there.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/form.h"

namespace arenite::tools {

// What a byte of an arena holds.
enum class ByteState : uint8_t {
  kNothing = 0,  // of any value: nothing was written, or the value's life is over
  kHolds = 1,
  kWritten = 2,  // by the step that runs
};

enum class FaultKind : uint8_t {
  kOutside,      // an access beside the operand's bytes
  kReadOnly,     // a write through an input
  kNothing,      // a read of what no step wrote, or whose life is over
  kOverwritten,  // a read of an input where the step has written its output already
  kUnwritten,    // a read of an output or scratch that the step has not written
  kStray,        // bytes beside the step's outputs are others than before it
  kDepends,      // the results follow from bytes that are no operand's
};

// An access to a slot: `offset` is from its begin.
struct Access {
  uint32_t slot = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  bool writes = false;
  FaultKind fault = {};
};

// Offsets are bytes from the slot's begin.
struct WatchedSlot {
  uint64_t begin = 0, end = 0;  // of the operand's bytes; none: begin == end
  uint64_t states_end = 0;      // bytes behind it may be read whatever they hold (over-reads)
  std::byte* memory = nullptr;  // the same bytes outside of slots, less `begin` of the memory
  uint8_t* states = nullptr;    // ByteState of each byte; null: constants
  const uint8_t* elements =
      nullptr;           // by offset: 1 where an operand has the byte; null: everywhere
  bool read = false;     // an input
  bool written = false;  // an output or scratch; or, beside an input, both
  uint64_t read_bytes = 0, written_bytes = 0;  // moved since somebody set them to 0
  uint64_t write_end = 0;                      // of the highest byte that was written
};

// The address range that has the slots, one of 1 << slot_bits bytes behind another.
struct Watch {
  uintptr_t base = 0;
  uint64_t bytes = 0;
  uint32_t slot_bits = 0;
  WatchedSlot* slots = nullptr;
  // Does not return.
  void (*fail)(const Access& access) = nullptr;
};

struct WatchedForms {
  Watch* watch = nullptr;
  OpTable ops;
};

// What the shared object of watched forms gives by this name.
inline constexpr char kWatchedFormsSymbol[] = "arenite_watched_forms";
using WatchedFormsFunction = void (*)(WatchedForms& forms);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
