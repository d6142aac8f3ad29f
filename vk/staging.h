// Fills buffers that the CPU can't reach, through a staging buffer of bounded size.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vk/memory.h"

namespace arenite::vk {

// The staging buffer with the commands that empty it. Opened by the first `stage`; must be closed.
struct Stager {
  Buffer buffer;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  uint64_t used = 0;       // bytes that wait to be copied
  bool recording = false;  // copies of them have been recorded
};

// Bytes to bring to `offset` of `to`.
struct StagedCopy {
  const std::byte* from;
  uint64_t bytes;
  VkBuffer to;
  uint64_t offset;
};

// Copies; what does not fill the staging buffer waits for more, or for flush_stager. `total_bytes`:
// of all copies to come, at the first one. `fence` is free.
Status stage(Device& device, const StagedCopy& copy, uint64_t total_bytes, VkFence fence,
             Stager& stager);
// Waits until all that was staged has arrived, visible to all later submissions.
Status flush_stager(Device& device, VkFence fence, Stager& stager);
// `status`: how staging ended; after a device error a copy may still be running.
void close_stager(const Device& device, const Status& status, Stager& stager);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
