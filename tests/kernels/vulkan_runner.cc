// Instance, device and one mapped buffer; pipelines are kept, descriptors are made anew each run.
#include "tests/kernels/vulkan_runner.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <set>
#include <stdexcept>

#include "kernels/dispatch/binding.h"
#include "kernels/dispatch/kin.h"
#include "kernels/dispatch/specialize.h"
#include "kernels/shader_table.h"
#include "tests/kernels/dispatch_rules.h"

namespace arenite::test {
namespace {

constexpr uint32_t kMaxSets = 8192;

template <typename T>
T structure(VkStructureType type) {
  T structure = {};
  structure.sType = type;
  return structure;
}

void must(VkResult result, const char* what) {
  if (result != VK_SUCCESS) {
    throw std::runtime_error(std::string(what) + " returned " + std::to_string(result));
  }
}

VKAPI_ATTR VkBool32 VKAPI_CALL keep_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                            VkDebugUtilsMessageTypeFlagsEXT,
                                            const VkDebugUtilsMessengerCallbackDataEXT* data,
                                            void* messages) {
  const std::string message = data->pMessage;
  // GPU-assisted validation says which device features it turns on for itself, and of what its own
  // checks make slow.
  constexpr const char* kOfItself[] = {"validation is adjusting settings",
                                       "This shader will be very slow to compile"};
  const bool of_itself =
      std::any_of(std::begin(kOfItself), std::end(kOfItself),
                  [&](const char* text) { return message.find(text) != std::string::npos; });
  if (!of_itself) {
    static_cast<std::vector<std::string>*>(messages)->push_back(message);
  }
  return VK_FALSE;
}

bool has_layer(const char* name) {
  uint32_t count = 0;
  must(vkEnumerateInstanceLayerProperties(&count, nullptr), "vkEnumerateInstanceLayerProperties");
  std::vector<VkLayerProperties> layers(count);
  must(vkEnumerateInstanceLayerProperties(&count, layers.data()),
       "vkEnumerateInstanceLayerProperties");
  return std::any_of(layers.begin(), layers.end(), [&](const VkLayerProperties& layer) {
    return std::strcmp(layer.layerName, name) == 0;
  });
}

// What a pipeline is made of.
std::vector<uint32_t> key_of(const Dispatch& dispatch) {
  std::vector<uint32_t> key = {static_cast<uint32_t>(dispatch.shader)};
  key.insert(key.end(), dispatch.spec, dispatch.spec + dispatch.spec_count);
  return key;
}

bool has_flag(const Dispatch& dispatch) {
  return std::count(dispatch.values, dispatch.values + dispatch.buffer_count, kFlagOperand) != 0;
}

// The bytes of a dispatch in the buffer behind the arena.
size_t bytes_behind(const Dispatch& dispatch) {
  return parameter_block_bytes(dispatch.parameter_count) +
         (has_flag(dispatch) ? kBufferAlignment : 0);
}

}  // namespace

std::unique_ptr<VulkanRunner> VulkanRunner::open(const std::string& name, std::string& why) {
  std::unique_ptr<VulkanRunner> runner(new VulkanRunner);
  if (!runner->create_instance(why) || !runner->choose_device(name, why)) return nullptr;
  runner->capabilities_ = runner->read_capabilities();
  runner->create_device();
  return runner;
}

VulkanRunner::~VulkanRunner() {
  if (device_ != VK_NULL_HANDLE) {
    vkDeviceWaitIdle(device_);
    for (auto& [key, pipeline] : pipelines_) vkDestroyPipeline(device_, pipeline, nullptr);
    for (auto& [shader, layouts] : layouts_) {
      vkDestroyShaderModule(device_, layouts.module, nullptr);
      vkDestroyPipelineLayout(device_, layouts.pipeline, nullptr);
      vkDestroyDescriptorSetLayout(device_, layouts.set, nullptr);
    }
    vkDestroyBuffer(device_, buffer_, nullptr);
    vkFreeMemory(device_, buffer_memory_, nullptr);
    vkDestroyFence(device_, fence_, nullptr);
    vkDestroyQueryPool(device_, queries_, nullptr);
    vkDestroyDescriptorPool(device_, descriptor_pool_, nullptr);
    vkDestroyCommandPool(device_, command_pool_, nullptr);
    vkDestroyDevice(device_, nullptr);
  }
  if (messenger_ != VK_NULL_HANDLE) {
    auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(instance_, "vkDestroyDebugUtilsMessengerEXT"));
    destroy(instance_, messenger_, nullptr);
  }
  if (instance_ != VK_NULL_HANDLE) vkDestroyInstance(instance_, nullptr);
}

