// Takes command buffers from their pools.
#pragma once

#include "vk/device.h"
#include "vk/problem.h"

namespace arenite::vk {

inline Status allocate_commands(const Device& device, VkCommandPool pool,
                                VkCommandBuffer& commands) {
  VkCommandBufferAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  info.commandPool = pool;
  info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  info.commandBufferCount = 1;
  return to_status(device.fn.allocate_command_buffers(device.handle, &info, &commands));
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
