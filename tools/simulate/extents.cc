// Sums the runs of elements that operands have.
#include "tools/simulate/extents.h"

#include <algorithm>

#include "tools/simulate/element_runs.h"

namespace arenite::tools {
namespace {

uint64_t bytes_of(const Tensor& tensor) {
  uint64_t bytes = 0;
  for (const ByteRange& run : element_runs(tensor)) bytes += run.end - run.begin;
  return bytes;
}

}  // namespace

void add_moves(std::vector<SimulatedMoves>& all, const SimulatedMoves& moved) {
  if (moved.read_bytes == 0 && moved.written_bytes == 0) return;
  auto found = std::ranges::find(all, moved.memory, &SimulatedMoves::memory);
  if (found == all.end()) found = all.insert(all.end(), {moved.memory});
  found->read_bytes += moved.read_bytes;
  found->written_bytes += moved.written_bytes;
}

std::vector<SimulatedMoves> extents_of(const Step& step, const MemoryNames& names) {
  std::vector<SimulatedMoves> moved;
  const std::span<const uint32_t> words(step.operand_words(), step.operand_count());
  const uint32_t operands = step.input_count() + step.output_count();
  for (uint32_t i = 0; i < operands; ++i) {
    if (words[i] == kNoIndex) continue;
    const bool reads = i < step.input_count();
    if (reads && std::ranges::find(words.first(i), words[i]) != words.begin() + i) continue;
    const Tensor tensor = step.operand(i);
    const uint64_t bytes = bytes_of(tensor);
    const bool constant = format::is_constant(words[i]);
    add_moves(moved, {.memory = constant ? names.constants : names.arenas[tensor.record->place],
                      .read_bytes = reads ? bytes : 0,
                      .written_bytes = reads ? 0 : bytes});
  }
  return moved;
}

std::vector<SimulatedMoves> moves_of_states(const Instance& instance, uint32_t method,
                                            std::span<const std::string> arenas) {
  std::vector<SimulatedMoves> moved;
  for (const format::StateRecord& state : instance.program().states()) {
    if (state.method != method || state.output == kNoIndex) continue;
    const Tensor from = instance.output_tensor(state.output);
    const Tensor to = instance.input_tensor(state.input);
    const uint64_t bytes = bytes_of(from);
    add_moves(moved, {.memory = arenas[from.record->place], .read_bytes = bytes});
    add_moves(moved, {.memory = arenas[to.record->place], .written_bytes = bytes});
  }
  return moved;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
