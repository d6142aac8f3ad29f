// The harness image of a bare board: every form, and the protocol over the first serial port.
#include "boards/harness/serve.h"

#include "boards/bare/clock.h"
#include "boards/bare/console.h"
#include "boards/bare/memories.h"
#include "portable_fallback/forms.h"

namespace {

using namespace arenite;

bool read(void*, std::span<uint8_t> to) {
  board::read_bytes(to);
  return true;
}

void write(void*, std::span<const uint8_t> from) { board::write_bytes(from); }

uint64_t nanoseconds(void*) { return board::clock_nanoseconds(); }

size_t stack_paint(void*) { return board::stack_paint(); }

size_t stack_used(void*) { return board::stack_used_bytes(); }

}  // namespace

extern "C" int image_main();
extern "C" int image_main() {
  harness::Memory memories[board::kArenaMemoriesMax];
  const size_t count = board::arena_memory_count();
  for (size_t i = 0; i < count; ++i) {
    memories[i] = {board::arena_memory(i).name, board::arena_memory(i).bytes};
  }
  board::clock_start();
  const harness::Port port = {.board = board::name(),
                              .read = read,
                              .write = write,
                              .nanoseconds = nanoseconds,
                              .stack_paint = stack_paint,
                              .stack_used = stack_used,
                              .memories = {memories, count},
                              .store = board::program_store().bytes};
  return harness::serve(port, all_ops()) ? 0 : 1;
}
// SPDX-License-Identifier: Apache-2.0
