// The nouns of static memory planning: memories, buffers with lifetimes, items, placements.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/range.h"
#include "support/errors.h"

namespace arenite::memory {

using arenite::InputError;

// A memory without a limit: planning then minimizes its height.
inline constexpr uint64_t kUnbounded = UINT64_MAX;

// The memory of a placement that was never made.
inline constexpr uint32_t kNoMemory = UINT32_MAX;

// Largest sum of all sizes, each with its padding, so that no offset can overflow while planning.
inline constexpr uint64_t kTotalBytesMax = uint64_t{1} << 62;

// Largest lead either way, so that sums of leads and distances stay within 64 bits.
inline constexpr int64_t kLeadBytesMax = int64_t{1} << 61;

// One memory of the target. A problem lists them in order of preference, fastest first.
struct Memory {
  std::string name;
  uint64_t base = 0;                 // address of offset 0; a multiple of every alignment used here
  uint64_t size_bytes = kUnbounded;  // exact capacity, or kUnbounded
  uint32_t alignment = 1;            // every buffer placed here (views aside) starts at a multiple
  double read_cost = 1;              // relative cost of a byte read or written
  double write_cost = 1;
};

// Steps during which a buffer holds data, both ends included.
struct Lifetime {
  uint32_t first = 0;
  uint32_t last = 0;

  bool covers(uint32_t step) const { return first <= step && step <= last; }
  bool meets(const Lifetime& other) const { return first <= other.last && other.first <= last; }
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

  uint64_t bytes() const { return end - begin; }
};

// Steps inside a buffer's lifetime at which it holds no data, or only some of its bytes do: other
// buffers may lie in the rest. (As minimalloc means gaps and their windows.)
struct Gap {
  Lifetime steps;
  std::optional<ByteRange> in_use = std::nullopt;  // not empty; nothing: none of its bytes
};

// Bytes in use from step to step, counted from the start of their owner.
struct Use {
  Lifetime steps;
  ByteRange bytes;  // never empty
};

// Bytes that one buffer of an item has in use from step to step, counted from the item's start.
struct Part {
  uint32_t buffer = 0;
  uint64_t anchor_bytes = 0;  // where the buffer starts
  Use use;
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

// A permission to overlap, of two buffers or of two items (indices): the step at which `input` dies
// and `output` is born reads the one ahead of what it writes to the other. In one memory, they may
// share bytes where
//   offset(input) >= offset(output) + lead_bytes
// A lead is negative where the step does not read the first bytes of the input (a view of its
// rest). (Diagonal memory optimization, arXiv 2010.01668; a lead of 0 is an update in place, which
// compilers call donation.)
struct Overlap {
  uint32_t input = 0;
  uint32_t output = 0;
  int64_t lead_bytes = 0;
};

// The most bytes that an overlap saves: what the input has left of the output behind the lead.
inline uint64_t saved_bytes_max(uint64_t input_bytes, uint64_t output_bytes, int64_t lead_bytes) {
  const auto lead = static_cast<uint64_t>(std::max<int64_t>(lead_bytes, 0));
  return std::min(input_bytes, output_bytes - std::min(lead, output_bytes));
}

struct Problem {
  std::vector<Memory> memories;
  std::vector<Buffer> buffers;
  std::vector<Overlap> overlaps;  // of buffers; a planner may ignore them
};

// A buffer with everything tied to it, which algorithms place as one rigid block. Its lifetime runs
// from the first birth to the last death in the group: the parts of a concatenation are born before
// the whole, a view may outlive its base.
struct Item {
  uint32_t root = 0;        // the buffer at its start
  uint64_t size_bytes = 0;  // from the root's start to the end of the furthest member
  uint64_t alignment = 1;   // of its offset, before the memory's own; with it in a PackProblem
  Lifetime lifetime;
  std::vector<uint32_t> allowed = {};  // memories allowed to every member, in order of preference
  std::optional<Placement> fixed = std::nullopt;
  // All its bytes are taken during all its lifetime, whatever its members leave free. A member with
  // gaps makes it less: then `uses` says from which to which byte its members hold data, and when,
  // in order of time and apart from one another.
  bool solid = true;
  std::vector<Use> uses = {};
  // Just which bytes are in use, and whose they are, where the item is more than one buffer.
  bool in_parts = false;
  std::vector<Part> parts = {};
};

// One placement for each buffer of the problem, in the same order.
struct Solution {
  std::vector<Placement> placements;
  // For each memory: no packing of the buffers placed there is lower, as far as a search proved.
  // Empty if the algorithm proved nothing.
  std::vector<uint64_t> lower_bounds = {};
};

// Least multiple of both, or 0 when it is above 2^32.
uint64_t common_alignment(uint64_t a, uint64_t b);

// "150 bytes", "1 byte", for messages.
inline std::string bytes_counted(uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

// "from step 1 to 3", for messages.
std::string steps_text(const Lifetime& steps);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
