// The choice of a device, and the message when there is none.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/vk/fake_vulkan.h"
#include "tests/vk/vulkan_machine.h"
#include "vk/self_test.h"

namespace arenite::tests {
namespace {

using vk::Problem;

// The device that `wanted` chooses among the first `count` fake ones: a name, or the problem's
// text.
std::string chosen(const std::string& wanted, uint32_t count = UINT32_MAX) {
  vk::VulkanInstance instance;
  EXPECT_TRUE(vk::open_instance(fake_vulkan(count), nullptr, instance).ok());
  VkPhysicalDevice device = VK_NULL_HANDLE;
  vk::DeviceInfo info;
  const Status status = vk::choose_device(instance, wanted, device, info);
  vk::close_instance(instance);
  return status.ok() ? std::string(info.name) : vk::describe(vk::problem_of(status));
}

TEST(ChooseDevice, AutoPrefersDiscreteGpusThatCanBeUsed) {
  EXPECT_EQ(chosen("auto"), "Big Discrete 9");
  EXPECT_EQ(chosen(""), "Big Discrete 9");
}

TEST(ChooseDevice, HardwareIsNoSoftwareDevice) {
  EXPECT_EQ(chosen("hardware"), "Big Discrete 9");
  EXPECT_EQ(chosen("hardware", 2), "Tiny Integrated 5");
  EXPECT_EQ(chosen("hardware", 1), vk::describe(Problem::kOnlySoftware));
  EXPECT_EQ(chosen("auto", 1), "Soft Pipe");
}

TEST(ChooseDevice, ByIndex) {
  EXPECT_EQ(chosen("0"), "Soft Pipe");
  EXPECT_EQ(chosen("1"), "Tiny Integrated 5");
  EXPECT_EQ(chosen("2"), vk::describe(Problem::kOldDevice));
  EXPECT_EQ(chosen("4"), vk::describe(Problem::kNoComputeQueue));
  EXPECT_EQ(chosen("5"), vk::describe(Problem::kBadDevice));
  EXPECT_EQ(chosen("6"), vk::describe(Problem::kNoSuchDevice));
  EXPECT_EQ(chosen("4294967297"), vk::describe(Problem::kNoSuchDevice));
}

TEST(ChooseDevice, ByPartOfItsName) {
  EXPECT_EQ(chosen("soft"), "Soft Pipe");
  EXPECT_EQ(chosen("INTEGRATED"), "Tiny Integrated 5");
  EXPECT_EQ(chosen("discrete"), "Big Discrete 9");  // the first that can be used
  EXPECT_EQ(chosen("old"), vk::describe(Problem::kOldDevice));
  EXPECT_EQ(chosen("nothing like it"), vk::describe(Problem::kNoSuchDevice));
}

TEST(ListDevices, DescribesAllOfThem) {
  std::vector<vk::DeviceInfo> infos(vk::kMaxDevices);
  uint32_t count = 0;
  ASSERT_TRUE(vk::list_devices(fake_vulkan(), infos, count).ok());
  ASSERT_EQ(count, 6u);
  EXPECT_EQ(infos[0].problem, Problem::kNone);
  EXPECT_EQ(infos[2].problem, Problem::kOldDevice);
  EXPECT_EQ(infos[3].queue_family, 1u);
  EXPECT_STREQ(infos[3].driver, "fake");
  const uint32_t expected[kCapabilityCount] = {0, 1003, 128, 128, 16384, 1u << 27, 4, 128, 65535};
  for (uint32_t id = 0; id < kCapabilityCount; ++id) {
    EXPECT_EQ(infos[3].capabilities.numbers[id], expected[id]) << "capability " << id;
  }
  // Fewer places than devices.
  ASSERT_TRUE(vk::list_devices(fake_vulkan(), std::span(infos).first(2), count).ok());
  EXPECT_EQ(count, 2u);
}

Problem problem_with(PFN_vkGetInstanceProcAddr (*find)(void*)) {
  vk::DeviceOptions options;
  options.library.find = find;
  vk::Device device;
  const Status status = vk::open_device(options, device);
  EXPECT_EQ(status.code, Code::kUnsupported);
  EXPECT_EQ(device.handle, static_cast<VkDevice>(VK_NULL_HANDLE));
  uint32_t count = 1;
  EXPECT_EQ(vk::list_devices(options.library, {}, count).value, status.value);
  EXPECT_EQ(count, 0u);
  return vk::problem_of(status);
}

TEST(OpenDevice, SaysThatThereIsNoVulkan) {
  EXPECT_EQ(problem_with([](void*) -> PFN_vkGetInstanceProcAddr { return nullptr; }),
            Problem::kNoLibrary);
}

TEST(OpenDevice, SaysThatVulkanIsTooOld) {
  EXPECT_EQ(problem_with([](void*) -> PFN_vkGetInstanceProcAddr {
              return [](VkInstance, const char*) -> PFN_vkVoidFunction { return nullptr; };
            }),
            Problem::kOldLibrary);
}

TEST(OpenDevice, SaysThatNoDriverIsThere) {
  // The loader reads it at each vkCreateInstance.
  const char* before = std::getenv("VK_ICD_FILENAMES");
  const std::string kept = before != nullptr ? before : "";
  setenv("VK_ICD_FILENAMES", "/nonexistent.json", 1);
  vk::Device device;
  const Problem problem = vk::problem_of(vk::open_device({}, device));
  EXPECT_TRUE(problem == Problem::kNoInstance || problem == Problem::kNoDevice);
  if (before != nullptr) {
    setenv("VK_ICD_FILENAMES", kept.c_str(), 1);
  } else {
    unsetenv("VK_ICD_FILENAMES");
  }
}

TEST(OpenDevice, FindsTheTestDeviceByNameAndIndex) {
  const std::string name = test_device_name();
  std::vector<vk::DeviceInfo> infos(vk::kMaxDevices);
  uint32_t count = 0;
  ASSERT_TRUE(vk::list_devices({}, infos, count).ok());
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; ++i) {
    vk::DeviceOptions options;
    const std::string index = std::to_string(i);
    options.device = index;
    vk::Device device;
    if (vk::open_device(options, device).ok()) {
      EXPECT_STREQ(device.info.name, infos[i].name);
      found += std::string(device.info.name).find(name) != std::string::npos ? 1u : 0u;
    }
  }
  EXPECT_GE(found, 1u) << "no device is named " << name;
}

TEST(OpenDevice, OpensAgainAfterClosing) {
  vk::Device device;
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(vk::open_device({}, device).ok());
    vk::close_device(device);
    EXPECT_EQ(device.handle, static_cast<VkDevice>(VK_NULL_HANDLE));
  }
}

TEST(SelfTest, PassesInSilence) {
  WatchedDevice watched;
  ASSERT_TRUE(watched.opened.ok());
  EXPECT_EQ(vk::self_test(watched.device).code, Code::kOk);
  vk::close_device(watched.device);
  EXPECT_EQ(watched.watch.count(), 0u);
}

TEST(SelfTest, NoticesWrongNumbers) {
  WatchedDevice watched;
  ASSERT_TRUE(watched.opened.ok());
  // A driver that drops dispatches.
  watched.device.fn.cmd_dispatch = [](VkCommandBuffer, uint32_t, uint32_t, uint32_t) {};
  EXPECT_EQ(vk::problem_of(vk::self_test(watched.device)), Problem::kWrongAnswer);
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
