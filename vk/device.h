// An opened Vulkan device, shared by the backends of any number of instances.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/capabilities.h"
#include "core/platform.h"
#include "core/status.h"
#include "kernels/dispatch/dispatch.h"
#include "vk/choose.h"
#include "vk/functions.h"
#include "vk/loader.h"
#include "vk/phases.h"
#include "vk/set_layouts.h"
#include "vk/shared_constants.h"
#include "vk/validation.h"

namespace arenite::vk {

// Threads that share work with their caller, as Platform::parallel_for has it; null: none.
struct Workers {
  void* context = nullptr;
  uint32_t threads = 1;
  void (*parallel_for)(void* context, uint32_t count, uint32_t threads, PieceFunction task,
                       void* argument) = nullptr;
};

struct DeviceOptions {
  Library library;                   // where Vulkan comes from
  std::string_view device = "auto";  // which one: see choose_device
  Messages* messages = nullptr;      // not null: run under validation, counting what it says
  // Not null: the device counts as one that offers no more than this, and features that this lacks
  // are not switched on.
  const Capabilities* limits = nullptr;
  // The bytes that pipeline_cache_data gave in an earlier run (pipeline_cache.h).
  std::span<const std::byte> pipeline_cache;
  // The time that a submission may take. Long, because software drivers under emulation are slow.
  uint64_t timeout_ns = uint64_t{600} * 1000 * 1000 * 1000;
  Workers workers;  // they make pipelines
  PhaseListener phases;
};

// Opened by open_device, closed by its destructor; must not move. Several threads may each run a
// backend of one device at the same time.
struct Device {
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device();

  DeviceInfo info;
  DeviceFunctions fn;
  VkDevice handle = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkPhysicalDeviceMemoryProperties memory = {};
  bool unified = false;   // CPU and device share one memory: a copy between them gains nothing
  bool window = false;    // to all of a discrete GPU's memory, through which the CPU writes it
  bool discrete = false;  // goes on while what it writes to the CPU's memory is on its way
  uint64_t timeout_ns = 0;
  Workers workers;
  PhaseListener phases;
  // Indexed by set_layout's index. Each pipeline layout has all guaranteed push constants.
  VkDescriptorSetLayout set_layouts[kSetLayouts] = {};
  VkPipelineLayout pipeline_layouts[kSetLayouts] = {};
  VkPipelineCache cache = VK_NULL_HANDLE;
  size_t cache_bytes_at_start = 0;  // what the driver kept of what it was given; 0: nothing
  std::atomic<bool> lost = false;   // set for good once the driver says so
  std::atomic_flag submitting = ATOMIC_FLAG_INIT;
  ConstantIndex constants;  // what backends brought here
  VulkanInstance instance;
};

// Opens a device; `device` must be fresh or closed. On an error it is left closed; kUnsupported
// carries a Problem.
Status open_device(const DeviceOptions& options, Device& device);
// Every backend of the device must be detached before.
void close_device(Device& device);

// Submits recorded commands, to be run in their order, and waits until they have finished.
// kDeviceLost; kDeviceError (value = VK_TIMEOUT) after timeout_ns: the commands may then still be
// running.
Status submit_and_wait(Device& device, std::span<const VkCommandBuffer> commands, VkFence fence);
inline Status submit_and_wait(Device& device, VkCommandBuffer commands, VkFence fence) {
  return submit_and_wait(device, std::span(&commands, 1), fence);
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
