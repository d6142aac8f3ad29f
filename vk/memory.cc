// Chooses a memory type for each use, allocates, binds and maps.
#include "vk/memory.h"

#include "vk/problem.h"

namespace arenite::vk {
namespace {

constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kVisible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
constexpr VkMemoryPropertyFlags kCoherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

// 0 when memory of these flags does not do for the use, else greater the better it suits.
int suitability(VkMemoryPropertyFlags flags, MemoryUse use, bool unified) {
  // Lazily allocated, protected and vendors' own kinds need features that are not switched on.
  if ((flags & ~(kLocal | kVisible | kCoherent | kCached)) != 0) {
    return 0;
  }
  const auto points = [flags](VkMemoryPropertyFlags wanted, int worth) {
    return (flags & wanted) == wanted ? worth : 0;
  };
  switch (use) {
    case MemoryUse::kDevice:
    case MemoryUse::kConstants:
      // On unified memory constants are written in place. Else a type that the CPU also sees is
      // left for others: that window is often small.
      return unified ? 1 + points(kLocal, 8) + points(kVisible | kCoherent, 2)
                     : 2 + points(kLocal, 8) - points(kVisible, 1);
    case MemoryUse::kUpload:
      // Cached, because CPU steps and a re-run after a lost device read inputs too.
      return (flags & kVisible) == 0
                 ? 0
                 : 5 + points(kCoherent, 8) + points(kCached, 1) + points(kLocal, unified ? 2 : -4);
    case MemoryUse::kInputs:
      return (flags & kVisible) == 0 ? 0 : 5 + points(kCoherent, 8) + points(kLocal, 4);
    case MemoryUse::kReadback:
      // Uncached memory is read many times slower; coherence saves only a call.
      return (flags & kVisible) == 0
                 ? 0
                 : 5 + points(kCached, 8) + points(kCoherent, 2) + points(kLocal, unified ? 1 : -4);
  }
  return 0;
}

uint32_t best_type(const Device& device, MemoryUse use, uint32_t allowed, uint64_t bytes) {
  uint32_t best = kNoIndex;
  int best_points = 0;
  for (uint32_t i = 0; i < device.memory.memoryTypeCount; ++i) {
    const VkMemoryType& type = device.memory.memoryTypes[i];
    const int points = suitability(type.propertyFlags, use, device.unified);
    if ((allowed >> i & 1) != 0 && points > best_points &&
        bytes <= device.memory.memoryHeaps[type.heapIndex].size) {
      best = i;
      best_points = points;
    }
  }
  return best;
}

// The best of the allowed types that has the room: a full heap of the device's own leaves the
// others to try.
Status allocate(const Device& device, MemoryUse use, uint32_t allowed, uint64_t bytes,
                Buffer& buffer, VkMemoryPropertyFlags& flags) {
  const uint64_t most = device.info.allocation_bytes_max;
  if (most != 0 && bytes > most) {
    return arenite::error(Code::kDeviceMemory);
  }
  for (;;) {
    const uint32_t type = best_type(device, use, allowed, bytes);
    if (type == kNoIndex) {
      return arenite::error(Code::kDeviceMemory);
    }
    VkMemoryAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    info.allocationSize = bytes;
    info.memoryTypeIndex = type;
    const Status status =
        to_status(device.fn.allocate_memory(device.handle, &info, nullptr, &buffer.memory));
    if (status.code != Code::kDeviceMemory) {
      flags = device.memory.memoryTypes[type].propertyFlags;
      return status;
    }
    allowed &= ~(uint32_t{1} << type);
  }
}

// The CPU reads or writes it at each run.
bool is_for_cpu(MemoryUse use) {
  return use == MemoryUse::kUpload || use == MemoryUse::kInputs || use == MemoryUse::kReadback;
}

bool wants_mapping(const Device& device, MemoryUse use, VkMemoryPropertyFlags flags) {
  return is_for_cpu(use) || (use == MemoryUse::kConstants && device.unified &&
                             (flags & (kVisible | kCoherent)) == (kVisible | kCoherent));
}

// Drivers map memory at multiples of 64 or more, plans may ask kBufferAlignment of an arena: the
// buffer begins at the first place in its memory that suits both.
uint64_t first_aligned(const std::byte* mapped, uint64_t alignment) {
  const auto address = reinterpret_cast<uintptr_t>(mapped);
  const uint64_t skip = (kBufferAlignment - address % kBufferAlignment) % kBufferAlignment;
  return skip % alignment == 0 ? skip : 0;
}

Status create(const Device& device, MemoryUse use, uint64_t bytes, Buffer& buffer) {
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = bytes;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  ARENITE_VK_TRY(device.fn.create_buffer(device.handle, &info, nullptr, &buffer.handle));
  buffer.bytes = bytes;
  VkMemoryRequirements needs{};
  device.fn.get_buffer_memory_requirements(device.handle, buffer.handle, &needs);
  const bool may_move = is_for_cpu(use);
  const bool aligned = device.info.limits.minMemoryMapAlignment % kBufferAlignment == 0;
  const uint64_t room = may_move && !aligned ? kBufferAlignment : 0;
  VkMemoryPropertyFlags flags = 0;
  ARENITE_TRY(allocate(device, use, needs.memoryTypeBits, needs.size + room, buffer, flags));
  buffer.own = (flags & kLocal) != 0;
  uint64_t offset = 0;
  if (wants_mapping(device, use, flags)) {
    void* mapped = nullptr;
    ARENITE_VK_TRY(
        device.fn.map_memory(device.handle, buffer.memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    buffer.mapped = static_cast<std::byte*>(mapped);
    buffer.coherent = (flags & kCoherent) != 0;
    offset = room == 0 ? 0 : first_aligned(buffer.mapped, needs.alignment);
    buffer.mapped += offset;
  }
  return to_status(
      device.fn.bind_buffer_memory(device.handle, buffer.handle, buffer.memory, offset));
}

bool needs_care(const Buffer& buffer) { return buffer.mapped != nullptr && !buffer.coherent; }

VkMappedMemoryRange whole(const Buffer& buffer) {
  VkMappedMemoryRange range{};
  range.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE;
  range.memory = buffer.memory;
  range.size = VK_WHOLE_SIZE;
  return range;
}

}  // namespace

Status create_buffer(const Device& device, MemoryUse use, uint64_t bytes, Buffer& buffer) {
  buffer = {};
  const uint64_t rounded = (bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
  const Status status = create(device, use, rounded == 0 ? kBufferAlignment : rounded, buffer);
  if (!status.ok()) {
    destroy_buffer(device, buffer);
  }
  return status;
}

void destroy_buffer(const Device& device, Buffer& buffer) {
  device.fn.destroy_buffer(device.handle, buffer.handle, nullptr);
  device.fn.free_memory(device.handle, buffer.memory, nullptr);  // unmaps it
  buffer = {};
}

Status flush(const Device& device, const Buffer& buffer) {
  if (!needs_care(buffer)) {
    return ok_status();
  }
  const VkMappedMemoryRange range = whole(buffer);
  return to_status(device.fn.flush_mapped_memory_ranges(device.handle, 1, &range));
}

Status invalidate(const Device& device, const Buffer& buffer) {
  if (!needs_care(buffer)) {
    return ok_status();
  }
  const VkMappedMemoryRange range = whole(buffer);
  return to_status(device.fn.invalidate_mapped_memory_ranges(device.handle, 1, &range));
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