bool VulkanRunner::create_instance(std::string& why) {
  auto application = structure<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
  application.apiVersion = VK_API_VERSION_1_1;
  const char* layer = "VK_LAYER_KHRONOS_validation";
  const char* extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                              VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  // The two kinds of validation are better not mixed.
  const bool gpu_assisted = std::getenv("ARENITE_TEST_GPU_ASSISTED") != nullptr;
  const VkValidationFeatureEnableEXT enables[] = {
      gpu_assisted ? VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT
                   : VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  auto features = structure<VkValidationFeaturesEXT>(VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT);
  features.enabledValidationFeatureCount = 1;
  features.pEnabledValidationFeatures = enables;
  auto messenger = structure<VkDebugUtilsMessengerCreateInfoEXT>(
      VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
  messenger.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                              VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                          VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  messenger.pfnUserCallback = keep_message;
  messenger.pUserData = &messages_;
  auto info = structure<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  info.pApplicationInfo = &application;
  validates_ = has_layer(layer);
  if (gpu_assisted && !validates_) {
    why = "GPU-assisted validation needs VK_LAYER_KHRONOS_validation";
    return false;
  }
  if (validates_) {
    info.pNext = &features;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &layer;
    info.enabledExtensionCount = 2;
    info.ppEnabledExtensionNames = extensions;
  }
  const VkResult result = vkCreateInstance(&info, nullptr, &instance_);
  if (result != VK_SUCCESS) {
    instance_ = VK_NULL_HANDLE;
    why = "vkCreateInstance returned " + std::to_string(result);
    return false;
  }
  if (validates_) {
    auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(instance_, "vkCreateDebugUtilsMessengerEXT"));
    must(create(instance_, &messenger, nullptr, &messenger_), "vkCreateDebugUtilsMessengerEXT");
  }
  return true;
}

bool VulkanRunner::choose_device(const std::string& name, std::string& why) {
  uint32_t count = 0;
  must(vkEnumeratePhysicalDevices(instance_, &count, nullptr), "vkEnumeratePhysicalDevices");
  std::vector<VkPhysicalDevice> devices(count);
  must(vkEnumeratePhysicalDevices(instance_, &count, devices.data()), "vkEnumeratePhysicalDevices");
  for (VkPhysicalDevice device : devices) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(device, &properties);
    const std::string found = properties.deviceName;
    const bool fits = name.empty() ? properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU
                                   : found.find(name) != std::string::npos;
    if (!fits) {
      why += (why.empty() ? "found only " : ", ") + found;
      continue;
    }
    physical_ = device;
    limits_ = properties.limits;
    vendor_id_ = properties.vendorID;
    is_software_ = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    device_name_ = found;
    vkGetPhysicalDeviceMemoryProperties(device, &memory_);
    return true;
  }
  if (why.empty()) why = "no Vulkan device";
  return false;
}

