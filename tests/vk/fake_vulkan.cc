// Answers the few questions that choosing a device asks of Vulkan.
#include "tests/vk/fake_vulkan.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>

namespace arenite::tests {
namespace {

struct FakeDevice {
  const char* name;
  VkPhysicalDeviceType type;
  uint32_t version;
  VkQueueFlags queues;
  VkDeviceSize alignment;
};

constexpr FakeDevice kDevices[] = {
    {"Soft Pipe", VK_PHYSICAL_DEVICE_TYPE_CPU, VK_API_VERSION_1_1, VK_QUEUE_COMPUTE_BIT, 16},
    {"Tiny Integrated 5", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, VK_API_VERSION_1_2,
     VK_QUEUE_COMPUTE_BIT, 64},
    {"Old Discrete 1", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, VK_API_VERSION_1_0,
     VK_QUEUE_COMPUTE_BIT, 64},
    {"Big Discrete 9", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, VK_API_VERSION_1_3,
     VK_QUEUE_COMPUTE_BIT, 256},
    {"Display Only", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, VK_API_VERSION_1_1,
     VK_QUEUE_TRANSFER_BIT, 64},
    {"Broken Virtual", VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU, VK_API_VERSION_1_1,
     VK_QUEUE_COMPUTE_BIT, 512},
};

uint32_t devices_shown = UINT32_MAX;

// Handles are addresses of rows; nothing is ever read through them as the real type.
const FakeDevice& row(VkPhysicalDevice device) {
  return *reinterpret_cast<const FakeDevice*>(device);
}

VkResult VKAPI_CALL version(uint32_t* number) {
  *number = VK_API_VERSION_1_3;
  return VK_SUCCESS;
}

VkResult VKAPI_CALL create(const VkInstanceCreateInfo*, const VkAllocationCallbacks*,
                           VkInstance* instance) {
  *instance = reinterpret_cast<VkInstance>(const_cast<FakeDevice*>(kDevices));
  return VK_SUCCESS;
}

void VKAPI_CALL destroy(VkInstance, const VkAllocationCallbacks*) {}

VkResult VKAPI_CALL enumerate(VkInstance, uint32_t* count, VkPhysicalDevice* devices) {
  *count = std::min({*count, static_cast<uint32_t>(std::size(kDevices)), devices_shown});
  for (uint32_t i = 0; i < *count; ++i) {
    devices[i] = reinterpret_cast<VkPhysicalDevice>(const_cast<FakeDevice*>(&kDevices[i]));
  }
  return VK_SUCCESS;
}

void VKAPI_CALL properties(VkPhysicalDevice device, VkPhysicalDeviceProperties* to) {
  *to = {};
  std::snprintf(to->deviceName, sizeof(to->deviceName), "%s", row(device).name);
  to->deviceType = row(device).type;
  to->apiVersion = row(device).version;
  VkPhysicalDeviceLimits& limits = to->limits;
  limits.maxComputeWorkGroupInvocations = 128;
  std::fill_n(limits.maxComputeWorkGroupCount, 3, 65535u);
  std::fill_n(limits.maxComputeWorkGroupSize, 3, 64u);
  limits.maxComputeWorkGroupSize[0] = 128;
  limits.maxComputeSharedMemorySize = 16384;
  limits.maxStorageBufferRange = 1u << 27;
  limits.maxPerStageDescriptorStorageBuffers = 4;
  limits.maxDescriptorSetStorageBuffers = 24;
  limits.maxPerStageDescriptorUniformBuffers = 12;
  limits.maxUniformBufferRange = 16384;
  limits.minUniformBufferOffsetAlignment = 256;
  limits.maxPushConstantsSize = 128;
  limits.maxBoundDescriptorSets = 4;
  limits.minStorageBufferOffsetAlignment = row(device).alignment;
}

void VKAPI_CALL properties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2* to) {
  properties(device, &to->properties);
  for (auto* next = static_cast<VkBaseOutStructure*>(to->pNext); next != nullptr;
       next = next->pNext) {
    if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES) {
      auto* driver = reinterpret_cast<VkPhysicalDeviceDriverProperties*>(next);
      std::snprintf(driver->driverName, sizeof(driver->driverName), "fake");
      std::snprintf(driver->driverInfo, sizeof(driver->driverInfo), "driver of tests");
    }
  }
}

void VKAPI_CALL queues(VkPhysicalDevice device, uint32_t* count, VkQueueFamilyProperties* to) {
  *count = 2;
  to[0] = {};
  to[0].queueFlags = VK_QUEUE_TRANSFER_BIT;
  to[1] = {};
  to[1].queueFlags = row(device).queues;
}

void VKAPI_CALL unused() {}

PFN_vkVoidFunction VKAPI_CALL get(VkInstance, const char* name) {
  const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
  const auto as = [](auto function) { return reinterpret_cast<PFN_vkVoidFunction>(function); };
  if (is("vkEnumerateInstanceVersion")) return as(version);
  if (is("vkCreateInstance")) return as(create);
  if (is("vkDestroyInstance")) return as(destroy);
  if (is("vkEnumeratePhysicalDevices")) return as(enumerate);
  if (is("vkGetPhysicalDeviceProperties")) return as(properties);
  if (is("vkGetPhysicalDeviceProperties2")) return as(properties2);
  if (is("vkGetPhysicalDeviceQueueFamilyProperties")) return as(queues);
  return as(unused);
}

}  // namespace

vk::Library fake_vulkan(uint32_t count) {
  devices_shown = count;
  return {[](void*) -> PFN_vkGetInstanceProcAddr { return get; }, nullptr};
}

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
