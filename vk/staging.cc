// Collects copies until the staging buffer is full, then submits them at once.
#include "vk/staging.h"

#include <algorithm>
#include <cstring>

#include "vk/commands.h"
#include "vk/problem.h"

namespace arenite::vk {
namespace {

// Large enough that a submission's cost is lost in the copy, small beside any model.
constexpr uint64_t kStagingBytesMax = uint64_t{16} << 20;

Status open_stager(const Device& device, uint64_t bytes, Stager& stager) {
  ARENITE_TRY(
      create_buffer(device, MemoryUse::kUpload, std::min(bytes, kStagingBytesMax), stager.buffer));
  VkCommandPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.flags =
      VK_COMMAND_POOL_CREATE_TRANSIENT_BIT | VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = device.info.queue_family;
  ARENITE_VK_TRY(device.fn.create_command_pool(device.handle, &pool, nullptr, &stager.pool));
  return allocate_commands(device, stager.pool, stager.commands);
}

Status begin(const Device& device, Stager& stager) {
  VkCommandBufferBeginInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  ARENITE_VK_TRY(device.fn.begin_command_buffer(stager.commands, &info));
  stager.recording = true;
  return ok_status();
}

}  // namespace

Status stage(Device& device, const StagedCopy& copy, uint64_t total_bytes, VkFence fence,
             Stager& stager) {
  if (stager.commands == VK_NULL_HANDLE) {
    ARENITE_TRY(open_stager(device, total_bytes, stager));
  }
  for (uint64_t done = 0; done < copy.bytes;) {
    if (stager.used == stager.buffer.bytes) {
      ARENITE_TRY(flush_stager(device, fence, stager));
    }
    if (!stager.recording) {
      ARENITE_TRY(begin(device, stager));
    }
    const uint64_t piece = std::min(copy.bytes - done, stager.buffer.bytes - stager.used);
    std::memcpy(stager.buffer.mapped + stager.used, copy.from + done, piece);
    const VkBufferCopy region{stager.used, copy.offset + done, piece};
    device.fn.cmd_copy_buffer(stager.commands, stager.buffer.handle, copy.to, 1, &region);
    stager.used += piece;
    done += piece;
  }
  return ok_status();
}

Status flush_stager(Device& device, VkFence fence, Stager& stager) {
  if (!stager.recording) {
    return ok_status();
  }
  stager.recording = false;
  stager.used = 0;
  ARENITE_TRY(flush(device, stager.buffer));
  // The commands of a plan carry no barrier for what was staged: this one makes it visible to all
  // later submissions.
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
  device.fn.cmd_pipeline_barrier(
      stager.commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0,
      nullptr, 0, nullptr);
  ARENITE_VK_TRY(device.fn.end_command_buffer(stager.commands));
  return submit_and_wait(device, stager.commands, fence);
}

void close_stager(const Device& device, const Status& status, Stager& stager) {
  if (status.code == Code::kDeviceError) {
    static_cast<void>(device.fn.device_wait_idle(device.handle));
  }
  device.fn.destroy_command_pool(device.handle, stager.pool, nullptr);
  destroy_buffer(device, stager.buffer);
  stager = {};
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
