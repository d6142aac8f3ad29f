// Times the tilings of product.comp (compile.py) on a Vulkan device with cooperative matrices: what
// a product of so many rows, columns and k can reach there. Rows come fastest first.
//   bench_gpu_products FOLDER SIZE
#include <fmt/format.h>
#include <vulkan/vulkan.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr uint32_t kRuns = 20;      // of a kernel between two timestamps
constexpr uint32_t kRepeats = 5;    // of which the least counts
constexpr uint32_t kMatrices = 3;   // a, b and y
constexpr uint32_t kChecked = 100;  // results that are computed here, too

void must(VkResult result, const char* what) {
  if (result != VK_SUCCESS) {
    throw std::runtime_error(fmt::format("{} returned {}", what, static_cast<int>(result)));
  }
}

template <typename T>
T structure(VkStructureType type) {
  T structure = {};
  structure.sType = type;
  return structure;
}

// A number from -2 to 2 in 16 bits, and what it is.
uint16_t random_half(std::mt19937& random) {
  const auto bits = static_cast<uint32_t>(random());
  return static_cast<uint16_t>((bits & 0x83ffu) | (12 + (bits >> 16 & 3u)) << 10);
}
double number_of(uint16_t half) {
  const double magnitude =
      (half & 0x7c00u) == 0 ? 0 : std::ldexp(1024 + (half & 0x3ffu), (half >> 10 & 31) - 25);
  return (half & 0x8000u) != 0 ? -magnitude : magnitude;
}

// Objects live as long as the process.
class Products {
 public:
  explicit Products(uint32_t size) : size_(size), bytes_(VkDeviceSize{size} * size * 2) {
    open();
    make_buffers();
    make_layouts();
  }

  // Microseconds of a product by the kernel in a file of SPIR-V, of tiles of so many rows and
  // columns.
  double time(const std::filesystem::path& file, uint32_t rows, uint32_t columns) {
    std::ifstream in(file, std::ios::binary);
    const std::string code((std::istreambuf_iterator<char>(in)), {});
    auto module_info =
        structure<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    module_info.codeSize = code.size();
    module_info.pCode = reinterpret_cast<const uint32_t*>(code.data());
    VkShaderModule module = VK_NULL_HANDLE;
    must(vkCreateShaderModule(device_, &module_info, nullptr, &module), "vkCreateShaderModule");
    auto info =
        structure<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = "main";
    info.layout = layout_;
    VkPipeline pipeline = VK_NULL_HANDLE;
    must(vkCreateComputePipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
         "vkCreateComputePipelines");
    double least = INFINITY;
    for (uint32_t i = 0; i < kRepeats; ++i) least = std::min(least, run(pipeline, rows, columns));
    vkDestroyPipeline(device_, pipeline, nullptr);
    vkDestroyShaderModule(device_, module, nullptr);
    return least;
  }

  // The greatest difference of some results of the last run from exact ones, relative to the root
  // of k.
  double difference() {
    double worst = 0;
    for (uint32_t i = 0; i < kChecked; ++i) {
      const size_t row = random_() % size_, column = random_() % size_;
      double sum = 0;
      for (uint32_t k = 0; k < size_; ++k) {
        sum += number_of(a_[row * size_ + k]) * number_of(b_[size_t{k} * size_ + column]);
      }
      worst = std::max(worst, std::abs(sum - number_of(mapped_[row * size_ + column])));
    }
    return worst / std::sqrt(size_);
  }

