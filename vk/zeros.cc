// Clears new arenas: by the CPU where it can, else by one submission.
#include "vk/zeros.h"

#include <cstring>

#include "vk/commands.h"
#include "vk/problem.h"

namespace arenite::vk {
namespace {

Status begin(const Device& device, VkCommandPool pool, VkCommandBuffer& commands) {
  ARENITE_TRY(allocate_commands(device, pool, commands));
  VkCommandBufferBeginInfo once{};
  once.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  once.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  return to_status(device.fn.begin_command_buffer(commands, &once));
}

}  // namespace

Status fill_with_zeros(Device& device, std::span<const Buffer> buffers, VkCommandPool pool,
                       VkFence fence) {
  VkCommandBuffer commands = VK_NULL_HANDLE;
  for (const Buffer& buffer : buffers) {
    if (buffer.handle == VK_NULL_HANDLE) {
      continue;
    }
    if (buffer.mapped != nullptr) {
      std::memset(buffer.mapped, 0, buffer.bytes);
      ARENITE_TRY(flush(device, buffer));
      continue;
    }
    if (commands == VK_NULL_HANDLE) {
      ARENITE_TRY(begin(device, pool, commands));
    }
    device.fn.cmd_fill_buffer(commands, buffer.handle, 0, VK_WHOLE_SIZE, 0);
  }
  if (commands == VK_NULL_HANDLE) {
    return ok_status();
  }
  // A plan's own commands carry no barrier for this.
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                          VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  device.fn.cmd_pipeline_barrier(
      commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0,
      nullptr, 0, nullptr);
  ARENITE_VK_TRY(device.fn.end_command_buffer(commands));
  return submit_and_wait(device, commands, fence);
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
