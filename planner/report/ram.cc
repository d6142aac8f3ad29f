// Adds up what arenas, instances, other variables and the stack take of each memory.
#include "planner/report/ram.h"

#include <algorithm>

#include "core/symbols.h"
#include "include/arenite/model.h"
#include "planner/board/code_sizes.h"
#include "planner/memory/problem/problem.h"
#include "planner/program/aligned_program.h"
#include "support/printable.h"

namespace arenite::planner {
namespace {

// Every program on every toolchain that was measured is held to it (tools/checks/device_report.sh).
constexpr uint64_t kAssumedStackBytes = 4096, kAssumedStackBytes64 = 6144;

// An instance is words and nothing else: of as many bits as addresses have there. Its addresses and
// frame follow.
uint64_t instance_bytes(const Board& board, const InstanceRoom& room) {
  const uint64_t words = sizeof(ModelInstance) / sizeof(void*);
  constexpr uint64_t kAlignment = alignof(ModelInstance);
  const auto aligned = [](uint64_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  };
  return aligned(aligned(words * board.address_bits / 8) + room.addresses * board.address_bits / 8 +
                 room.frame_bytes);
}

bool is_limited(const BoardMemory& memory) {
  return memory.memory.size_bytes != memory::kUnbounded;
}

// Whether the stack lies in a memory that ends.
bool stack_has_end(const Board& board) {
  for (const auto* memories : {&board.memories, &board.own_memories}) {
    for (const BoardMemory& memory : *memories) {
      if (memory.holds_stack) return is_limited(memory);
    }
  }
  return false;
}

uint64_t kept_bytes(const OwnRam& own, const BoardMemory& memory) {
  return (memory.holds_bss ? own.instance_bytes + own.bss_bytes : 0) +
         (memory.holds_stack ? own.stack_bytes.value_or(0) : 0) +
         (memory.holds_states ? own.states_bytes : 0);
}

// In the memory of that name, the most that one method on the CPU needs.
uint64_t arenas_bytes(const PlanReport& report, const std::string& board,
                      const std::string& memory) {
  uint64_t most = 0;
  for (const VariantReport& variant : report.variants) {
    if (variant.vulkan || variant.board != board) continue;
    for (const memory::MemoryUse& use : variant.memories.memories) {
      if (use.name == memory) most = std::max(most, use.peak_bytes);
    }
  }
  return most;
}

// "arenas 752 bytes, Instance 456 bytes, stack 1104 bytes"
std::string contents_of(const RamMemory& row) {
  std::string text;
  for (const auto& [what, count] :
       {std::pair{"arenas", row.arenas_bytes}, std::pair{"Instance", row.instance_bytes},
        std::pair{".bss", row.bss_bytes}, std::pair{"stack", row.stack_bytes},
        std::pair{"states", row.states_bytes}}) {
    if (count != 0)
      text += (text.empty() ? "" : ", ") + std::string(what) + " " + memory::bytes_counted(count);
  }
  return text;
}

// The bytes there are fixed: no other plan would change them.
Shortage shortage_of(const RamMemory& row, const std::string& board) {
  Shortage shortage;
  shortage.board = board;
  shortage.memory = row.name;
  shortage.memory_bytes = *row.size_bytes;
  shortage.needed_bytes = shortage.least_bytes = shortage.floor_bytes = row.used_bytes();
  shortage.short_bytes = row.used_bytes() - *row.size_bytes;
  shortage.impossible = shortage.least_is_proved = true;
  shortage.text = "board " + board + ": memory " + quote(row.name) + " of " +
                  memory::bytes_counted(*row.size_bytes) + " is " +
                  memory::bytes_counted(shortage.short_bytes) + " short: it is to hold " +
                  contents_of(row);
  return shortage;
}

// One that the placing of arenas found says more.
void add_shortage(Shortage shortage, std::vector<Shortage>& shortages) {
  const bool known = std::any_of(shortages.begin(), shortages.end(), [&](const Shortage& other) {
    return other.board == shortage.board && other.memory == shortage.memory;
  });
  if (!known) shortages.push_back(std::move(shortage));
}

RamMemory row_of(const OwnRam& own, const BoardMemory& memory, uint64_t arenas) {
  RamMemory row;
  row.name = memory.memory.name;
  if (is_limited(memory)) row.size_bytes = memory.full_bytes();
  row.arenas_bytes = arenas;
  if (memory.holds_bss) {
    row.instance_bytes = own.instance_bytes;
    row.bss_bytes = own.bss_bytes;
  }
  if (memory.holds_stack) row.stack_bytes = own.stack_bytes.value_or(0);
  if (memory.holds_states) row.states_bytes = own.states_bytes;
  return row;
}

}  // namespace

InstanceRoom instance_room(std::span<const std::byte> program, const std::string& board) {
  const AlignedProgram opened(program);
  uint32_t arenas = 1;
  InstanceRoom room;
  for (uint32_t v = 0; v < opened->variants().size(); ++v) {
    const format::VariantRecord& variant = opened->variants()[v];
    if (opened->string(variant.board_offset, variant.board_bytes) != board) continue;
    arenas = std::max(arenas, variant.arena_count);
    room.frame_bytes = std::max(room.frame_bytes, 4 * uint64_t{frame_words(*opened, v)});
  }
  room.addresses = uint64_t{constant_sections(*opened)} + arenas;
  return room;
}

OwnRam own_ram(const Board& board, size_t methods, uint64_t states_bytes,
               std::span<const std::string> forms, const InstanceRoom& room) {
  OwnRam own;
  own.states_bytes = states_bytes;
  own.instance_bytes = instance_bytes(board, room) * methods;
  if (const auto sizes = find_code_sizes(board.toolchain)) {
    own.bss_bytes = sizes->bss_bytes;
    own.stack_bytes = stack_bytes(*sizes, forms);
  }
  own.stack_is_assumed = !own.stack_bytes.has_value() && stack_has_end(board);
  if (own.stack_is_assumed) {
    own.stack_bytes = board.address_bits == 64 ? kAssumedStackBytes64 : kAssumedStackBytes;
  }
  return own;
}

bool hold_states(uint64_t bytes, size_t memory, Board& board) {
  for (size_t m = std::min(memory, board.memories.size()); m-- != 0;) {
    if (board.memories[m].full_bytes() < bytes) continue;
    for (BoardMemory& other : board.memories) other.holds_states = false;
    board.memories[m].holds_states = true;
    return true;
  }
  return false;
}

void keep_from_arenas(const OwnRam& own, Board& board) {
  for (BoardMemory& memory : board.memories) {
    if (is_limited(memory)) memory.keep(kept_bytes(own, memory));
  }
}

bool is_kept_from_arenas(const OwnRam& own, const Board& board, const PlanReport& report) {
  return std::all_of(board.memories.begin(), board.memories.end(), [&](const BoardMemory& memory) {
    const uint64_t needed = kept_bytes(own, memory);
    if (!is_limited(memory) || needed <= memory.own_bytes) return true;
    return arenas_bytes(report, board.name, memory.memory.name) + needed <= memory.full_bytes();
  });
}

void add_ram(const OwnRam& own, const Board& board, PlanReport& report) {
  RamReport ram;
  ram.board = board.name;
  ram.instance_bytes = own.instance_bytes;
  ram.bss_bytes = own.bss_bytes;
  ram.states_bytes = own.states_bytes;
  ram.stack_bytes = own.stack_bytes;
  ram.stack_is_assumed = own.stack_is_assumed;
  for (const auto* memories : {&board.memories, &board.own_memories}) {
    for (const BoardMemory& memory : *memories) {
      const RamMemory row =
          row_of(own, memory, arenas_bytes(report, board.name, memory.memory.name));
      ram.arenas_bytes += row.arenas_bytes;
      if (row.used_bytes() == 0) continue;
      ram.memories.push_back(row);
      if (row.size_bytes && row.used_bytes() > *row.size_bytes) {
        add_shortage(shortage_of(row, board.name), report.shortages);
      }
    }
  }
  report.ram.push_back(std::move(ram));
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
