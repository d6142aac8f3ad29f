// Tests which device runs a program, and the error where the named one cannot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/plan.h"
#include "planner/program/writer.h"
#include "tests/tools/on_device.h"
#include "tests/vk/programs.h"
#include "tools/run/runner.h"

namespace arenite::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;

ProgramFile digits_for(const char* board) {
  planner::ModelFile model;
  model.method = "main";
  model.bytes =
      read_file(std::filesystem::path(ARENITE_SOURCE_DIR) / "examples/digits/digits.onnx");
  planner::PlanOptions options;
  options.boards = {planner::find_board(board)};
  return {planner::plan_models({model}, options).program, "digits"};
}

// A program whose only variant is for Vulkan.
ProgramFile vulkan_only() { return {planner::write_program(tests::product_tables(4)), "product"}; }

VulkanHostOptions host_options(const char* device) {
  return vulkan_options(parse_device(device), "");
}

// The message of the RunError that the choice ends in.
std::string refusal(const ProgramFile& file, const char* device) {
  VulkanHost host(host_options(device));
  try {
    const Runner runner(file, on(device), &host);
  } catch (const RunError& error) {
    return error.what();
  }
  return "";
}

// The reason why the program runs on the CPU though `device` was asked for.
std::string fallen_back(const ProgramFile& file, const char* device) {
  VulkanHost host(host_options(device));
  const Runner runner(file, on(device, true), &host);
  EXPECT_FALSE(runner.info().on_vulkan);
  return runner.info().fell_back.value_or("");
}

bool has(const char* device) {
  std::string reason;
  return VulkanHost(host_options(device)).usable(reason);
}

TEST(ParseDevice, NamesAndKinds) {
  EXPECT_EQ(parse_device("auto").kind, DeviceKind::kAuto);
  EXPECT_EQ(parse_device("cpu").kind, DeviceKind::kCpu);
  EXPECT_EQ(parse_device("vulkan").kind, DeviceKind::kVulkan);
  EXPECT_EQ(parse_device("vulkan").vulkan_device, "");
  EXPECT_EQ(parse_device("vulkan:3").vulkan_device, "3");
  EXPECT_EQ(parse_device("vulkan:Big GPU").vulkan_device, "Big GPU");
  for (const char* bad : {"", "gpu", "vulkan:", "cpu:0", "Vulkan", "auto "}) {
    EXPECT_THROW(parse_device(bad), InputError) << bad;
  }
}

TEST(RunnerDevice, AutoNeverTakesASoftwareDeviceBeforeTheCpu) {
  if (!has("vulkan") || has("auto")) GTEST_SKIP() << "this machine has no software device alone";
  const ProgramFile file = digits_for("host");
  VulkanHost host(host_options("auto"));
  const Runner runner(file, on("auto"), &host);
  EXPECT_FALSE(runner.info().on_vulkan);
  EXPECT_THAT(runner.info().fell_back.value_or(""), HasSubstr("software"));
  VulkanHost named(host_options("vulkan"));
  EXPECT_TRUE(Runner(file, on("vulkan"), &named).info().on_vulkan);
}

TEST(RunnerDevice, AutoWithoutVulkanSaysSo) {
  const ProgramFile file = digits_for("host");
  const Runner runner(file, on("auto"), nullptr);
  EXPECT_FALSE(runner.info().on_vulkan);
  EXPECT_THAT(runner.info().fell_back.value_or(""), HasSubstr("Vulkan"));
}

TEST(RunnerDevice, ANamedDeviceThatIsAbsentIsAnError) {
  const ProgramFile file = digits_for("host");
  EXPECT_THAT(refusal(file, "vulkan:nonesuch"),
              AllOf(HasSubstr("digits: method 'main' cannot be run on --device vulkan:nonesuch"),
                    HasSubstr("--allow-fallback")));
  EXPECT_NE(refusal(file, "vulkan:77"), "");
  EXPECT_THAT(fallen_back(file, "vulkan:nonesuch"), HasSubstr("nonesuch"));
}

TEST(RunnerDevice, AProgramWithoutAVariantForTheNamedDeviceIsAnError) {
  const ProgramFile cpu_only = digits_for("mps3-an547");
  EXPECT_THAT(refusal(cpu_only, "vulkan"), HasSubstr("the program has no Vulkan variant"));
  EXPECT_THAT(fallen_back(cpu_only, "vulkan"), HasSubstr("no Vulkan variant"));
  // Nothing was asked for that it lacks.
  const Runner runner(cpu_only, on("auto"), nullptr);
  EXPECT_EQ(runner.info().fell_back, std::nullopt);

  EXPECT_THAT(refusal(vulkan_only(), "cpu"), HasSubstr("the program has no CPU variant"));
  if (!has("vulkan")) return;
  VulkanHost host(host_options("cpu"));
  const ProgramFile file = vulkan_only();
  const Runner other(file, on("cpu", true), &host);
  EXPECT_TRUE(other.info().on_vulkan);
  EXPECT_THAT(other.info().fell_back.value_or(""), HasSubstr("no CPU variant"));
}

TEST(RunnerDevice, ADeviceThatCannotTakeTheProgramIsAnError) {
  if (!has("vulkan")) GTEST_SKIP() << "this machine has no Vulkan device";
  planner::ModelFile model;
  model.method = "main";
  model.bytes =
      read_file(std::filesystem::path(ARENITE_SOURCE_DIR) / "examples/digits/digits.onnx");
  planner::PlanOptions options;
  options.boards = {planner::find_board("host")};
  options.boards[0]
      .variants[0]
      .vulkan->numbers[static_cast<uint32_t>(Capability::kSharedMemoryBytes)] = 4000000000;
  const ProgramFile file(planner::plan_models({model}, options).program, "digits");
  EXPECT_THAT(refusal(file, "vulkan"),
              AllOf(HasSubstr("maxComputeSharedMemorySize"), HasSubstr("4000000000")));
  EXPECT_THAT(fallen_back(file, "vulkan"), HasSubstr("maxComputeSharedMemorySize"));
}

TEST(RunnerDevice, AProgramThatNothingHereCanRunIsAnError) {
  EXPECT_THROW(Runner(vulkan_only(), on("auto"), nullptr), RunError);
  EXPECT_THROW(Runner(vulkan_only(), on("cpu", true), nullptr), RunError);
}

TEST(RunnerDevice, ABoardThatTheProgramWasNotPlannedForIsBadInput) {
  RunnerOptions options = on("cpu");
  options.board = "moon";
  const ProgramFile file = digits_for("host");
  try {
    const Runner runner(file, options, nullptr);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("no variant for board 'moon'"), HasSubstr("expected host")));
  }
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
