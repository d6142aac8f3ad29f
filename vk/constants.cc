// Copies sections piece by piece through a staging buffer of bounded size.
#include "vk/constants.h"

#include <algorithm>
#include <cstring>

#include "vk/problem.h"

namespace arenite::vk {
namespace {

// Large enough that a submission's cost is lost in the copy, small beside any model.
constexpr uint64_t kStagingBytesMax = uint64_t{16} << 20;

// The staging buffer with the commands that empty it.
struct Stager {
  Buffer buffer;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;
};

Status open_stager(const Device& device, uint64_t bytes, Stager& stager) {
  ARENITE_TRY(create_buffer(device, MemoryUse::kUpload, bytes, stager.buffer));
  VkCommandPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.flags =
      VK_COMMAND_POOL_CREATE_TRANSIENT_BIT | VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = device.info.queue_family;
  ARENITE_VK_TRY(device.fn.create_command_pool(device.handle, &pool, nullptr, &stager.pool));
  VkCommandBufferAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  info.commandPool = stager.pool;
  info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  info.commandBufferCount = 1;
  return to_status(device.fn.allocate_command_buffers(device.handle, &info, &stager.commands));
}

void close_stager(const Device& device, Status status, Stager& stager) {
  if (status.code == Code::kDeviceError) {
    // A copy that outlasted its time may still be running.
    static_cast<void>(device.fn.device_wait_idle(device.handle));
  }
  device.fn.destroy_command_pool(device.handle, stager.pool, nullptr);
  destroy_buffer(device, stager.buffer);
}

// Copies `bytes` that lie in the staging buffer to `offset` of `to`.
Status copy_piece(Device& device, const Stager& stager, VkFence fence, const Buffer& to,
                  uint64_t offset, uint64_t bytes) {
  ARENITE_TRY(flush(device, stager.buffer));
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  ARENITE_VK_TRY(device.fn.begin_command_buffer(stager.commands, &begin));
  const VkBufferCopy region{0, offset, bytes};
  device.fn.cmd_copy_buffer(stager.commands, stager.buffer.handle, to.handle, 1, &region);
  // The commands of the plan carry no barrier for constants: this one makes them visible to all
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

Status fill_by_copies(Device& device, const Stager& stager, VkFence fence, const std::byte* from,
                      uint64_t bytes, const Buffer& to) {
  for (uint64_t done = 0; done < bytes;) {
    const uint64_t piece = std::min(bytes - done, stager.buffer.bytes);
    std::memcpy(stager.buffer.mapped, from + done, piece);
    ARENITE_TRY(copy_piece(device, stager, fence, to, done, piece));
    done += piece;
  }
  return ok_status();
}

bool is_wanted(uint32_t sections, size_t section) { return (sections >> section & 1) != 0; }

Status fill_staged(Device& device, const Task& task, uint32_t sections, VkFence fence, State& state,
                   const Stager& stager) {
  for (size_t i = 0; i < task.sections.size(); ++i) {
    if (is_wanted(sections, i) && state.sections[i].mapped == nullptr) {
      ARENITE_TRY(fill_by_copies(device, stager, fence, task.bindings->sections[i],
                                 task.sections[i].bytes, state.sections[i]));
    }
  }
  return ok_status();
}

}  // namespace

Status upload_constants(Device& device, const Task& task, uint32_t sections, VkFence fence,
                        State& state) {
  uint64_t staged_max = 0;
  for (uint32_t i = 0; i < task.sections.size(); ++i) {
    if (!is_wanted(sections, i)) {
      continue;
    }
    if (task.bindings->sections == nullptr || task.bindings->sections[i] == nullptr) {
      return arenite::error(Code::kNotLoaded, i);
    }
    const uint64_t bytes = task.sections[i].bytes;
    ARENITE_TRY(create_buffer(device, MemoryUse::kConstants, bytes, state.sections[i]));
    if (state.sections[i].mapped != nullptr) {
      std::memcpy(state.sections[i].mapped, task.bindings->sections[i], bytes);
    } else {
      staged_max = std::max(staged_max, bytes);
    }
  }
  if (staged_max == 0) {
    return ok_status();
  }
  Stager stager;
  Status status = open_stager(device, std::min(staged_max, kStagingBytesMax), stager);
  if (status.ok()) {
    status = fill_staged(device, task, sections, fence, state, stager);
  }
  close_stager(device, status, stager);
  return status;
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
