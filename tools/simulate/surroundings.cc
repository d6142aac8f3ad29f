// Copies what is beside the operands, and compares it when the step has run.
#include "tools/simulate/surroundings.h"

#include <algorithm>
#include <cstring>

namespace arenite::tools {
namespace {

void invert(std::span<std::byte> bytes) {
  for (std::byte& byte : bytes) byte = ~byte;
}

}  // namespace

// Pages of inputs alone are read only: nothing beside them changes.
Surroundings::Surroundings(std::span<SimulatedMemory* const> memories,
                           std::span<const LaidOperand> operands, bool inverted)
    : memories_(memories), inverted_(inverted) {
  for (uint32_t m = 0; m < memories.size(); ++m) {
    std::vector<ByteRange> pages, taken;
    for (const LaidOperand& operand : operands) {
      if (operand.memory != m || operand.bytes.begin == operand.bytes.end) continue;
      if (!operand.written && !inverted) continue;
      const PageRange around = pages_of(operand.bytes.begin, operand.bytes.end);
      pages.push_back({around.begin, around.end});
      taken.push_back(operand.bytes);
    }
    if (pages.empty()) continue;
    const uint64_t end = memories[m]->bytes.whole_pages().size();
    // The pages are what is left of all without what is left of all without them.
    for (const ByteRange& range : subtract({0, end}, subtract({0, end}, pages))) {
      for (const ByteRange& beside : subtract(range, taken)) keep(m, beside);
    }
  }
  if (!inverted_) return;
  for (const Kept& kept : kept_) {
    invert(memories_[kept.memory]->bytes.whole_pages().subspan(kept.bytes.begin,
                                                               kept.bytes.end - kept.bytes.begin));
  }
}

void Surroundings::keep(uint32_t memory, ByteRange bytes) {
  const auto now =
      memories_[memory]->bytes.whole_pages().subspan(bytes.begin, bytes.end - bytes.begin);
  kept_.push_back({memory, bytes, {now.begin(), now.end()}});
}

std::optional<Surroundings::Change> Surroundings::settle() {
  std::optional<Change> first;
  for (const Kept& kept : kept_) {
    const auto now = memories_[kept.memory]->bytes.whole_pages().subspan(
        kept.bytes.begin, kept.bytes.end - kept.bytes.begin);
    if (inverted_) invert(now);
    const auto [changed, before] = std::ranges::mismatch(now, kept.before);
    if (changed != now.end() && !first) {
      first = {kept.memory, kept.bytes.begin + static_cast<uint64_t>(changed - now.begin())};
    }
    std::memcpy(now.data(), kept.before.data(), now.size());
  }
  return first;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
