// A report of a finished plan: peaks by memory, the worst step over all memories together, and
// where each buffer lies.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "planner/memory/problem/budget.h"
#include "planner/memory/problem/check.h"
#include "planner/memory/problem/live_bytes.h"
#include "planner/memory/problem/uses.h"

namespace arenite::memory {

struct MemoryUse {
  std::string name;
  uint64_t base = 0;
  uint64_t size_bytes = 0;         // kUnbounded where the memory has no limit
  uint64_t peak_bytes = 0;         // end of the highest buffer placed there
  uint64_t lower_bound_bytes = 0;  // proved: what lies there takes no less
  uint32_t peak_step = 0;          // the first step at which the most bytes are live
  std::vector<LiveSpan> live;      // bytes live there, step by step
  uint64_t read_bytes = 0;         // bytes x reads of what was placed there
  uint64_t written_bytes = 0;
  double read_cost = 1, write_cost = 1;  // of a byte, as the problem has them

  bool limited() const { return size_bytes != kUnbounded; }
  // Bytes of the plan past the memory's end; above 0 only if the plan does not fit.
  bool least() const { return peak_bytes == lower_bound_bytes; }
  uint64_t short_bytes() const { return peak_bytes > size_bytes ? peak_bytes - size_bytes : 0; }
  uint64_t free_bytes() const { return size_bytes > peak_bytes ? size_bytes - peak_bytes : 0; }
};

// A buffer where the plan put it.
struct PlacedBuffer {
  std::string name;
  uint32_t memory = 0;
  uint64_t offset = 0;
  uint64_t size_bytes = 0;
  Lifetime lifetime;
  std::vector<Use> uses;             // when which of its bytes hold data
  uint64_t reads = 0, writes = 0;    // of all its bytes
  bool fixed = false;                // the problem says where it lies
  std::optional<Relative> relative;  // placed with another one, whose bytes it may share
  bool tied_elsewhere = false;       // the same with one of another method

  bool has_gaps() const;  // at some step of its life not all its bytes hold data
};

enum class CommonWhy : uint8_t {
  kOverInput,  // an output over bytes of an input of its step, which dies there
  kPart,       // a view or a part, which lies where it is tied to
};

// Two buffers of one memory that hold data at one step and have bytes in common.
struct CommonBytes {
  uint32_t owner = 0;   // the dying input; what the part is tied to, in the end
  uint32_t guest = 0;   // the output; the part
  uint64_t offset = 0;  // of the bytes in their memory
  uint64_t bytes = 0;
  CommonWhy why = CommonWhy::kOverInput;
};

// First what overlaps permit, in the problem's order, then parts in the buffers' order. `solution`
// must be one that `verify` accepts, ends of memories apart.
std::vector<CommonBytes> common_bytes(const CheckedProblem& problem, const Solution& solution);

struct LiveAtPeak {
  std::string name;
  uint32_t memory = 0;
  uint64_t size_bytes = 0;
  // The bytes shared on purpose with buffers listed before it, and those buffers' indices.
  uint64_t common_bytes = 0;
  std::vector<uint32_t> common_with;
};

struct MemoryReport {
  std::vector<MemoryUse> memories;        // in the problem's order, unused ones too
  uint64_t total_peak_bytes = 0;          // most bytes live at one step over all memories together
  uint32_t total_peak_step = 0;           // the first such step
  uint64_t peak_sum_bytes = 0;            // sum of the peaks: what all arenas take
  uint64_t lower_bound_bytes = 0;         // no plan of the problem has a smaller sum
  uint64_t slow_traffic_bytes = 0;        // bytes x (reads + writes) outside the first memory
  uint64_t slow_traffic_bound_bytes = 0;  // proved: every plan of the problem has at least these
  uint64_t total_traffic_bytes = 0;
  // Proved: no plan has less traffic outside the first memory, and what the plan has in each memory
  // takes no less there. With one memory: no plan is lower.
  bool optimal = false;
  std::vector<LiveAtPeak> live;       // what holds data at total_peak_step, largest first
  uint64_t live_union_bytes = 0;      // what they cover as placed, common bytes once
  std::vector<PlacedBuffer> buffers;  // in the problem's order
  std::vector<CommonBytes> common;    // indices of `buffers`
};

// `solution` must have a placement for each buffer (see verify.h); it may pass the ends of
// memories, as that of a DoesNotFit does. `watch`, which
// may be null, can end the search for the bound on slow traffic.
MemoryReport make_report(const CheckedProblem& problem, const Solution& solution,
                         const Watch* watch = nullptr);

// `bytes` was proved in another way: no plan has a smaller sum of peaks. Says anew whether the plan
// is optimal.
void raise_lower_bound(MemoryReport& report, uint64_t bytes);

// The most bytes live in a memory at one step.
uint64_t most_live(const MemoryUse& use);

// Percent by which the peaks are above the lower bound: "0.00 %".
std::string gap_text(const MemoryReport& report);

// The figures that judge a plan, and what is proved of it. With several memories: traffic_text,
// then the memories that are not proved to hold their buffers in the fewest bytes. If one memory
// holds all: bound and gap. A gap to the sum of several peaks would say nothing. Lines end in '\n'.
std::string headline(const MemoryReport& report);

// "16384 bytes (16.0 KiB)"
std::string bytes_text(uint64_t bytes);

// "0x30008000"
std::string address_text(uint64_t address);

// With several memories, what their plan is judged by, without a line's end: "traffic: 180 of 360
// bytes outside fast, lower bound 180, proved least".
std::string traffic_text(const MemoryReport& report);

// Proved facts of the packing of each memory that holds something; lines end in '\n'.
std::string packings_text(const MemoryReport& report);

// A memory beside those of the plan, which holds no buffers.
struct OtherMemory {
  std::string name;
  uint64_t base = 0, size_bytes = 0, used_bytes = 0;
};

// A table for people, one line a memory, then the totals and what lives at the peak; lines end in
// '\n'.
std::string table_text(const MemoryReport& report, std::span<const OtherMemory> others = {});

// The same below the headline.
std::string to_text(const MemoryReport& report);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