 private:
  void open() {
    auto application = structure<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.apiVersion = VK_API_VERSION_1_2;
    auto instance_info = structure<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    instance_info.pApplicationInfo = &application;
    VkInstance instance = VK_NULL_HANDLE;
    must(vkCreateInstance(&instance_info, nullptr, &instance), "vkCreateInstance");
    uint32_t count = 1;
    const VkResult found = vkEnumeratePhysicalDevices(instance, &count, &physical_);
    if (found < 0 || count == 0) throw std::runtime_error("no Vulkan device");
    auto matrices = structure<VkPhysicalDeviceCooperativeMatrixFeaturesNV>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_NV);
    matrices.cooperativeMatrix = VK_TRUE;
    auto of_1_2 = structure<VkPhysicalDeviceVulkan12Features>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    of_1_2.shaderFloat16 = of_1_2.vulkanMemoryModel = VK_TRUE;
    of_1_2.pNext = &matrices;
    auto of_1_1 = structure<VkPhysicalDeviceVulkan11Features>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
    of_1_1.storageBuffer16BitAccess = VK_TRUE;
    of_1_1.pNext = &of_1_2;
    const float priority = 1;
    auto queue_info =
        structure<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queue_info.queueCount = 1;
    queue_info.pQueuePriorities = &priority;
    const char* const extension = VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME;
    auto info = structure<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.pNext = &of_1_1;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue_info;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension;
    must(vkCreateDevice(physical_, &info, nullptr, &device_), "vkCreateDevice");
    vkGetDeviceQueue(device_, 0, 0, &queue_);
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(physical_, &properties);
    ns_each_tick_ = properties.limits.timestampPeriod;
    auto pool_info = structure<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    VkCommandPool pool = VK_NULL_HANDLE;
    must(vkCreateCommandPool(device_, &pool_info, nullptr, &pool), "vkCreateCommandPool");
    auto commands_info =
        structure<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    commands_info.commandPool = pool;
    commands_info.commandBufferCount = 1;
    must(vkAllocateCommandBuffers(device_, &commands_info, &commands_), "vkAllocateCommandBuffers");
    auto query_info = structure<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    query_info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    query_info.queryCount = 2;
    must(vkCreateQueryPool(device_, &query_info, nullptr, &queries_), "vkCreateQueryPool");
  }

  VkBuffer make_buffer(VkMemoryPropertyFlags wanted, VkDeviceMemory& memory) {
    auto info = structure<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = bytes_;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VkBuffer buffer = VK_NULL_HANDLE;
    must(vkCreateBuffer(device_, &info, nullptr, &buffer), "vkCreateBuffer");
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device_, buffer, &needs);
    VkPhysicalDeviceMemoryProperties there;
    vkGetPhysicalDeviceMemoryProperties(physical_, &there);
    auto allocation = structure<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    allocation.allocationSize = needs.size;
    while ((needs.memoryTypeBits >> allocation.memoryTypeIndex & 1u) == 0 ||
           (there.memoryTypes[allocation.memoryTypeIndex].propertyFlags & wanted) != wanted) {
      if (++allocation.memoryTypeIndex == there.memoryTypeCount)
        throw std::runtime_error("no memory");
    }
    must(vkAllocateMemory(device_, &allocation, nullptr, &memory), "vkAllocateMemory");
    must(vkBindBufferMemory(device_, buffer, memory, 0), "vkBindBufferMemory");
    return buffer;
  }

  void make_buffers() {
    VkDeviceMemory memory = VK_NULL_HANDLE;
    for (VkBuffer& buffer : buffers_)
      buffer = make_buffer(VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, memory);
    staging_ = make_buffer(
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, memory);
    void* mapped = nullptr;
    must(vkMapMemory(device_, memory, 0, bytes_, 0, &mapped), "vkMapMemory");
    mapped_ = static_cast<uint16_t*>(mapped);
    std::vector<uint16_t>* const numbers[] = {&a_, &b_};
    for (uint32_t i = 0; i < 2; ++i) {
      numbers[i]->resize(size_t{size_} * size_);
      for (uint16_t& number : *numbers[i]) number = random_half(random_);
      std::copy(numbers[i]->begin(), numbers[i]->end(), mapped_);
      begin();
      copy(staging_, buffers_[i]);
      submit();
    }
  }

  void make_layouts() {
    VkDescriptorSetLayoutBinding bindings[kMatrices];
    for (uint32_t i = 0; i < kMatrices; ++i) {
      bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
    }
    auto set_info = structure<VkDescriptorSetLayoutCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    set_info.bindingCount = kMatrices;
    set_info.pBindings = bindings;
    VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
    must(vkCreateDescriptorSetLayout(device_, &set_info, nullptr, &set_layout),
         "vkCreateDescriptorSetLayout");
    const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(size_)};
    auto info =
        structure<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    info.setLayoutCount = 1;
    info.pSetLayouts = &set_layout;
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &push;
    must(vkCreatePipelineLayout(device_, &info, nullptr, &layout_), "vkCreatePipelineLayout");
    const VkDescriptorPoolSize pool_size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kMatrices};
    auto pool_info =
        structure<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    pool_info.maxSets = 1;
    pool_info.poolSizeCount = 1;
    pool_info.pPoolSizes = &pool_size;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    must(vkCreateDescriptorPool(device_, &pool_info, nullptr, &pool), "vkCreateDescriptorPool");
    auto allocation =
        structure<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    allocation.descriptorPool = pool;
    allocation.descriptorSetCount = 1;
    allocation.pSetLayouts = &set_layout;
    must(vkAllocateDescriptorSets(device_, &allocation, &set_), "vkAllocateDescriptorSets");
    for (uint32_t i = 0; i < kMatrices; ++i) {
      const VkDescriptorBufferInfo range = {buffers_[i], 0, bytes_};
      auto write = structure<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
      write.dstSet = set_;
      write.dstBinding = i;
      write.descriptorCount = 1;
      write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
      write.pBufferInfo = &range;
      vkUpdateDescriptorSets(device_, 1, &write, 0, nullptr);
    }
  }

  void begin() {
    auto info = structure<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    must(vkBeginCommandBuffer(commands_, &info), "vkBeginCommandBuffer");
  }
  void copy(VkBuffer from, VkBuffer to) {
    const VkBufferCopy all = {0, 0, bytes_};
    vkCmdCopyBuffer(commands_, from, to, 1, &all);
  }
  void wait_for_kernel() {
    auto barrier = structure<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT;
    vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                         1, &barrier, 0, nullptr, 0, nullptr);
  }
  void submit() {
    must(vkEndCommandBuffer(commands_), "vkEndCommandBuffer");
    auto info = structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands_;
    must(vkQueueSubmit(queue_, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
    must(vkQueueWaitIdle(queue_), "vkQueueWaitIdle");
  }

  double run(VkPipeline pipeline, uint32_t rows, uint32_t columns) {
    begin();
    vkCmdResetQueryPool(commands_, queries_, 0, 2);
    vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0,
                            nullptr);
    vkCmdPushConstants(commands_, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(size_), &size_);
    vkCmdWriteTimestamp(commands_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, 0);
    for (uint32_t i = 0; i < kRuns; ++i) {
      vkCmdDispatch(commands_, size_ / columns, size_ / rows, 1);
      wait_for_kernel();
    }
    vkCmdWriteTimestamp(commands_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, 1);
    copy(buffers_[2], staging_);
    submit();
    uint64_t ticks[2] = {};
    must(vkGetQueryPoolResults(device_, queries_, 0, 2, sizeof(ticks), ticks, sizeof(ticks[0]),
                               VK_QUERY_RESULT_64_BIT),
         "vkGetQueryPoolResults");
    return static_cast<double>(ticks[1] - ticks[0]) * ns_each_tick_ / 1e3 / kRuns;
  }

  uint32_t size_;
  VkDeviceSize bytes_;
  std::mt19937 random_{1234};
  std::vector<uint16_t> a_, b_;
  uint16_t* mapped_ = nullptr;  // the last results
  double ns_each_tick_ = 0;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  VkQueryPool queries_ = VK_NULL_HANDLE;
  std::array<VkBuffer, kMatrices> buffers_ = {};
  VkBuffer staging_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
};