Capabilities VulkanRunner::read_capabilities() const {
  Capabilities device = plain_device(limits_.maxStorageBufferRange);
  auto subgroup = structure<VkPhysicalDeviceSubgroupProperties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
  auto properties =
      structure<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
  properties.pNext = &subgroup;
  vkGetPhysicalDeviceProperties2(physical_, &properties);
  const VkSubgroupFeatureFlags needed =
      VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
  if ((subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 &&
      (subgroup.supportedOperations & needed) == needed) {
    device.numbers[static_cast<uint32_t>(Capability::kSubgroupSize)] = subgroup.subgroupSize;
  }
  device.numbers[static_cast<uint32_t>(Capability::kIntegerDot)] = has_integer_dot() ? 1 : 0;
  device.numbers[static_cast<uint32_t>(Capability::kStorage16Bit)] =
      has_storage_of_halves() ? 1 : 0;
  device.numbers[static_cast<uint32_t>(Capability::kCooperativeMatrix)] =
      subgroup.subgroupSize == 32 && has_cooperative_matrices() ? 1 : 0;
  return device;
}

namespace {

// What a device says of one structure of features.
template <typename Features>
Features features_of(VkPhysicalDevice device, VkStructureType type) {
  auto asked = structure<Features>(type);
  auto features =
      structure<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  features.pNext = &asked;
  vkGetPhysicalDeviceFeatures2(device, &features);
  return asked;
}

}  // namespace

bool VulkanRunner::has_integer_dot() const {
  const auto dot = features_of<VkPhysicalDeviceShaderIntegerDotProductFeatures>(
      physical_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES);
  return dot.shaderIntegerDotProduct != VK_FALSE;
}

bool VulkanRunner::has_storage_of_halves() const {
  const auto storage = features_of<VkPhysicalDevice16BitStorageFeatures>(
      physical_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES);
  return storage.storageBuffer16BitAccess != VK_FALSE;
}

bool VulkanRunner::has_cooperative_matrices() const {
  const auto matrices = features_of<VkPhysicalDeviceCooperativeMatrixFeaturesNV>(
      physical_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_NV);
  const auto ask = reinterpret_cast<PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesNV>(
      vkGetInstanceProcAddr(instance_, "vkGetPhysicalDeviceCooperativeMatrixPropertiesNV"));
  if (matrices.cooperativeMatrix == VK_FALSE || ask == nullptr) return false;
  uint32_t count = 0;
  must(ask(physical_, &count, nullptr), "vkGetPhysicalDeviceCooperativeMatrixPropertiesNV");
  std::vector<VkCooperativeMatrixPropertiesNV> all(
      count, structure<VkCooperativeMatrixPropertiesNV>(
                 VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_NV));
  must(ask(physical_, &count, all.data()), "vkGetPhysicalDeviceCooperativeMatrixPropertiesNV");
  return std::any_of(all.begin(), all.end(), [](const VkCooperativeMatrixPropertiesNV& of) {
    return of.MSize == 16 && of.NSize == 16 && of.KSize == 16 &&
           of.AType == VK_COMPONENT_TYPE_FLOAT16_NV && of.BType == VK_COMPONENT_TYPE_FLOAT16_NV &&
           of.CType == VK_COMPONENT_TYPE_FLOAT32_NV && of.DType == VK_COMPONENT_TYPE_FLOAT32_NV;
  });
}

std::vector<Dispatch> VulkanRunner::with_kin(const std::vector<Dispatch>& dispatches) const {
  std::vector<Dispatch> run = dispatches;
  if (is_software_) return run;
  for (Dispatch& dispatch : run) {
    dispatch.shader =
        best_kin(dispatch.shader, {dispatch.spec, dispatch.spec_count}, capabilities_);
  }
  return run;
}

void VulkanRunner::create_device() {
  uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, families.data());
  uint32_t family = 0;
  while (family < count && (families[family].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) ++family;
  if (family == count) throw std::runtime_error("no queue family computes");
  const float priority = 1.0f;
  auto queue = structure<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueFamilyIndex = family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  auto info = structure<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  std::vector<const char*> extensions;
  auto dot = structure<VkPhysicalDeviceShaderIntegerDotProductFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES);
  dot.shaderIntegerDotProduct = VK_TRUE;
  if (has_integer_dot()) {
    info.pNext = &dot;
    extensions.push_back(VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME);
  }
  auto storage = structure<VkPhysicalDevice16BitStorageFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES);
  storage.storageBuffer16BitAccess = VK_TRUE;
  if (has_storage_of_halves()) {
    storage.pNext = const_cast<void*>(info.pNext);
    info.pNext = &storage;
  }
  auto matrices = structure<VkPhysicalDeviceCooperativeMatrixFeaturesNV>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_NV);
  auto memory_model = structure<VkPhysicalDeviceVulkanMemoryModelFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES);
  auto float16 = structure<VkPhysicalDeviceShaderFloat16Int8Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES);
  if (has_cooperative_matrices()) {
    matrices.cooperativeMatrix = memory_model.vulkanMemoryModel = float16.shaderFloat16 = VK_TRUE;
    matrices.pNext = &memory_model;
    memory_model.pNext = &float16;
    float16.pNext = const_cast<void*>(info.pNext);
    info.pNext = &matrices;
    extensions.insert(extensions.end(), {VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME,
                                         VK_KHR_VULKAN_MEMORY_MODEL_EXTENSION_NAME,
                                         VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME});
  }
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  must(vkCreateDevice(physical_, &info, nullptr, &device_), "vkCreateDevice");
  vkGetDeviceQueue(device_, family, 0, &queue_);

  auto pool = structure<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = family;
  must(vkCreateCommandPool(device_, &pool, nullptr, &command_pool_), "vkCreateCommandPool");
  auto allocate =
      structure<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  allocate.commandPool = command_pool_;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  must(vkAllocateCommandBuffers(device_, &allocate, &commands_), "vkAllocateCommandBuffers");
  const VkDescriptorPoolSize sizes[] = {
      {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kMaxSets * kMaxBuffers},
      {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, kMaxSets * (1 + kMaxUniforms)}};
  auto descriptors =
      structure<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
  descriptors.maxSets = kMaxSets;
  descriptors.poolSizeCount = 2;
  descriptors.pPoolSizes = sizes;
  must(vkCreateDescriptorPool(device_, &descriptors, nullptr, &descriptor_pool_),
       "vkCreateDescriptorPool");
  auto queries = structure<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
  queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
  queries.queryCount = 2;
  must(vkCreateQueryPool(device_, &queries, nullptr, &queries_), "vkCreateQueryPool");
  auto fence = structure<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
  must(vkCreateFence(device_, &fence, nullptr, &fence_), "vkCreateFence");
}

