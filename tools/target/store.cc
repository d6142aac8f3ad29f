// Lays program and inputs out for the store.
#include "tools/target/store.h"

#include <algorithm>

#include "core/format.h"
#include "schema/harness_store.h"

namespace arenite::tools {
namespace {

size_t aligned(size_t bytes) {
  constexpr size_t kAlignment = format::kSegmentAlignment;
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

void append(std::vector<std::byte>& to, std::span<const std::byte> bytes) {
  to.resize(aligned(to.size()));
  to.insert(to.end(), bytes.begin(), bytes.end());
}

}  // namespace

StoreImage make_store(const ProgramFile& file, std::span<const TargetTask> tasks, size_t capacity) {
  if (!file.constants().empty()) {
    throw InputError(file.name() +
                     ": a board is given one file, and the program's constants are in another; "
                     "plan it without --separate-constants");
  }
  StoreImage store;
  const std::span<const std::byte> program = file.program().file();
  size_t inputs = 0, end = aligned(program.size());
  for (const TargetTask& task : tasks) {
    for (const HostTensor& tensor : task.inputs.tensors) {
      inputs += tensor.bytes.size();
      end += aligned(tensor.bytes.size());
    }
  }
  store.holds_inputs = inputs > kStreamedInputBytes && end <= capacity;
  // A program that is streamed goes to the start of the store, where it would meet nothing else.
  store.holds_program =
      (store.holds_inputs || program.size() > kStreamedProgramBytes) && program.size() <= capacity;
  if (store.holds_program) append(store.bytes, program);
  if (!store.holds_inputs) return store;
  for (const TargetTask& task : tasks) {
    store.offsets.emplace_back();
    for (const HostTensor& tensor : task.inputs.tensors) {
      append(store.bytes, tensor.bytes);
      store.offsets.back().push_back(
          static_cast<uint32_t>(store.bytes.size() - tensor.bytes.size()));
    }
  }
  return store;
}

size_t store_capacity(const planner::Board& board) {
  if (board.emulator->load_program.empty()) return 0;
  for (const planner::ProgramMemory& memory : board.program_memories) {
    if (memory.image != "harness" || memory.bytes <= harness::kReservedStoreBytes) continue;
    return std::min<uint64_t>(memory.bytes - harness::kReservedStoreBytes, UINT32_MAX);
  }
  return 0;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
