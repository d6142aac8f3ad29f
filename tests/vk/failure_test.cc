// Lost devices, full memories, slow devices: a status, nothing left behind, the CPU still works.
#include <gtest/gtest.h>

#include "tests/vk/failing_calls.h"
#include "tests/vk/programs.h"
#include "tests/vk/vulkan_machine.h"
#include "tests/vk/watched_test.h"

namespace arenite::tests {
namespace {

class Failure : public WatchedTest {};

TEST_F(Failure, SimulatedLossAtAnySubmissionLeavesTheCpuVariant) {
  for (uint32_t n = 1; n <= 2; ++n) {
    Loaded loaded(sandwich_tables(), &watched.device);
    loaded.vulkan.lose_at_submission = n;
    ASSERT_EQ(loaded.load().code, Code::kOk);
    EXPECT_TRUE(loaded.run({sample_input()}).empty());
    EXPECT_EQ(loaded.status.code, Code::kDeviceLost);
    EXPECT_EQ(loaded.status.step, n == 1 ? 0u : 4u);
    EXPECT_TRUE(loaded.run({sample_input()}).empty());
    EXPECT_EQ(loaded.status.code, Code::kDeviceLost);  // and stays so
    loaded.status = {};
    ASSERT_EQ(loaded.load(1).code, Code::kOk);
    EXPECT_EQ(loaded.run({sample_input()}), sandwich_output());
  }
}

TEST_F(Failure, ADriverThatLosesTheDevice) {
  Loaded loaded(chain_tables(), &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  watched.device.fn.queue_submit = [](VkQueue, uint32_t, const VkSubmitInfo*, VkFence) {
    return VK_ERROR_DEVICE_LOST;
  };
  EXPECT_TRUE(loaded.run({sample_input()}).empty());
  EXPECT_EQ(loaded.status.code, Code::kDeviceLost);
  EXPECT_TRUE(watched.device.lost);
  // Every instance of the device learns of it.
  Loaded other(chain_tables(), &watched.device);
  EXPECT_EQ(other.load().code, Code::kDeviceLost);
}

TEST_F(Failure, ADriverThatSaysLaterThatTheDeviceIsLost) {
  watched.device.discrete = true;
  Loaded loaded(chain_tables(), &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  real = watched.device.fn;
  watched.device.fn.get_fence_status = [](VkDevice device, VkFence fence) {
    static_cast<void>(real.wait_for_fences(device, 1, &fence, VK_TRUE, UINT64_MAX));
    return VK_ERROR_DEVICE_LOST;
  };
  EXPECT_TRUE(loaded.run({sample_input()}).empty());
  EXPECT_EQ(loaded.status.code, Code::kDeviceLost);
  EXPECT_TRUE(watched.device.lost);
}

TEST_F(Failure, ADeviceThatTakesTooLong) {
  Loaded loaded(product_tables(384), &watched.device);
  ASSERT_EQ(loaded.load().code, Code::kOk);
  watched.device.timeout_ns = 1;
  EXPECT_TRUE(loaded.run({}).empty());
  EXPECT_EQ(loaded.status.code, Code::kDeviceError);
  EXPECT_EQ(loaded.status.value, static_cast<uint32_t>(VK_TIMEOUT));
  EXPECT_TRUE(loaded.run({}).empty());
  EXPECT_EQ(loaded.status.code, Code::kDeviceError);
  loaded.instance.unload();  // waits for what still runs
}

TEST_F(Failure, AnArenaLargerThanAnyMemory) {
  watched.device.fn.allocate_memory = [](VkDevice, const VkMemoryAllocateInfo*,
                                         const VkAllocationCallbacks*,
                                         VkDeviceMemory*) { return VK_ERROR_OUT_OF_DEVICE_MEMORY; };
  Loaded loaded(chain_tables(), &watched.device);
  EXPECT_EQ(loaded.load().code, Code::kDeviceMemory);
  EXPECT_EQ(loaded.status.value, 0u);  // the arena
}

TEST_F(Failure, OfAnyCallThatMakesSomethingGivesAllBack) {
  watched.device.unified = false;  // the longer way, with staging
  real = watched.device.fn;
  vk::DeviceFunctions& fn = watched.device.fn;
  using Table = vk::DeviceFunctions;
  fn.allocate_command_buffers = Failing<&Table::allocate_command_buffers>::call;
  fn.allocate_descriptor_sets = Failing<&Table::allocate_descriptor_sets>::call;
  fn.allocate_memory = Failing<&Table::allocate_memory>::call;
  fn.begin_command_buffer = Failing<&Table::begin_command_buffer>::call;
  fn.bind_buffer_memory = Failing<&Table::bind_buffer_memory>::call;
  fn.create_buffer = Failing<&Table::create_buffer>::call;
  fn.create_command_pool = Failing<&Table::create_command_pool>::call;
  fn.create_compute_pipelines = Failing<&Table::create_compute_pipelines>::call;
  fn.create_descriptor_pool = Failing<&Table::create_descriptor_pool>::call;
  fn.create_fence = Failing<&Table::create_fence>::call;
  fn.create_shader_module = Failing<&Table::create_shader_module>::call;
  fn.map_memory = Failing<&Table::map_memory>::call;
  uint32_t failures = 0;
  for (fail_at = 1;; ++fail_at) {
    calls = 0;
    Loaded loaded(chain_tables(), &watched.device);
    if (loaded.load().ok()) {
      EXPECT_EQ(loaded.run({sample_input()}), chain_output());
      break;
    }
    EXPECT_EQ(loaded.status.code, Code::kDeviceError) << "call " << fail_at;
    ++failures;
  }
  EXPECT_GE(failures, 25u);
}

TEST_F(Failure, AProgramOnAClosedDevice) {
  vk::Device closed;
  Loaded loaded(chain_tables(), &closed);
  EXPECT_EQ(loaded.load().code, Code::kNotLoaded);
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
