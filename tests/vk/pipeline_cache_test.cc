// The pipeline cache goes out, comes back, and its gain is printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "tests/vk/programs.h"
#include "tests/vk/vulkan_machine.h"
#include "vk/pipeline_cache.h"

namespace arenite::tests {
namespace {

// Opens a device with `cache`, loads and runs the programs; returns the cache it leaves, and the
// milliseconds that loading took.
std::vector<std::byte> load_with(std::span<const std::byte> cache, double& milliseconds) {
  Watch watch;
  std::vector<std::byte> data;
  {
    vk::Device device;
    vk::DeviceOptions options;
    const std::string name = test_device_name();
    options.device = name;
    options.messages = &watch.messages;
    options.pipeline_cache = cache;
    EXPECT_TRUE(vk::open_device(options, device).ok());
    Loaded product(product_tables(16), &device);
    Loaded chain(chain_tables(), &device);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(product.load().code, Code::kOk);
    EXPECT_EQ(chain.load().code, Code::kOk);
    const auto end = std::chrono::steady_clock::now();
    milliseconds = std::chrono::duration<double, std::milli>(end - start).count();
    EXPECT_EQ(chain.run({sample_input()}), chain_output());
    size_t bytes = 0;
    EXPECT_TRUE(vk::pipeline_cache_data(device, {}, bytes).ok());
    EXPECT_GE(bytes, 32u);  // Vulkan's own header, at least
    data.resize(bytes - 1);
    EXPECT_EQ(vk::pipeline_cache_data(device, data, bytes).code, Code::kArenaTooSmall);
    data.resize(bytes);
    EXPECT_TRUE(vk::pipeline_cache_data(device, data, bytes).ok());
    data.resize(bytes);
  }
  EXPECT_EQ(watch.count(), 0u);
  return data;
}

TEST(PipelineCache, GoesOutAndComesBack) {
  double cold = 0;
  double fed_back = 0;
  const std::vector<std::byte> cache = load_with({}, cold);
  load_with(cache, fed_back);
  std::printf("pipeline cache: %zu bytes, loading cold %.2f ms, fed back %.2f ms\n", cache.size(),
              cold, fed_back);
}

// A driver of its own, which keeps what it is given, or does not, and grows as the test says.
struct FakeDriver {
  bool keeps = true;
  bool refuses = false;
  size_t bytes = 0;  // of the cache there is now
  uint32_t caches = 0;
};
FakeDriver driver;
constexpr size_t kEmptyBytes = sizeof(VkPipelineCacheHeaderVersionOne) + 8;

VkResult VKAPI_CALL create_cache(VkDevice, const VkPipelineCacheCreateInfo* info,
                                 const VkAllocationCallbacks*, VkPipelineCache* cache) {
  if (driver.refuses && info->initialDataSize != 0) return VK_ERROR_INITIALIZATION_FAILED;
  ++driver.caches;
  driver.bytes = driver.keeps ? std::max(info->initialDataSize, kEmptyBytes) : kEmptyBytes;
  *cache = reinterpret_cast<VkPipelineCache>(&driver);
  return VK_SUCCESS;
}

void VKAPI_CALL destroy_cache(VkDevice, VkPipelineCache, const VkAllocationCallbacks*) {
  --driver.caches;
}

VkResult VKAPI_CALL cache_data(VkDevice, VkPipelineCache, size_t* bytes, void* data) {
  if (data != nullptr) return VK_INCOMPLETE;
  *bytes = driver.bytes;
  return VK_SUCCESS;
}

class FakeCache : public testing::Test {
 protected:
  FakeCache() {
    driver = {};
    device.handle = reinterpret_cast<VkDevice>(&driver);
    device.fn.create_pipeline_cache = create_cache;
    device.fn.destroy_pipeline_cache = destroy_cache;
    device.fn.get_pipeline_cache_data = cache_data;
    device.info.vendor_id = 7;
    device.info.device_id = 8;
    device.info.cache_uuid[3] = 9;
    header.headerSize = sizeof header;
    header.headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE;
    header.vendorID = 7;
    header.deviceID = 8;
    header.pipelineCacheUUID[3] = 9;
  }
  ~FakeCache() override { device.handle = VK_NULL_HANDLE; }

  // The share used of data with this header, when the driver then has `grown` bytes more.
  vk::CacheUse use(size_t grown = 0) {
    std::vector<std::byte> data(200);
    std::memcpy(data.data(), &header, sizeof header);
    EXPECT_EQ(vk::open_pipeline_cache(data, device).code, Code::kOk);
    EXPECT_EQ(driver.caches, 1u);
    driver.caches = 0;
    driver.bytes += grown;
    return vk::pipeline_cache_use(device);
  }

  vk::Device device;
  VkPipelineCacheHeaderVersionOne header = {};
};

TEST_F(FakeCache, IsWarmWhenTheDriverTookItAndAddsNothing) {
  EXPECT_EQ(use(), vk::CacheUse::kWarm);
  EXPECT_EQ(use(40), vk::CacheUse::kPartly);
}

TEST_F(FakeCache, IsColdWhenTheDriverIgnoresIt) {
  driver.keeps = false;
  EXPECT_EQ(use(), vk::CacheUse::kCold);
  EXPECT_EQ(use(40), vk::CacheUse::kCold);
  driver = {.refuses = true};
  EXPECT_EQ(use(40), vk::CacheUse::kCold);
}

TEST_F(FakeCache, OfAnotherDeviceOrDriverNeverReachesTheDriver) {
  const VkPipelineCacheHeaderVersionOne good = header;
  header.vendorID = 6;
  EXPECT_EQ(use(), vk::CacheUse::kCold);
  header = good;
  header.deviceID = 6;
  EXPECT_EQ(use(), vk::CacheUse::kCold);
  header = good;
  header.pipelineCacheUUID[15] = 1;
  EXPECT_EQ(use(), vk::CacheUse::kCold);
  header = good;
  header.headerSize = 0;
  EXPECT_EQ(use(), vk::CacheUse::kCold);
  header.headerSize = 201;
  EXPECT_EQ(use(), vk::CacheUse::kCold);
  header = good;
  EXPECT_EQ(use(), vk::CacheUse::kWarm);
  for (const size_t bytes : {size_t{0}, size_t{1}, sizeof good - 1}) {
    EXPECT_EQ(vk::open_pipeline_cache(std::vector<std::byte>(bytes), device).code, Code::kOk);
    EXPECT_EQ(vk::pipeline_cache_use(device), vk::CacheUse::kCold);
  }
}

TEST(PipelineCache, OfAClosedDevice) {
  const vk::Device device;
  size_t bytes = 1;
  EXPECT_EQ(vk::pipeline_cache_data(device, {}, bytes).code, Code::kNotLoaded);
  EXPECT_EQ(bytes, 0u);
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
