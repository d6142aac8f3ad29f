// Hears of each access of the forms that are linked with it: they are compiled with the calls that
// -fsanitize=thread puts before reads and writes, and these are the functions they call.
//
// Compilers put no call before an access to a local variable whose address nobody takes. Calls of
// mem* functions are led here by the linker (--wrap), or by Clang (__tsan_memcpy). What lies
// outside of all slots is no operand's: stacks, and the tables of the forms.
#include <cstring>

#include "portable_fallback/forms.h"
#include "tools/simulate/watch.h"

namespace arenite::tools {
namespace {

Watch watch;  // the functions below have no argument for it

[[gnu::noinline, gnu::cold]] void fail(FaultKind fault, uint64_t place, uint64_t bytes,
                                       bool writes) {
  const uint64_t mask = (uint64_t{1} << watch.slot_bits) - 1;
  watch.fail({static_cast<uint32_t>(place >> watch.slot_bits), place & mask, bytes, writes, fault});
}

// Byte by byte: names the first that is at fault.
[[gnu::noinline, gnu::cold]] void judge(const WatchedSlot& slot, uint64_t place, uint64_t offset,
                                        uint64_t bytes, bool writes) {
  if (writes && !slot.written) fail(FaultKind::kReadOnly, place, bytes, true);
  for (uint64_t i = 0; i < bytes; ++i) {
    const uint64_t at = offset + i;
    const bool inside =
        at >= slot.begin && at < slot.end && (slot.elements == nullptr || slot.elements[at] != 0);
    if (!inside) fail(FaultKind::kOutside, place + i, 1, writes);
    if (writes || slot.states == nullptr || at >= slot.states_end) continue;
    const auto state = static_cast<ByteState>(slot.states[at]);
    if (slot.written && slot.read) {
      if (state == ByteState::kNothing) fail(FaultKind::kNothing, place + i, 1, false);
    } else if (slot.written) {
      if (state != ByteState::kWritten) fail(FaultKind::kUnwritten, place + i, 1, false);
    } else if (state == ByteState::kWritten) {
      fail(FaultKind::kOverwritten, place + i, 1, false);
    } else if (state == ByteState::kNothing) {
      fail(FaultKind::kNothing, place + i, 1, false);
    }
  }
}

// Whether all of the bytes have the state.
template <uint64_t bytes>
bool all_are(const uint8_t* states, ByteState state) {
  if constexpr (bytes > 8) {
    return all_are<8>(states, state) && all_are<bytes - 8>(states + 8, state);
  } else {
    constexpr uint64_t kOnes = 0x0101010101010101 >> 8 * (8 - bytes);
    uint64_t found = 0;
    std::memcpy(&found, states, bytes);
    return found == kOnes * static_cast<uint8_t>(state);
  }
}

template <uint64_t bytes, bool writes>
void note(const void* at) {
  const uint64_t place = reinterpret_cast<uintptr_t>(at) - watch.base;
  if (place >= watch.bytes) return;
  WatchedSlot& slot = watch.slots[place >> watch.slot_bits];
  const uint64_t offset = place & ((uint64_t{1} << watch.slot_bits) - 1);
  bool good = offset >= slot.begin && offset + bytes <= slot.end && slot.elements == nullptr;
  if constexpr (writes) {
    good = good && slot.written;
    if (!good) judge(slot, place, offset, bytes, true);
    std::memset(slot.states + offset, static_cast<uint8_t>(ByteState::kWritten), bytes);
    slot.written_bytes += bytes;
    if (offset + bytes > slot.write_end) slot.write_end = offset + bytes;
  } else {
    good = good && (slot.states == nullptr || offset >= slot.states_end ||
                    (offset + bytes <= slot.states_end && !(slot.read && slot.written) &&
                     all_are<bytes>(slot.states + offset,
                                    slot.written ? ByteState::kWritten : ByteState::kHolds)));
    if (!good) judge(slot, place, offset, bytes, false);
    slot.read_bytes += bytes;
  }
}

template <bool writes>
void note_range(const void* at, uint64_t bytes) {
  switch (bytes) {
    case 1:
      return note<1, writes>(at);
    case 2:
      return note<2, writes>(at);
    case 4:
      return note<4, writes>(at);
    case 8:
      return note<8, writes>(at);
    case 16:
      return note<16, writes>(at);
    default:
      break;
  }
  const uint64_t place = reinterpret_cast<uintptr_t>(at) - watch.base;
  if (place >= watch.bytes || bytes == 0) return;
  WatchedSlot& slot = watch.slots[place >> watch.slot_bits];
  const uint64_t offset = place & ((uint64_t{1} << watch.slot_bits) - 1);
  judge(slot, place, offset, bytes, writes);
  if (!writes) {
    slot.read_bytes += bytes;
    return;
  }
  std::memset(slot.states + offset, static_cast<uint8_t>(ByteState::kWritten), bytes);
  slot.written_bytes += bytes;
  if (offset + bytes > slot.write_end) slot.write_end = offset + bytes;
}

// All bytes are read before one is written. Copies of numbers are most of them.
template <uint64_t bytes>
void copy(void* to, const void* from) {
  note<bytes, false>(from);
  note<bytes, true>(to);
  std::byte numbers[bytes];
  std::memcpy(numbers, from, bytes);
  std::memcpy(to, numbers, bytes);
}

// The bytes outside of slots, where those that overlap are seen to.
template <typename T>
T* outside(T* at) {
  const uint64_t place = reinterpret_cast<uintptr_t>(at) - watch.base;
  if (place >= watch.bytes) return at;
  const WatchedSlot& slot = watch.slots[place >> watch.slot_bits];
  return static_cast<T*>(slot.memory + (place & ((uint64_t{1} << watch.slot_bits) - 1)));
}

}  // namespace
}  // namespace arenite::tools

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

