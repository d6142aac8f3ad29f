// Shows that start-up, console, memories, clock and faults of the MPS3 AN547 work: bringup_test.py
// drives it.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "boards/bare/clock.h"
#include "boards/bare/console.h"
#include "boards/bare/memories.h"
#include "boards/bare/semihosting.h"

namespace {

using namespace arenite::board;

constexpr int kExitStatusOfSuccess = 7;  // neither 0 nor 1, so that no default can be taken for it
constexpr int kExitStatusOfFailure = 1;

// Each of these proves that one part of start-up was done.
volatile uint32_t initialized = 0x12345678;
volatile uint32_t zeroed;
[[gnu::section(".program"), gnu::used]] const uint32_t in_flash[2] = {0x464C4153, 0x484F4B21};

// The plugin and the clock count what runs between these two.
extern "C" [[gnu::noinline]] void measure_begin() { asm volatile(""); }
extern "C" [[gnu::noinline]] void measure_end() { asm volatile(""); }

// Two instructions a trip.
[[gnu::noinline]] void count_down(uint32_t trips) {
  asm volatile("1: subs %0, #1\n bne 1b" : "+r"(trips) : : "cc");
}

bool start_up_done() {
  volatile float half = 0.5f;
  return initialized == 0x12345678 && zeroed == 0 && half * 4.0f == 2.0f &&
         *const_cast<const volatile uint32_t*>(in_flash) == 0x464C4153;
}

// Writes and reads the first and last word of a memory, and a word of every 64 KiB between.
bool memory_works(std::span<std::byte> bytes) {
  constexpr size_t kStride = 64 * 1024;
  const auto word = [&](size_t at) -> volatile uint32_t& {
    return *static_cast<volatile uint32_t*>(static_cast<void*>(bytes.data() + at));
  };
  const size_t last = bytes.size() - sizeof(uint32_t);
  const auto pattern = [](size_t at) {
    return static_cast<uint32_t>(at) * 2654435761u ^ 0x5A5A5A5A;
  };
  for (size_t at = 0; at < last; at += kStride) word(at) = pattern(at);
  word(last) = pattern(last);
  bool works = word(last) == pattern(last);
  for (size_t at = 0; at < last; at += kStride) works = works && word(at) == pattern(at);
  return works;
}

void report(std::string_view name, bool works) {
  for (const char c : name) write_byte(static_cast<uint8_t>(c));
  write_text(works ? " ok\n" : " FAILED\n");
}

bool memories_work() {
  bool all = true;
  for (size_t i = 0; i < arena_memory_count(); ++i) {
    const bool works = memory_works(arena_memory(i).bytes);
    report(arena_memory(i).name, works);
    all = all && works;
  }
  const bool works = memory_works(program_store().bytes);
  report(program_store().name, works);
  return all && works;
}

void measure(uint32_t trips) {
  stack_paint();
  clock_start();
  const uint64_t begin = clock_nanoseconds();
  measure_begin();
  count_down(trips);
  measure_end();
  const uint64_t end = clock_nanoseconds();
  write_text("counted ");
  write_decimal(end - begin);
  write_text("\nstack ");
  write_decimal(stack_used_bytes());
  write_text("\n");
}

// 64 words read and 32 written in SRAM, between the measuring symbols.
void touch_sram() {
  volatile uint32_t* words =
      static_cast<uint32_t*>(static_cast<void*>(arena_memory(1).bytes.data()));
  measure_begin();
  uint32_t sum = 0;
  for (size_t i = 0; i < 64; ++i) sum += words[i];
  for (size_t i = 0; i < 32; ++i) words[i] = sum;
  measure_end();
}

bool copy_host_file() {
  uint8_t content[64];
  const HostFile in = open_host_file("bringup_in.bin", FileMode::kRead);
  if (in.handle < 0 || host_file_bytes(in) != sizeof content) return false;
  if (!read_host_file(in, content)) return false;
  close_host_file(in);
  const HostFile out = open_host_file("bringup_out.bin", FileMode::kWrite);
  if (out.handle < 0 || !write_host_file(out, content)) return false;
  close_host_file(out);
  return true;
}

uint32_t recurse(uint32_t depth) {
  volatile uint32_t frame[64] = {depth};
  return depth == 0 ? frame[0] : recurse(depth - 1) + frame[0];
}

[[nodiscard]] int obey(char command) {
  switch (command) {
    case 'm':
      return memories_work() ? kExitStatusOfSuccess : kExitStatusOfFailure;
    case 'c':
      measure(1'000'000);
      return kExitStatusOfSuccess;
    case 'w':  // long enough for the 24-bit timer to wrap
      measure(270'000'000);
      return kExitStatusOfSuccess;
    case 't':
      touch_sram();
      return kExitStatusOfSuccess;
    case 'h':
      return copy_host_file() ? kExitStatusOfSuccess : kExitStatusOfFailure;
    case 'f':
      return static_cast<int>(*reinterpret_cast<volatile uint32_t*>(uintptr_t{0xF0000000}));
    case 's':
      return static_cast<int>(recurse(1'000'000));
    default:
      return kExitStatusOfFailure;
  }
}

}  // namespace

// Waits for a line: a letter, then anything, which is echoed.
extern "C" int image_main();
extern "C" int image_main() {
  write_text("bringup: hello\n");
  report("start-up", start_up_done());
  const char command = static_cast<char>(read_byte());
  write_text("echo ");
  for (uint8_t byte = read_byte(); byte != '\n'; byte = read_byte()) write_byte(byte);
  write_text("\n");
  return obey(command);
}
// SPDX-License-Identifier: Apache-2.0
