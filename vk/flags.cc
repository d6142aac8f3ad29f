// A flag has a place of its own of kBufferAlignment bytes: no two dispatches write to the same
// range, and no barrier is needed between them.
#include "vk/flags.h"

#include <cstring>

#include "kernels/dispatch/dispatch.h"

namespace arenite::vk {
namespace {

// The first bytes of a flag's place. The device is given `set` alone.
struct Flag {
  uint32_t set;
  FlagOrigin origin;
};

std::byte* place_of(const Buffer& flags, uint32_t flag) {
  return flags.mapped + uint64_t{flag} * kBufferAlignment;
}

}  // namespace

Status make_flags(const Device& device, uint32_t count, Buffer& flags) {
  if (count == 0) {
    return ok_status();
  }
  ARENITE_TRY(
      create_buffer(device, MemoryUse::kReadback, uint64_t{count} * kBufferAlignment, flags));
  std::memset(flags.mapped, 0, flags.bytes);
  return flush(device, flags);
}

uint32_t flag_count(const Buffer& flags) {
  return static_cast<uint32_t>(flags.bytes / kBufferAlignment);
}

void name_flag(const Buffer& flags, uint32_t flag, const FlagOrigin& origin) {
  const Flag named = {0, origin};
  std::memcpy(place_of(flags, flag), &named, sizeof(named));
}

BufferRange flag_range(const Buffer& flags, uint32_t flag) {
  return {flags.handle, uint64_t{flag} * kBufferAlignment, sizeof(uint32_t)};
}

Status read_flags(const Device& device, const Buffer& flags, const PredicateTask& task) {
  ARENITE_TRY(invalidate(device, flags));
  Status status = ok_status();
  for (uint32_t i = 0; i < flag_count(flags); ++i) {
    Flag flag;
    std::memcpy(&flag, place_of(flags, i), sizeof(flag));
    if (flag.set == 0) {
      continue;
    }
    if (status.ok() && is_needed(task, flag.origin.step)) {
      status = {Code::kIndexOutOfRange, flag.origin.step, flag.origin.value};
    }
    name_flag(flags, i, flag.origin);
  }
  if (!status.ok()) {
    ARENITE_TRY(flush(device, flags));
  }
  return status;
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
