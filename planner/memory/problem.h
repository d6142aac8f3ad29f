// The nouns of static memory planning: memories, buffers with lifetimes, placements, and what can
// go wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "support/errors.h"

namespace arenite::memory {

using arenite::InputError;

// A memory without a limit: planning then minimises its height.
inline constexpr uint64_t kUnbounded = UINT64_MAX;

// The memory of a placement that was never made.
inline constexpr uint32_t kNoMemory = UINT32_MAX;

// Largest sum of all sizes, each with its padding, so that no offset can overflow while planning.
inline constexpr uint64_t kTotalBytesMax = uint64_t{1} << 62;

// One memory of the target. A problem lists them in order of preference, fastest first.
struct Memory {
  std::string name;
  uint64_t base = 0;                 // address of offset 0; a multiple of every alignment used here
  uint64_t size_bytes = kUnbounded;  // exact capacity, or kUnbounded
  uint32_t alignment = 1;            // every buffer placed here (views aside) starts at a multiple
  double read_cost = 1;              // relative cost of a byte read or written; the placer's units
  double write_cost = 1;
};

// Steps during which a buffer holds data, both ends included.
struct Lifetime {
  uint32_t first = 0;
  uint32_t last = 0;
};

struct Placement {
  uint32_t memory = kNoMemory;  // index into Problem::memories
  uint64_t offset = 0;          // bytes from the memory's base
};

// A buffer at a constant distance inside another one: a view, a slice, a part of a concatenation.
struct Relative {
  uint32_t base = 0;          // index of the other buffer, which may itself be relative
  uint64_t offset_bytes = 0;  // from the start of the other buffer
};

// Bytes begin .. end - 1 of a buffer.
struct ByteRange {
  uint64_t begin = 0;
  uint64_t end = 0;
};

// Steps inside a buffer's lifetime at which it holds no data, or only some of its bytes do: other
// buffers may lie in the rest. (As minimalloc means gaps and their windows.)
struct Gap {
  Lifetime steps;
  std::optional<ByteRange> in_use = std::nullopt;  // not empty; nothing: none of its bytes
};

struct Buffer {
  std::string name;
  uint64_t size_bytes = 0;  // 0 is allowed: such a buffer has an address and conflicts with nothing
  uint32_t alignment = 1;   // any positive number; the memory's own alignment applies as well
  Lifetime lifetime;
  std::vector<Gap> gaps;             // inside the lifetime, apart from one another, in any order
  std::vector<uint32_t> allowed;     // memories it may live in; empty: all of them
  std::optional<Placement> fixed;    // already placed: kept exactly there
  std::optional<Relative> relative;  // placed with its base; may share bytes with its relatives
  uint64_t reads = 0;                // how often all its bytes are read or written; for traffic
  uint64_t writes = 0;
};

// Two buffers of one step that may share bytes although both live at it: the step reads `input`
// ahead of what it writes to `output`. The input dies at the step at which the output is born. In
// one memory, they may share bytes where
//   offset(input) >= offset(output) + lead_bytes
// A lead is negative where the step does not read the first bytes of the input (a view of its
// rest). (Diagonal memory optimisation, arXiv 2010.01668; a lead of 0 is an update in place.)
struct Overlap {
  uint32_t input = 0;  // indices of buffers
  uint32_t output = 0;
  int64_t lead_bytes = 0;
};

struct Problem {
  std::vector<Memory> memories;
  std::vector<Buffer> buffers;
  std::vector<Overlap> overlaps;  // permissions: a planner may ignore them
};

// One placement for each buffer of the problem, in the same order.
struct Solution {
  std::vector<Placement> placements;
  uint64_t lower_bound = 0;  // no plan has less height; 0 where the algorithm proved nothing
};

struct LiveBuffer {
  uint32_t buffer = 0;
  std::string name;
  uint64_t size_bytes = 0;
};

// Why a problem was not placed: which memory ran out, by how much, and what is in it at the worst
// step. The figures are those of the plan as it would be if that memory had no end.
struct DoesNotFit {
  uint32_t memory = 0;
  std::string memory_name;
  uint64_t memory_bytes = 0;
  uint64_t needed_bytes = 0;
  uint64_t short_bytes = 0;   // needed_bytes - memory_bytes
  LiveBuffer first_unplaced;  // the first buffer for which no allowed memory had room; or unnamed
  uint32_t step = 0;          // the worst step
  uint64_t live_bytes = 0;    // bytes live in this memory at that step, shared bytes counted once
  std::vector<LiveBuffer> live;  // largest first
  bool proven = false;           // true: no plan at all can fit, the live set alone is too large
  Solution solution;             // that plan, as if the memory had no end
};

using Outcome = std::variant<Solution, DoesNotFit>;

// The English form of a DoesNotFit: memory, missing bytes, step, live buffers with their sizes.
std::string message(const DoesNotFit& error);

// Throws InputError when the problem contradicts itself: no memory, an index out of range, a
// lifetime that ends before it begins, a gap outside its lifetime, across another or with bytes
// that the buffer does not have, an alignment of 0 or one its memory's base or its base buffer
// cannot give, a cycle of relative buffers, sizes that overflow, a fixed buffer that is out of its
// memory or overlaps another, buffers tied together with no memory allowed to all, an overlap of a
// buffer with itself.
void validate(const Problem& problem);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
