// Compares each address range of the board with all others and with the last address.
#include "planner/board/addresses.h"

#include <algorithm>

#include "planner/graph/graph.h"
#include "planner/memory/report.h"

namespace arenite::planner {
namespace {

struct Range {
  const std::string* name = nullptr;
  std::string image;             // of a program memory; empty: an arena memory
  uint64_t first = 0, last = 0;  // both included: the last address of all has none behind it
};

std::string text(const Range& range) {
  return "\"" + *range.name + "\" (" + memory::address_text(range.first) + " to " +
         memory::address_text(range.last) + ")";
}

bool may_share(const Range& a, const Range& b) {
  return !a.image.empty() && !b.image.empty() && a.image != b.image;
}

class Checker {
 public:
  Checker(const Board& board, const std::string& file_name)
      : last_address_(board.address_bits == 64 ? UINT64_MAX : (uint64_t{1} << 32) - 1),
        address_bits_(board.address_bits),
        file_name_(file_name) {}

  void add(const std::string& name, const std::string& image, uint64_t base, uint64_t bytes) {
    Range range{&name, image, base, last_address_};
    if (bytes != memory::kUnbounded) {
      if (bytes - 1 > last_address_ || base > last_address_ - (bytes - 1)) {
        throw InputError(file_name_ + ": memory \"" + name + "\": " + std::to_string(bytes) +
                         " bytes from " + memory::address_text(base) +
                         " pass the last address of " + std::to_string(address_bits_) + " bits, " +
                         memory::address_text(last_address_) +
                         (address_bits_ == 32 ? "; a CPU with more has \"address_bits\": 64" : ""));
      }
      range.last = base + (bytes - 1);
    }
    for (const Range& other : ranges_) {
      const uint64_t first = std::max(range.first, other.first);
      const uint64_t last = std::min(range.last, other.last);
      if (first > last || may_share(range, other)) continue;
      throw InputError(file_name_ + ": the memories " + text(other) + " and " + text(range) +
                       " share the addresses " + memory::address_text(first) + " to " +
                       memory::address_text(last));
    }
    ranges_.push_back(std::move(range));
  }

 private:
  uint64_t last_address_;
  uint32_t address_bits_;
  const std::string& file_name_;
  std::vector<Range> ranges_;
};

}  // namespace

void check_addresses(const Board& board, const std::string& file_name) {
  Checker checker(board, file_name);
  for (const BoardMemory& memory : board.memories) {
    if (!memory.base_is_given) continue;
    checker.add(memory.memory.name, "", memory.memory.base, memory.memory.size_bytes);
  }
  for (const BoardMemory& memory : board.own_memories) {
    if (!memory.base_is_given) continue;
    checker.add(memory.memory.name, "", memory.memory.base, memory.memory.size_bytes);
  }
  for (const ProgramMemory& memory : board.program_memories) {
    checker.add(memory.name, memory.image, memory.base, memory.bytes);
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
