// Memory of a device: one allocation with one VkBuffer over it, from the type that suits its use.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/status.h"
#include "vk/device.h"

namespace arenite::vk {

enum class MemoryUse : uint32_t {
  kDevice,     // the device's own; not mapped
  kConstants,  // the device's own, mapped where the CPU reaches it as fast as any memory
  kUpload,     // filled by the CPU, read by the device; mapped
  kInputs,     // the same, written alone, through a window: the device's own
  kReadback,   // filled by the device, read by the CPU; mapped
};

struct Buffer {
  VkBuffer handle = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  uint64_t bytes = 0;           // a multiple of kBufferAlignment
  std::byte* mapped = nullptr;  // null where the CPU can't reach it
  bool own = false;             // in memory that the device calls its own
  bool coherent = true;         // false: flush before, invalidate after the device works on it
};

// Allocates at least `bytes` (0 is allowed) and binds a buffer to them. On an error `buffer` is
// left empty; kDeviceMemory when no memory type has the room.
Status create_buffer(const Device& device, MemoryUse use, uint64_t bytes, Buffer& buffer);
void destroy_buffer(const Device& device, Buffer& buffer);

// Makes what the CPU wrote visible to the device, and the reverse. Nothing to do for unmapped and
// coherent buffers.
Status flush(const Device& device, const Buffer& buffer);
Status invalidate(const Device& device, const Buffer& buffer);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