void VulkanRunner::grow_buffer(size_t bytes) {
  if (bytes <= buffer_bytes_) return;
  vkDestroyBuffer(device_, buffer_, nullptr);
  vkFreeMemory(device_, buffer_memory_, nullptr);
  auto info = structure<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = bytes;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
  must(vkCreateBuffer(device_, &info, nullptr, &buffer_), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device_, buffer_, &needs);
  // The device's own memory where the host can reach it, or timings are those of a bus.
  const VkMemoryPropertyFlags shared =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  uint32_t type = memory_.memoryTypeCount;
  for (VkMemoryPropertyFlags wanted : {shared | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, shared}) {
    for (uint32_t i = memory_.memoryTypeCount; i-- > 0;) {
      if (type == memory_.memoryTypeCount && (needs.memoryTypeBits >> i & 1u) != 0 &&
          (memory_.memoryTypes[i].propertyFlags & wanted) == wanted) {
        type = i;
      }
    }
  }
  if (type == memory_.memoryTypeCount) {
    throw std::runtime_error("no memory is shared with the host");
  }
  auto allocate = structure<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex = type;
  must(vkAllocateMemory(device_, &allocate, nullptr, &buffer_memory_), "vkAllocateMemory");
  must(vkBindBufferMemory(device_, buffer_, buffer_memory_, 0), "vkBindBufferMemory");
  void* mapped = nullptr;
  must(vkMapMemory(device_, buffer_memory_, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
  mapped_ = static_cast<std::byte*>(mapped);
  buffer_bytes_ = bytes;
}

size_t VulkanRunner::pipelines_to_build(const std::vector<Dispatch>& dispatches) const {
  std::set<std::vector<uint32_t>> keys;
  for (const Dispatch& dispatch : with_kin(dispatches)) keys.insert(key_of(dispatch));
  std::erase_if(keys, [&](const auto& key) { return pipelines_.contains(key); });
  return keys.size();
}

VkShaderModule VulkanRunner::make_module(std::span<const uint32_t> words) const {
  auto info = structure<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  info.codeSize = words.size_bytes();
  info.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  must(vkCreateShaderModule(device_, &info, nullptr, &module), "vkCreateShaderModule");
  return module;
}

VkPipeline VulkanRunner::pipeline(const Dispatch& dispatch) {
  const auto shader = static_cast<uint32_t>(dispatch.shader);
  VkPipeline& pipeline = pipelines_[key_of(dispatch)];
  if (pipeline != VK_NULL_HANDLE) return pipeline;

  const ShaderCode& code = all_shaders()[shader];
  Layouts& layouts = layouts_[shader];
  if (layouts.set == VK_NULL_HANDLE) {
    const uint32_t count = code.buffers + (code.parameter_words != 0 ? 1 : 0) + code.uniforms;
    std::vector<VkDescriptorSetLayoutBinding> bindings(count);
    for (uint32_t i = 0; i < count; ++i) {
      const VkDescriptorType type =
          i < code.buffers ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
      bindings[i] = {i, type, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
    }
    auto set = structure<VkDescriptorSetLayoutCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    set.bindingCount = count;
    set.pBindings = bindings.data();
    must(vkCreateDescriptorSetLayout(device_, &set, nullptr, &layouts.set),
         "vkCreateDescriptorSetLayout");
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, code.push_words * 4};
    auto layout =
        structure<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    layout.setLayoutCount = 1;
    layout.pSetLayouts = &layouts.set;
    layout.pushConstantRangeCount = code.push_words == 0 ? 0 : 1;
    layout.pPushConstantRanges = &range;
    must(vkCreatePipelineLayout(device_, &layout, nullptr, &layouts.pipeline),
         "vkCreatePipelineLayout");
  }
  std::vector<uint32_t> words(code.words, code.words + code.word_count);
  // One module for each pipeline, where the runtime makes it so.
  VkShaderModule own_module = VK_NULL_HANDLE;
  if (!drops_dead_code(vendor_id_)) {
    words.resize(write_specialized({code.words, code.word_count},
                                   {dispatch.spec, dispatch.spec_count}, words.data()));
    own_module = make_module(words);
  } else if (layouts.module == VK_NULL_HANDLE) {
    layouts.module = make_module(words);
  }
  std::vector<VkSpecializationMapEntry> entries(dispatch.spec_count);
  for (uint32_t i = 0; i < dispatch.spec_count; ++i) entries[i] = {i, i * 4, 4};
  VkSpecializationInfo spec = {dispatch.spec_count, entries.data(), dispatch.spec_count * 4,
                               dispatch.spec};
  auto info =
      structure<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = own_module != VK_NULL_HANDLE ? own_module : layouts.module;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &spec;
  info.layout = layouts.pipeline;
  must(vkCreateComputePipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
       "vkCreateComputePipelines");
  vkDestroyShaderModule(device_, own_module, nullptr);
  return pipeline;
}

VkDescriptorBufferInfo VulkanRunner::range_of(const Bindings& bindings, uint32_t operand) const {
  const uint32_t offset = storage_offset(bindings, operand);
  const uint32_t start = offset / kBufferAlignment * kBufferAlignment;
  // Whole words, of which the last may be partly another value's.
  const uint32_t bytes = offset - start + tensor_of(bindings, operand).bytes();
  return {buffer_, start, (bytes + 3) / 4 * 4};
}

void VulkanRunner::record(const Bindings& bindings, const std::vector<Dispatch>& dispatches,
                          size_t behind) {
  for (const Dispatch& dispatch : dispatches) {
    if (dispatch.barrier_before) {
      const VkMemoryBarrier barrier = {
          VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_SHADER_WRITE_BIT,
          VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_UNIFORM_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
      vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                           VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0,
                           nullptr);
    }
    vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline(dispatch));
    const Layouts& layouts = layouts_[static_cast<uint32_t>(dispatch.shader)];
    auto allocate =
        structure<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    allocate.descriptorPool = descriptor_pool_;
    allocate.descriptorSetCount = 1;
    allocate.pSetLayouts = &layouts.set;
    VkDescriptorSet set = VK_NULL_HANDLE;
    must(vkAllocateDescriptorSets(device_, &allocate, &set), "vkAllocateDescriptorSets");
    VkDescriptorBufferInfo ranges[kMaxBuffers + 1 + kMaxUniforms];
    VkWriteDescriptorSet writes[kMaxBuffers + 1 + kMaxUniforms];
    const size_t parameters_at = behind;
    const size_t flag_at = parameters_at + parameter_block_bytes(dispatch.parameter_count);
    behind += bytes_behind(dispatch);
    for (uint32_t i = 0; i < dispatch.buffer_count; ++i) {
      if (dispatch.values[i] == kFlagOperand) {
        ranges[i] = {buffer_, flag_at, 4};
      } else {
        ranges[i] = range_of(bindings, dispatch.values[i]);
      }
      writes[i] = structure<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
      writes[i].dstSet = set;
      writes[i].dstBinding = i;
      writes[i].descriptorCount = 1;
      writes[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
      writes[i].pBufferInfo = &ranges[i];
    }
    uint32_t bindings_made = dispatch.buffer_count;
    const auto add_uniform = [&](const VkDescriptorBufferInfo& range) {
      ranges[bindings_made] = range;
      VkWriteDescriptorSet& write = writes[bindings_made];
      write = structure<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
      write.dstSet = set;
      write.dstBinding = bindings_made;
      write.descriptorCount = 1;
      write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
      write.pBufferInfo = &ranges[bindings_made];
      ++bindings_made;
    };
    if (dispatch.parameter_count != 0) {
      const uint32_t bytes = dispatch.parameter_count * 4;
      std::memcpy(mapped_ + parameters_at, dispatch.parameters, bytes);
      add_uniform({buffer_, parameters_at, bytes});
    }
    for (uint32_t i = 0; i < dispatch.uniform_count; ++i) {
      VkDescriptorBufferInfo range = range_of(bindings, dispatch.values[dispatch.buffer_count + i]);
      range.range = uniform_range(range.range);
      add_uniform(range);
    }
    vkUpdateDescriptorSets(device_, bindings_made, writes, 0, nullptr);
    vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, layouts.pipeline, 0, 1, &set,
                            0, nullptr);
    if (dispatch.push_count != 0) {
      vkCmdPushConstants(commands_, layouts.pipeline, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                         dispatch.push_count * 4, dispatch.push);
    }
    vkCmdDispatch(commands_, dispatch.groups[0], dispatch.groups[1], dispatch.groups[2]);
  }
}

bool VulkanRunner::run(const Bindings& bindings, const std::vector<Dispatch>& planned,
                       std::span<std::byte> arena) {
  const std::vector<Dispatch> dispatches = with_kin(planned);
  const size_t parameters_at =
      (arena.size() + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
  size_t bytes = parameters_at;
  for (const Dispatch& dispatch : dispatches) {
    bytes += bytes_behind(dispatch);
  }
  grow_buffer(bytes);
  std::memset(mapped_ + parameters_at, 0, bytes - parameters_at);
  std::memcpy(mapped_, arena.data(), arena.size());
  must(vkResetDescriptorPool(device_, descriptor_pool_, 0), "vkResetDescriptorPool");
  auto begin = structure<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  must(vkBeginCommandBuffer(commands_, &begin), "vkBeginCommandBuffer");
  vkCmdResetQueryPool(commands_, queries_, 0, 2);
  vkCmdWriteTimestamp(commands_, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries_, 0);
  record(bindings, dispatches, parameters_at);
  vkCmdWriteTimestamp(commands_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, 1);
  const VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr,
                                   VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_HOST_READ_BIT};
  vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                       0, 1, &barrier, 0, nullptr, 0, nullptr);
  must(vkEndCommandBuffer(commands_), "vkEndCommandBuffer");
  submit();
  std::memcpy(arena.data(), mapped_, arena.size());
  bool found = false;
  size_t at = parameters_at;
  for (const Dispatch& dispatch : dispatches) {
    uint32_t flag = 0;
    if (has_flag(dispatch)) {
      std::memcpy(&flag, mapped_ + at + parameter_block_bytes(dispatch.parameter_count), 4);
    }
    found = found || flag != 0;
    at += bytes_behind(dispatch);
  }
  return found;
}

void VulkanRunner::submit() {
  auto info = structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands_;
  must(vkQueueSubmit(queue_, 1, &info, fence_), "vkQueueSubmit");
  must(vkWaitForFences(device_, 1, &fence_, VK_TRUE, UINT64_MAX), "vkWaitForFences");
  must(vkResetFences(device_, 1, &fence_), "vkResetFences");
  uint64_t ticks[2] = {};
  must(vkGetQueryPoolResults(device_, queries_, 0, 2, sizeof(ticks), ticks, sizeof(ticks[0]),
                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
       "vkGetQueryPoolResults");
  last_ms_ =
      static_cast<double>(ticks[1] - ticks[0]) * static_cast<double>(limits_.timestampPeriod) / 1e6;
}

double VulkanRunner::repeat(uint32_t count) {
  double best = last_ms_;
  for (uint32_t i = 0; i < count; ++i) {
    submit();
    best = std::min(best, last_ms_);
  }
  return best;
}

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