[[gnu::visibility("default")]] void arenite_watched_forms(arenite::tools::WatchedForms& forms) {
  forms = {&arenite::tools::watch, arenite::all_ops()};
}

void* __real_memmove(void* to, const void* from, size_t bytes);
void* __real_memset(void* to, int byte, size_t bytes);
int __real_memcmp(const void* a, const void* b, size_t bytes);

void* __wrap_memmove(void* to, const void* from, size_t bytes) {
  switch (bytes) {
    case 1:
      arenite::tools::copy<1>(to, from);
      return to;
    case 2:
      arenite::tools::copy<2>(to, from);
      return to;
    case 4:
      arenite::tools::copy<4>(to, from);
      return to;
    case 8:
      arenite::tools::copy<8>(to, from);
      return to;
    default:
      break;
  }
  arenite::tools::note_range<false>(from, bytes);
  arenite::tools::note_range<true>(to, bytes);
  __real_memmove(arenite::tools::outside(to), arenite::tools::outside(from), bytes);
  return to;
}
void* __wrap_memcpy(void* to, const void* from, size_t bytes) {
  return __wrap_memmove(to, from, bytes);
}
void* __wrap_memset(void* to, int byte, size_t bytes) {
  arenite::tools::note_range<true>(to, bytes);
  return __real_memset(to, byte, bytes);
}
int __wrap_memcmp(const void* a, const void* b, size_t bytes) {
  arenite::tools::note_range<false>(a, bytes);
  arenite::tools::note_range<false>(b, bytes);
  return __real_memcmp(a, b, bytes);
}
void* __tsan_memmove(void* to, const void* from, size_t bytes) {
  return __wrap_memmove(to, from, bytes);
}
void* __tsan_memcpy(void* to, const void* from, size_t bytes) {
  return __wrap_memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int byte, size_t bytes) { return __wrap_memset(to, byte, bytes); }

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

#define ARENITE_WATCH(bytes)                                                              \
  void __tsan_read##bytes(void* at) { arenite::tools::note<bytes, false>(at); }           \
  void __tsan_write##bytes(void* at) { arenite::tools::note<bytes, true>(at); }           \
  void __tsan_unaligned_read##bytes(void* at) { arenite::tools::note<bytes, false>(at); } \
  void __tsan_unaligned_write##bytes(void* at) { arenite::tools::note<bytes, true>(at); } \
  void __tsan_read_write##bytes(void* at) {                                               \
    arenite::tools::note<bytes, false>(at);                                               \
    arenite::tools::note<bytes, true>(at);                                                \
  }                                                                                       \
  void __tsan_unaligned_read_write##bytes(void* at) { __tsan_read_write##bytes(at); }
ARENITE_WATCH(1)
ARENITE_WATCH(2)
ARENITE_WATCH(4)
ARENITE_WATCH(8)
ARENITE_WATCH(16)
#undef ARENITE_WATCH

void __tsan_read_range(void* at, size_t bytes) { arenite::tools::note_range<false>(at, bytes); }
void __tsan_write_range(void* at, size_t bytes) { arenite::tools::note_range<true>(at, bytes); }
void __tsan_vptr_read(void**) {}
void __tsan_vptr_update(void**, void*) {}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
// SPDX-License-Identifier: Apache-2.0
