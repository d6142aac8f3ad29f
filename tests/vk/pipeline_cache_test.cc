// The pipeline cache goes out, comes back, and its gain is printed.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "tests/vk/programs.h"
#include "tests/vk/vulkan_machine.h"

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

TEST(PipelineCache, OfAClosedDevice) {
  const vk::Device device;
  size_t bytes = 1;
  EXPECT_EQ(vk::pipeline_cache_data(device, {}, bytes).code, Code::kNotLoaded);
  EXPECT_EQ(bytes, 0u);
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
