// Opens a device with the objects that all its programs share: queue, layouts, pipeline cache.
#include "vk/device.h"

#include <sched.h>

#include <algorithm>
#include <ctime>

#include "vk/pipeline_cache.h"
#include "vk/problem.h"

namespace arenite::vk {
namespace {

Status make_device(VkPhysicalDevice physical, Device& device) {
  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueFamilyIndex = device.info.queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  // Whether the device has a capability that shaders may need.
  const auto has = [&device](Capability id) -> VkBool32 {
    return device.info.capabilities.numbers[static_cast<uint32_t>(id)] != 0 ? VK_TRUE : VK_FALSE;
  };
  VkPhysicalDevice16BitStorageFeatures storage16{};
  storage16.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES;
  storage16.storageBuffer16BitAccess = has(Capability::kStorage16Bit);
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &storage16;
  features.features.shaderInt16 = has(Capability::kShaderInt16);
  features.features.shaderInt64 = has(Capability::kShaderInt64);
  info.pNext = &features;
  const char* extensions[4] = {};
  info.ppEnabledExtensionNames = static_cast<const char**>(extensions);
  VkPhysicalDeviceShaderIntegerDotProductFeatures dot{};
  dot.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES;
  dot.shaderIntegerDotProduct = has(Capability::kIntegerDot);
  if (dot.shaderIntegerDotProduct != VK_FALSE) {
    storage16.pNext = &dot;
    extensions[info.enabledExtensionCount++] = VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME;
  }
  VkPhysicalDeviceCooperativeMatrixFeaturesNV matrices{};
  matrices.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_NV;
  matrices.cooperativeMatrix = has(Capability::kCooperativeMatrix);
  VkPhysicalDeviceVulkanMemoryModelFeatures memory_model{};
  memory_model.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES;
  memory_model.vulkanMemoryModel = matrices.cooperativeMatrix;
  memory_model.pNext = &matrices;
  VkPhysicalDeviceShaderFloat16Int8Features float16{};
  float16.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES;
  float16.shaderFloat16 = matrices.cooperativeMatrix;
  float16.pNext = &memory_model;
  if (matrices.cooperativeMatrix != VK_FALSE) {
    matrices.pNext = storage16.pNext;
    storage16.pNext = &float16;
    extensions[info.enabledExtensionCount++] = VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME;
    extensions[info.enabledExtensionCount++] = VK_KHR_VULKAN_MEMORY_MODEL_EXTENSION_NAME;
    extensions[info.enabledExtensionCount++] = VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME;
  }
  VkDevice handle = VK_NULL_HANDLE;
  ARENITE_VK_TRY(device.instance.fn.create_device(physical, &info, nullptr, &handle));
  const Status loaded = load_device_functions(device.instance, handle, device.fn);
  if (!loaded.ok()) {
    if (device.fn.destroy_device != nullptr) {
      device.fn.destroy_device(handle, nullptr);
    }
    return loaded;
  }
  device.handle = handle;
  device.fn.get_device_queue(handle, device.info.queue_family, 0, &device.queue);
  return ok_status();
}

Status make_layouts(Device& device) {
  for (uint32_t i = 0; i < kSetLayouts; ++i) {
    const SetLayout layout_of_set = set_layout(i);
    VkDescriptorSetLayoutBinding bindings[kMaxBindings] = {};
    for (uint32_t b = 0; b < layout_of_set.bindings(); ++b) {
      bindings[b].binding = b;
      bindings[b].descriptorType = layout_of_set.type(b);
      bindings[b].descriptorCount = 1;
      bindings[b].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    }
    VkDescriptorSetLayoutCreateInfo set{};
    set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    set.bindingCount = layout_of_set.bindings();
    set.pBindings = static_cast<VkDescriptorSetLayoutBinding*>(bindings);
    ARENITE_VK_TRY(device.fn.create_descriptor_set_layout(device.handle, &set, nullptr,
                                                          &device.set_layouts[i]));
    const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                   kMaxPushWords * sizeof(uint32_t)};
    VkPipelineLayoutCreateInfo layout{};
    layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layout.setLayoutCount = 1;
    layout.pSetLayouts = &device.set_layouts[i];
    layout.pushConstantRangeCount = 1;
    layout.pPushConstantRanges = &push;
    ARENITE_VK_TRY(device.fn.create_pipeline_layout(device.handle, &layout, nullptr,
                                                    &device.pipeline_layouts[i]));
  }
  return ok_status();
}

// Software devices and integrated GPUs, where all memory that the device calls its own is the
// CPU's too. A discrete GPU's window into its memory does not count: it is slow to read.
bool has_unified_memory(const Device& device) {
  if (device.info.type != VK_PHYSICAL_DEVICE_TYPE_CPU &&
      device.info.type != VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU) {
    return false;
  }
  const VkMemoryPropertyFlags shared = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT |
                                       VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                       VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  for (uint32_t i = 0; i < device.memory.memoryTypeCount; ++i) {
    if ((device.memory.memoryTypes[i].propertyFlags & shared) == shared) {
      return true;
    }
  }
  return false;
}

// A resizable BAR: the CPU writes straight into memory of the device's own, as fast as the bus is,
// and there is as much of it as of any. Reading through it takes many times longer.
bool has_window(const Device& device) {
  const VkMemoryPropertyFlags seen = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT |
                                     VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                     VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  uint64_t own = 0;
  uint64_t visible = 0;
  for (uint32_t i = 0; i < device.memory.memoryTypeCount; ++i) {
    const VkMemoryType& type = device.memory.memoryTypes[i];
    const uint64_t bytes = device.memory.memoryHeaps[type.heapIndex].size;
    if ((type.propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0) {
      own = std::max(own, bytes);
    }
    if ((type.propertyFlags & seen) == seen) visible = std::max(visible, bytes);
  }
  return !device.unified && visible != 0 && visible >= own;
}

void impose(const Capabilities& limits, DeviceInfo& info) {
  for (uint32_t id = 0; id < kCapabilityCount; ++id) {
    info.capabilities.numbers[id] = std::min(info.capabilities.numbers[id], limits.numbers[id]);
  }
  const auto number = [&info](Capability id) {
    return info.capabilities.numbers[static_cast<uint32_t>(id)];
  };
  info.limits.maxStorageBufferRange = number(Capability::kStorageBufferBytes);
}

Status open_all(const DeviceOptions& options, Device& device) {
  ARENITE_TRY(open_instance(options.library, options.messages, device.instance));
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  ARENITE_TRY(choose_device(device.instance, options.device, physical, device.info));
  device.phases.tell(Phase::kInstance);
  if (options.limits != nullptr) impose(*options.limits, device.info);
  ARENITE_TRY(make_device(physical, device));
  device.instance.fn.get_physical_device_memory_properties(physical, &device.memory);
  device.unified = has_unified_memory(device);
  device.window = has_window(device);
  device.discrete = device.info.type == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  ARENITE_TRY(make_layouts(device));
  ARENITE_TRY(open_pipeline_cache(options.pipeline_cache, device));
  device.phases.tell(Phase::kDevice);
  return ok_status();
}

// vkQueueSubmit wants one caller at a time; the wait for the fence does not. Held for the length of
// one submission, which blocks on nothing.
class SubmitLock {
 public:
  explicit SubmitLock(std::atomic_flag& flag) : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) {
    }
  }
  SubmitLock(const SubmitLock&) = delete;
  SubmitLock& operator=(const SubmitLock&) = delete;
  ~SubmitLock() { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag& flag_;
};

// So long the CPU asks whether commands have finished before it sleeps until they have. What wakes
// it takes 22 us more on an H200, where a network of many layers runs for 300 us.
constexpr uint64_t kAskingMaxNs = uint64_t{2} * 1000 * 1000;

uint64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000 * 1000 * 1000 +
         static_cast<uint64_t>(now.tv_nsec);
}

