// Lists the Vulkan devices of a machine and picks one: by preference, by index or by name.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/capabilities.h"
#include "core/status.h"
#include "vk/loader.h"
#include "vk/problem.h"

namespace arenite::vk {

inline constexpr uint32_t kMaxDevices = 16;  // more are not looked at

// Facts of a device that are known before it is opened.
struct DeviceInfo {
  char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE] = {};
  char driver[VK_MAX_DRIVER_NAME_SIZE] = {};       // empty where the driver is older than 1.2
  char driver_info[VK_MAX_DRIVER_INFO_SIZE] = {};  // the same
  VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_OTHER;
  uint32_t api_version = 0;  // as VK_MAKE_API_VERSION packs it
  uint32_t driver_version = 0, vendor_id = 0, device_id = 0;
  Capabilities capabilities;
  uint8_t cache_uuid[VK_UUID_SIZE] = {};  // of the pipeline caches it takes
  uint32_t queue_family = 0;              // the first that does compute
  uint32_t timestamp_bits = 0;            // of that queue's clock; 0: it has none
  VkPhysicalDeviceLimits limits = {};
  uint64_t allocation_bytes_max = 0;  // maxMemoryAllocationSize; 0 where the driver leaves it out
  Problem problem = Problem::kNone;   // why it can't be used
};

// Describes the machine's devices in the order of their indices, as many as `infos` holds; `count`
// is how many were written. kUnsupported (a Problem) where there is no Vulkan.
Status list_devices(const Library& library, std::span<DeviceInfo> infos, uint32_t& count);

// A CPU in a device's clothing (lavapipe, SwiftShader): right, and slower than the CPU's own
// kernels.
inline bool is_software(const DeviceInfo& info) { return info.type == VK_PHYSICAL_DEVICE_TYPE_CPU; }

// Picks a device. `wanted`: "auto" or empty: discrete before integrated before virtual before other
// before software ones, of those that can be used; "hardware": the same without software ones;
// digits: the device with this index; else the first usable device whose name contains `wanted`,
// capitals or not. kUnsupported carries a Problem.
Status choose_device(const VulkanInstance& instance, std::string_view wanted,
                     VkPhysicalDevice& chosen, DeviceInfo& info);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