struct Row {
  std::string tiling;
  double us, difference;
};

int search(const std::filesystem::path& folder, uint32_t size) {
  Products products(size);
  std::vector<Row> rows;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    uint32_t down = 0, across = 0;
    const std::string name = entry.path().stem().string();
    if (std::sscanf(name.c_str(), "%ux%ux", &down, &across) != 2 || size % down != 0 ||
        size % across != 0) {
      continue;
    }
    const double us = products.time(entry.path(), down, across);
    rows.push_back({name, us, products.difference()});
  }
  std::ranges::sort(rows, {}, &Row::us);
  fmt::print("{:<20} {:>10} {:>10}   {}\n", "tiling", "us", "TFLOP/s", "difference / sqrt(k)");
  for (const Row& row : rows) {
    const double flops = 2.0 * size * size * size;
    fmt::print("{:<20} {:>10.1f} {:>10.1f}   {:.1e}\n", row.tiling, row.us, flops / row.us / 1e6,
               row.difference);
  }
  return rows.empty() ? 1 : 0;
}

}  // namespace

int main(int count, char** words) {
  uint32_t size = 0;
  if (count == 3) {
    const std::string text = words[2];
    std::from_chars(text.data(), text.data() + text.size(), size);
  }
  if (size == 0 || size % 64 != 0) {
    fmt::print(stderr, "usage: bench_gpu_products FOLDER SIZE, a multiple of 64\n");
    return 2;
  }
  try {
    return search(words[1], size);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_gpu_products: {}\n", error.what());
    return 1;
  }
}
// SPDX-License-Identifier: Apache-2.0
