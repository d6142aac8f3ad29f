// The same programs on SwiftShader, and on Khronos' mock driver, whose limits are the least that
// Vulkan guarantees; both under a newer validation layer, which looks into shaders for hazards.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/vk/programs.h"
#include "tests/vk/vulkan_machine.h"
#include "vk/self_test.h"

namespace arenite::tests {
namespace {

class SecondDriver : public testing::Test {
 protected:
  // False, with the test marked skipped, when the drivers were not fetched.
  bool open(const std::string& driver) {
    const std::filesystem::path folder(ARENITE_SECOND_DRIVER);
    if (!std::filesystem::exists(folder / "complete")) {
      return false;
    }
    const std::string layers = folder / "layers";
    setenv("VK_ICD_FILENAMES", (folder / (driver + ".json")).c_str(), 1);
    setenv("VK_LAYER_PATH", layers.c_str(), 1);
    setenv("VK_LAYER_SETTINGS_PATH", layers.c_str(), 1);
    vk::DeviceOptions options;
    options.messages = &watch.messages;
    EXPECT_EQ(vk::open_device(options, device).code, Code::kOk);
    return true;
  }
  void TearDown() override {
    vk::close_device(device);
    EXPECT_EQ(watch.count(), 0u);
  }

  Watch watch;
  vk::Device device;
};

TEST_F(SecondDriver, SwiftShaderComputesTheSame) {
  if (!open("swiftshader")) {
    GTEST_SKIP() << "no second driver: run tools/setup --second-driver";
  }
  EXPECT_EQ(vk::self_test(device).code, Code::kOk);
  for (const bool unified : {false, true}) {
    device.unified = unified;
    Loaded chain(chain_tables(), &device);
    Loaded sandwich(sandwich_tables(), &device);
    ASSERT_EQ(chain.load().code, Code::kOk);
    ASSERT_EQ(sandwich.load().code, Code::kOk);
    EXPECT_EQ(chain.run({sample_input()}), chain_output());
    EXPECT_EQ(sandwich.run({sample_input()}), sandwich_output());
    EXPECT_EQ(sandwich.run({sample_input()}), sandwich_output());
  }
}

TEST_F(SecondDriver, MinimumLimitsAreEnough) {
  if (!open("mock")) {
    GTEST_SKIP() << "no second driver: run tools/setup --second-driver";
  }
  const Loaded opened(chain_tables(), nullptr);
  EXPECT_EQ(*opened.program.choose_variant(0, device.info.capabilities), 0u);
  for (const auto& tables : {chain_tables(), sandwich_tables(), product_tables(64)}) {
    Loaded loaded(tables, &device);
    ASSERT_EQ(loaded.load().code, Code::kOk);
    loaded.run({});
    EXPECT_EQ(loaded.status.code, Code::kOk);  // its numbers mean nothing
  }
  // It computes nothing, and the self-test notices.
  EXPECT_EQ(vk::problem_of(vk::self_test(device)), vk::Problem::kWrongAnswer);
}

// The barriers are what keeps this layer silent: without them it speaks.
TEST_F(SecondDriver, MissingBarriersAreSeen) {
  if (!open("swiftshader")) {
    GTEST_SKIP() << "no second driver: run tools/setup --second-driver";
  }
  planner::ProgramTables tables = chain_tables();
  tables.steps[2].flags = 0;
  Loaded loaded(tables, &device);
  watch.messages.print = nullptr;
  ASSERT_EQ(loaded.load().code, Code::kOk);
  loaded.run({sample_input()});
  EXPECT_GT(watch.count(), 0u);
  watch.messages.warnings = watch.messages.errors = 0;
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
