// One block as large as the largest arena of states, and which parts of it hold something.
#include "tools/run/state_memory.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "support/printable.h"

namespace arenite::tools {
namespace {

using format::ArenaRecord;
using format::VariantRecord;

std::string board_of(const Program& program, uint32_t variant) {
  const VariantRecord& record = program.variants()[variant];
  return printable(program.string(record.board_offset, record.board_bytes));
}

bool holds_states(const ArenaRecord& arena) {
  return arena.kind == static_cast<uint32_t>(format::ArenaKind::kState);
}

}  // namespace

bool shares_states(const Program& program) {
  return (program.header().required_features & format::kSharedStatesFeature) != 0;
}

StateMemory::StateMemory(const Program& program, uint32_t variant)
    : board_(board_of(program, variant)) {
  size_t bytes = 0, alignment = alignof(std::max_align_t);
  for (uint32_t v = 0; v < program.variants().size(); ++v) {
    if (board_of(program, v) != board_) continue;
    for (const ArenaRecord& arena : program.arenas_of(program.variants()[v])) {
      if (!holds_states(arena)) continue;
      bytes = std::max<size_t>(bytes, arena.bytes);
      alignment = std::max<size_t>(alignment, arena.alignment);
    }
  }
  memory_.resize((bytes + alignment) / sizeof(std::max_align_t) + 1);
  void* start = memory_.data();
  size_t room = memory_.size() * sizeof(std::max_align_t);
  std::align(alignment, bytes, start, room);
  bytes_ = {static_cast<std::byte*>(start), bytes};
}

void StateMemory::restore(std::span<const std::byte> before) {
  for (const auto& [offset, bytes] : had_) {
    std::memcpy(bytes_.data() + offset, before.data() + offset, bytes);
  }
}

void StateMemory::add_method(const Program& program, uint32_t method, uint32_t variant) {
  methods_.insert(method);
  const VariantRecord& record = program.variants()[variant];
  const auto inputs = program.inputs_of(program.methods()[method], record);
  for (const format::StateRecord& state : program.states()) {
    if (state.method != method) continue;
    const format::ValueRecord& value = program.values_of(record)[inputs[state.input]];
    had_.emplace(value.offset, value.bytes);
  }
}

std::vector<std::byte> StateMemory::copy() const { return {bytes_.begin(), bytes_.end()}; }

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
