// Reads what each physical device can do, and ranks them.
#include "vk/choose.h"

#include <algorithm>
#include <cstring>

#include "kernels/dispatch/dispatch.h"

namespace arenite::vk {
namespace {

struct Handles {
  VkPhysicalDevice devices[kMaxDevices];
  uint32_t count = 0;
};

Status enumerate(const VulkanInstance& instance, Handles& handles) {
  handles.count = kMaxDevices;
  const VkResult result = instance.fn.enumerate_physical_devices(
      instance.handle, &handles.count, static_cast<VkPhysicalDevice*>(handles.devices));
  if ((result != VK_SUCCESS && result != VK_INCOMPLETE) || handles.count == 0) {
    return error(Problem::kNoDevice);
  }
  return ok_status();
}

Capabilities capabilities_of(uint32_t api_version, const VkPhysicalDeviceLimits& limits) {
  Capabilities have;
  const auto set = [&have](Capability id, uint32_t number) {
    have.numbers[static_cast<uint32_t>(id)] = number;
  };
  set(Capability::kVulkanVersion,
      VK_API_VERSION_MAJOR(api_version) * 1000 + VK_API_VERSION_MINOR(api_version));
  set(Capability::kWorkgroupInvocations, limits.maxComputeWorkGroupInvocations);
  set(Capability::kWorkgroupSizeX, limits.maxComputeWorkGroupSize[0]);
  set(Capability::kSharedMemoryBytes, limits.maxComputeSharedMemorySize);
  set(Capability::kStorageBufferBytes, limits.maxStorageBufferRange);
  set(Capability::kStorageBuffersPerStage,
      std::min(limits.maxPerStageDescriptorStorageBuffers, limits.maxDescriptorSetStorageBuffers));
  set(Capability::kPushConstantBytes, limits.maxPushConstantsSize);
  set(Capability::kWorkgroupCount,
      std::min({limits.maxComputeWorkGroupCount[0], limits.maxComputeWorkGroupCount[1],
                limits.maxComputeWorkGroupCount[2]}));
  return have;
}

void set_optional(Capability id, bool there, Capabilities& have, uint32_t number = 1) {
  have.numbers[static_cast<uint32_t>(id)] = there ? number : 0;
}

// Whether the product of two matrices of 16 by 16 floats is what cooperative matrices of our
// shaders are (kernels/glsl/include/product_cooperative.glsl).
bool is_ours(const VkCooperativeMatrixPropertiesNV& of) {
  return of.MSize == 16 && of.NSize == 16 && of.KSize == 16 &&
         of.AType == VK_COMPONENT_TYPE_FLOAT16_NV && of.BType == VK_COMPONENT_TYPE_FLOAT16_NV &&
         of.CType == VK_COMPONENT_TYPE_FLOAT32_NV && of.DType == VK_COMPONENT_TYPE_FLOAT32_NV &&
         of.scope == VK_SCOPE_SUBGROUP_NV;
}

bool multiplies_matrices(const VulkanInstance& instance, VkPhysicalDevice device) {
  const auto ask = instance.fn.get_physical_device_cooperative_matrix_properties;
  VkCooperativeMatrixPropertiesNV of[64] = {};
  for (VkCooperativeMatrixPropertiesNV& each : of) {
    each.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_NV;
  }
  uint32_t count = 64;
  if (ask == nullptr ||
      ask(device, &count, static_cast<VkCooperativeMatrixPropertiesNV*>(of)) < 0) {
    return false;
  }
  return std::any_of(of, of + count, is_ours);
}

// Reads the capabilities that shaders may need beyond those of every device.
void read_optional(const VulkanInstance& instance, VkPhysicalDevice device,
                   const VkPhysicalDeviceSubgroupProperties& subgroup, Capabilities& have) {
  const bool computes = (subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
  const VkSubgroupFeatureFlags needed =
      VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
  set_optional(Capability::kSubgroupSize,
               computes && (subgroup.supportedOperations & needed) == needed, have,
               subgroup.subgroupSize);
  // A driver that does not know this leaves it as it is.
  VkPhysicalDeviceShaderIntegerDotProductFeatures dot{};
  dot.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES;
  VkPhysicalDevice16BitStorageFeatures storage16{};
  storage16.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES;
  storage16.pNext = &dot;
  VkPhysicalDeviceCooperativeMatrixFeaturesNV matrices{};
  matrices.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_NV;
  dot.pNext = &matrices;
  VkPhysicalDeviceVulkanMemoryModelFeatures memory_model{};
  memory_model.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES;
  matrices.pNext = &memory_model;
  VkPhysicalDeviceShaderFloat16Int8Features float16{};
  float16.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES;
  memory_model.pNext = &float16;
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &storage16;
  instance.fn.get_physical_device_features2(device, &features);
  set_optional(Capability::kShaderInt16, features.features.shaderInt16 != VK_FALSE, have);
  set_optional(Capability::kShaderInt64, features.features.shaderInt64 != VK_FALSE, have);
  set_optional(Capability::kStorage16Bit, storage16.storageBuffer16BitAccess != VK_FALSE, have);
  set_optional(Capability::kIntegerDot, dot.shaderIntegerDotProduct != VK_FALSE, have);
  set_optional(Capability::kCooperativeMatrix,
               matrices.cooperativeMatrix != VK_FALSE &&
                   memory_model.vulkanMemoryModel != VK_FALSE &&
                   float16.shaderFloat16 != VK_FALSE && subgroup.subgroupSize == 32 &&
                   multiplies_matrices(instance, device),
               have);
}

// The first queue family that computes; false when there is none among the first 32.
bool find_compute_queue(const VulkanInstance& instance, VkPhysicalDevice device, DeviceInfo& info) {
  VkQueueFamilyProperties families[32];
  uint32_t count = 32;
  instance.fn.get_physical_device_queue_family_properties(
      device, &count, static_cast<VkQueueFamilyProperties*>(families));
  for (uint32_t i = 0; i < count; ++i) {
    if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) != 0) {
      info.queue_family = i;
      info.timestamp_bits = families[i].timestampValidBits;
      return true;
    }
  }
  return false;
}

Problem problem_with(const DeviceInfo& info) {
  // The dispatches are laid out for these guarantees of Vulkan 1.1, so they are no requirements of
  // a program; a driver that breaks one is refused here.
  const VkPhysicalDeviceLimits& limits = info.limits;
  if (limits.minStorageBufferOffsetAlignment > kBufferAlignment ||
      limits.minUniformBufferOffsetAlignment > kBufferAlignment ||
      limits.maxUniformBufferRange < kMaxUniformBytes ||
      limits.maxPerStageDescriptorUniformBuffers < 1 + kMaxUniforms ||
      limits.maxPushConstantsSize < kMaxPushWords * sizeof(uint32_t) ||
      limits.maxBoundDescriptorSets < 1 ||
      info.capabilities.numbers[static_cast<uint32_t>(Capability::kStorageBuffersPerStage)] <
          kMaxBuffers ||
      info.capabilities.numbers[static_cast<uint32_t>(Capability::kWorkgroupCount)] < kMaxGroups ||
      limits.maxComputeWorkGroupInvocations < kWorkgroupSize) {
    return Problem::kBadDevice;
  }
  return Problem::kNone;
}

void read_info(const VulkanInstance& instance, VkPhysicalDevice device, DeviceInfo& info) {
  info = {};
  VkPhysicalDeviceProperties properties{};
  instance.fn.get_physical_device_properties(device, &properties);
  std::memcpy(info.name, properties.deviceName, sizeof(info.name));
  info.name[sizeof(info.name) - 1] = '\0';
  info.type = properties.deviceType;
  info.api_version = properties.apiVersion;
  info.driver_version = properties.driverVersion;
  info.vendor_id = properties.vendorID;
  info.device_id = properties.deviceID;
  std::copy_n(static_cast<const uint8_t*>(properties.pipelineCacheUUID), VK_UUID_SIZE,
              static_cast<uint8_t*>(info.cache_uuid));
  info.limits = properties.limits;
  info.capabilities = capabilities_of(properties.apiVersion, properties.limits);
  if (properties.apiVersion < VK_API_VERSION_1_1) {
    info.problem = Problem::kOldDevice;
    return;
  }
  VkPhysicalDeviceMaintenance3Properties maintenance{};
  maintenance.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES;
  VkPhysicalDeviceSubgroupProperties subgroup{};
  subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
  maintenance.pNext = &subgroup;
  VkPhysicalDeviceDriverProperties driver{};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  if (properties.apiVersion >= VK_API_VERSION_1_2) {
    subgroup.pNext = &driver;
  }
  VkPhysicalDeviceProperties2 more{};
  more.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  more.pNext = &maintenance;
  instance.fn.get_physical_device_properties2(device, &more);
  info.allocation_bytes_max = maintenance.maxMemoryAllocationSize;
  read_optional(instance, device, subgroup, info.capabilities);
  std::memcpy(info.driver, driver.driverName, sizeof(info.driver));
  info.driver[sizeof(info.driver) - 1] = '\0';
  std::memcpy(info.driver_info, driver.driverInfo, sizeof(info.driver_info));
  info.driver_info[sizeof(info.driver_info) - 1] = '\0';
  info.problem =
      find_compute_queue(instance, device, info) ? problem_with(info) : Problem::kNoComputeQueue;
}

constexpr std::string_view kHardware = "hardware";

// 0 for a software device.
uint32_t preference(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 3;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return 0;
    default:
      return 1;
  }
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool contains(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(),
                     [](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

bool is_index(std::string_view wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The number in `digits`; at least kMaxDevices when it is that large.
uint32_t index_of(std::string_view digits) {
  uint32_t index = 0;
  for (const char digit : digits) {
    index = std::min(index * 10 + static_cast<uint32_t>(digit - '0'), kMaxDevices);
  }
  return index;
}

// 0 for a device that does not answer to `wanted`, else greater the more it is preferred.
uint32_t rank(const DeviceInfo& info, std::string_view wanted) {
  if (wanted == kHardware) {
    return preference(info.type);
  }
  if (wanted.empty() || wanted == "auto") {
    return 1 + preference(info.type);
  }
  const char* const end = std::find(info.name, info.name + sizeof(info.name), '\0');
  return contains({info.name, end}, wanted) ? 1 : 0;
}

}  // namespace

Status list_devices(const Library& library, std::span<DeviceInfo> infos, uint32_t& count) {
  count = 0;
  VulkanInstance instance;
  ARENITE_TRY(open_instance(library, nullptr, instance));
  Handles handles;
  const Status status = enumerate(instance, handles);
  if (status.ok()) {
    count = static_cast<uint32_t>(std::min<size_t>(handles.count, infos.size()));
    for (uint32_t i = 0; i < count; ++i) {
      read_info(instance, handles.devices[i], infos[i]);
    }
  }
  close_instance(instance);
  return status;
}

Status choose_device(const VulkanInstance& instance, std::string_view wanted,
                     VkPhysicalDevice& chosen, DeviceInfo& info) {
  Handles handles;
  ARENITE_TRY(enumerate(instance, handles));
  const bool by_index = !wanted.empty() && is_index(wanted);
  if (by_index) {
    const uint32_t index = index_of(wanted);
    if (index >= handles.count) {
      return error(Problem::kNoSuchDevice);
    }
    chosen = handles.devices[index];
    read_info(instance, chosen, info);
    return info.problem == Problem::kNone ? ok_status() : error(info.problem);
  }
  uint32_t best = 0;
  Problem unusable = wanted == kHardware ? Problem::kOnlySoftware : Problem::kNone;
  DeviceInfo candidate;
  for (uint32_t i = 0; i < handles.count; ++i) {
    read_info(instance, handles.devices[i], candidate);
    const uint32_t rating = rank(candidate, wanted);
    if (rating > best && candidate.problem == Problem::kNone) {
      best = rating;
      chosen = handles.devices[i];
      info = candidate;
    } else if (rating > 0 && candidate.problem != Problem::kNone) {
      unusable = candidate.problem;
    }
  }
  if (best > 0) {
    return ok_status();
  }
  if (unusable != Problem::kNone) {
    return error(unusable);
  }
  return error(Problem::kNoSuchDevice);
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