// Others that want the CPU get it between two questions. A GPU that shares the CPU's power is not
// asked: what the CPU takes is what the GPU lacks. VK_NOT_READY: they have not finished yet.
VkResult ask_for_a_while(const Device& device, VkFence fence) {
  if (!device.discrete) return VK_NOT_READY;
  const uint64_t most = std::min(kAskingMaxNs, device.timeout_ns);
  const uint64_t begin = now_ns();
  for (;;) {
    const VkResult result = device.fn.get_fence_status(device.handle, fence);
    if (result != VK_NOT_READY || now_ns() - begin >= most) return result;
    sched_yield();
  }
}

}  // namespace

Device::~Device() { close_device(*this); }

Status open_device(const DeviceOptions& options, Device& device) {
  device.timeout_ns = options.timeout_ns;
  device.workers = options.workers;
  device.phases = options.phases;
  device.lost = false;
  const Status status = open_all(options, device);
  if (!status.ok()) {
    close_device(device);
  }
  return status;
}

void close_device(Device& device) {
  if (device.handle != VK_NULL_HANDLE) {
    device.fn.destroy_pipeline_cache(device.handle, device.cache, nullptr);
    for (uint32_t i = 0; i < kSetLayouts; ++i) {
      device.fn.destroy_pipeline_layout(device.handle, device.pipeline_layouts[i], nullptr);
      device.fn.destroy_descriptor_set_layout(device.handle, device.set_layouts[i], nullptr);
      device.pipeline_layouts[i] = VK_NULL_HANDLE;
      device.set_layouts[i] = VK_NULL_HANDLE;
    }
    device.fn.destroy_device(device.handle, nullptr);
    device.handle = VK_NULL_HANDLE;
    device.cache = VK_NULL_HANDLE;
    device.queue = VK_NULL_HANDLE;
  }
  close_instance(device.instance);
}

Status submit_and_wait(Device& device, std::span<const VkCommandBuffer> commands, VkFence fence) {
  if (device.lost) {
    return arenite::error(Code::kDeviceLost);
  }
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = static_cast<uint32_t>(commands.size());
  submit.pCommandBuffers = commands.data();
  Status status = to_status(device.fn.reset_fences(device.handle, 1, &fence));
  if (status.ok()) {
    const SubmitLock lock(device.submitting);
    status = to_status(device.fn.queue_submit(device.queue, 1, &submit, fence));
  }
  if (status.ok()) {
    // VK_TIMEOUT is no error to Vulkan, but it is neither VK_SUCCESS, so it becomes kDeviceError.
    VkResult result = ask_for_a_while(device, fence);
    if (result == VK_NOT_READY) {
      result = device.fn.wait_for_fences(device.handle, 1, &fence, VK_TRUE, device.timeout_ns);
    }
    status = to_status(result);
  }
  if (status.code == Code::kDeviceLost) {
    device.lost = true;
  }
  return status;
}

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
