// Loading, running in one go and in pieces, and what goes wrong on the way.
#include "core/instance.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/core/sample_programs.h"
#include "tests/core/test_forms.h"
#include "tests/core/test_machine.h"

namespace arenite::tests {
namespace {

const std::vector<float> kInputNumbers = {0, -1, 2, -3, 4, -5, 6, -7};

std::vector<float> scaled(const std::vector<float>& x) {
  std::vector<float> y;
  for (size_t i = 0; i < x.size(); ++i) {
    const float sum = x[i] + static_cast<float>(i + 1);
    y.push_back(2 * sum * sum);
  }
  return y;
}

TEST(Instance, RunsOnTheCpu) {
  Machine machine(sample_builder().file());
  ASSERT_TRUE(machine.load(kScale, 1).ok());
  for (const float first : {0.0f, 3.0f}) {
    std::vector<float> x = kInputNumbers;
    x[0] = first;
    fill(machine.instance.input(0), x);
    ASSERT_TRUE(machine.instance.run().ok());
    EXPECT_EQ(floats(machine.instance.output(0)), scaled(x));
  }
  EXPECT_TRUE(machine.device.events.empty());
}

// Nothing but the form that a step names is looked for, and a plan that is damaged is still found.
TEST(Instance, RunsWithoutVerification) {
  Machine machine(sample_builder().file());
  ASSERT_TRUE(Program::open(machine.file.bytes(), machine.program, FilePart::kWhole, nullptr).ok());
  machine.options.verification = nullptr;
  ASSERT_TRUE(machine.load(kScale, 1).ok());
  fill(machine.instance.input(0), kInputNumbers);
  ASSERT_TRUE(machine.instance.run().ok());
  EXPECT_EQ(floats(machine.instance.output(0)), scaled(kInputNumbers));
  machine.file.bytes()[100] ^= std::byte{1};
  EXPECT_EQ(Program::open(machine.file.bytes(), machine.program, FilePart::kWhole, nullptr).code,
            Code::kBadChecksum);
}

TEST(Instance, InputsAndOutputsAsTensors) {
  Machine machine(sample_builder().file());
  EXPECT_TRUE(machine.instance.input(0).empty());
  EXPECT_EQ(machine.instance.output_tensor(0).data, nullptr);
  ASSERT_TRUE(machine.load(kScale, 1).ok());
  EXPECT_EQ(machine.instance.input(0).size(), 32u);
  EXPECT_EQ(machine.instance.output(0).size(), 32u);
  EXPECT_TRUE(machine.instance.input(1).empty());
  EXPECT_TRUE(machine.instance.output(1).empty());
  const Tensor y = machine.instance.output_tensor(0);
  ASSERT_EQ(y.rank(), 2u);
  EXPECT_EQ(y.dims[0], 2u);
  EXPECT_EQ(y.dims[1], 4u);
  EXPECT_EQ(y.dtype(), DType::kFloat32);
}

TEST(Instance, StretchesOfDeviceStepsAreOneCall) {
  Machine machine(sample_builder().file());
  ASSERT_TRUE(machine.load(kScale, 0).ok());
  fill(machine.instance.input(0), kInputNumbers);
  ASSERT_TRUE(machine.instance.run().ok());
  EXPECT_EQ(floats(machine.instance.output(0)), scaled(kInputNumbers));
  machine.instance.unload();
  machine.instance.unload();
  const std::vector<std::string> expected = {"attach", "run 0 4", "run 6 7", "detach"};
  EXPECT_EQ(machine.device.events, expected);
}

TEST(Instance, MethodsHaveArenasOfTheirOwn) {
  const Machine file(sample_builder().file());
  Machine one(file.program.file());
  Machine two(file.program.file());
  ASSERT_TRUE(one.load(kScale, 1).ok());
  ASSERT_TRUE(two.load(kTwice).ok());
  fill(one.instance.input(0), kInputNumbers);
  fill(two.instance.input(0), {1, 2, 3});
  ASSERT_TRUE(two.instance.run().ok());
  ASSERT_TRUE(one.instance.run().ok());
  EXPECT_EQ(floats(one.instance.output(0)), scaled(kInputNumbers));
  EXPECT_EQ(floats(two.instance.output(0)), (std::vector<float>{2, 4, 6}));
}

TEST(Instance, RunsInPieces) {
  Machine machine(sample_builder().file());
  ASSERT_TRUE(machine.load(kScale, 1).ok());
  for (int round = 0; round < 2; ++round) {
    fill(machine.instance.input(0), kInputNumbers);
    // Steps 0, 2 and 3; step 1 is a view.
    EXPECT_EQ(*machine.instance.run_steps(1), RunState::kMore);
    EXPECT_EQ(*machine.instance.run_steps(0), RunState::kMore);
    EXPECT_EQ(*machine.instance.run_steps(1), RunState::kMore);
    EXPECT_EQ(*machine.instance.run_steps(1), RunState::kDone);
    EXPECT_EQ(floats(machine.instance.output(0)), scaled(kInputNumbers));
  }
  EXPECT_EQ(*machine.instance.run_steps(2), RunState::kMore);
  EXPECT_EQ(*machine.instance.run_steps(2), RunState::kDone);
}

TEST(Instance, RunStartsFromTheStart) {
  Machine machine(sample_builder().file());
  ASSERT_TRUE(machine.load(kScale, 1).ok());
  fill(machine.instance.input(0), kInputNumbers);
  EXPECT_EQ(*machine.instance.run_steps(1), RunState::kMore);
  fill(machine.instance.input(0), kInputNumbers);
  ASSERT_TRUE(machine.instance.run().ok());
  EXPECT_EQ(floats(machine.instance.output(0)), scaled(kInputNumbers));
}

TEST(Instance, AStretchIsNeverDivided) {
  Machine machine(sample_builder().file());
  ASSERT_TRUE(machine.load(kScale, 0).ok());
  machine.device.events.clear();
  fill(machine.instance.input(0), kInputNumbers);
  EXPECT_EQ(*machine.instance.run_steps(1), RunState::kMore);
  EXPECT_EQ(machine.device.events, std::vector<std::string>{"run 0 4"});
  EXPECT_EQ(*machine.instance.run_steps(1), RunState::kMore);
  EXPECT_EQ(*machine.instance.run_steps(5), RunState::kDone);
  EXPECT_EQ(floats(machine.instance.output(0)), scaled(kInputNumbers));
}

TEST(Instance, ProfileSeesEachCpuStep) {
  Machine machine(sample_builder().file());
  std::vector<std::string> events;
  machine.platform.context = &events;
  machine.platform.profile = [](void* context, ProfileEvent event, uint32_t step) {
    const std::string what = event == ProfileEvent::kStepBegin ? "begin " : "end ";
    static_cast<std::vector<std::string>*>(context)->push_back(what + std::to_string(step));
  };
  ASSERT_TRUE(machine.load(kScale, 0).ok());
  ASSERT_TRUE(machine.instance.run().ok());
  const std::vector<std::string> expected = {"begin 4", "end 4", "begin 5", "end 5"};
  EXPECT_EQ(events, expected);
}

TEST(Instance, AKernelsErrorNamesItsStep) {
  planner::ProgramTables tables = sample_builder().tables();
  tables.steps[kCpuStepFirst + 3].op = static_cast<uint16_t>(Op::kDiv);
  Machine machine(planner::write_program(tables));
  ASSERT_TRUE(machine.load(kScale, 1).ok());
  EXPECT_EQ(*machine.instance.run_steps(2), RunState::kMore);
  const Status status = machine.instance.run_steps(9).status();
  EXPECT_EQ(status.code, Code::kIndexOutOfRange);
  EXPECT_EQ(status.step, 3u);
  EXPECT_EQ(status.value, 7u);
  // The run begins again.
  EXPECT_EQ(*machine.instance.run_steps(2), RunState::kMore);
}

TEST(Instance, ALostDeviceNamesItsStep) {
  Machine machine(sample_builder().file());
  ASSERT_TRUE(machine.load(kScale, 0).ok());
  machine.device.run_status = error(Code::kDeviceLost);
  const Status status = machine.instance.run();
  EXPECT_EQ(status.code, Code::kDeviceLost);
  EXPECT_EQ(status.step, 0u);
}

TEST(Instance, BadRequests) {
  Machine machine(sample_builder().file());
  EXPECT_EQ(machine.instance.run().code, Code::kNotLoaded);
  EXPECT_EQ(machine.instance.run_steps(1).status().code, Code::kNotLoaded);
  EXPECT_EQ(machine.load(2).code, Code::kNoSuchMethod);
  EXPECT_EQ(machine.load(kScale, 2).code, Code::kNoUsableVariant);
  ASSERT_TRUE(machine.load(kScale, 1).ok());
  // A failed load leaves nothing loaded.
  EXPECT_EQ(machine.load(kScale, 2).code, Code::kNoUsableVariant);
  EXPECT_EQ(machine.instance.run().code, Code::kNotLoaded);
}

TEST(Instance, ArenasThatDoNotServe) {
  Machine machine(sample_builder().file());
  LoadOptions options = machine.options;
  options.variant = 1;
  const Block memory(160, 64);
  std::span<std::byte> arena;
  const auto load = [&](std::span<std::byte> bytes) {
    arena = bytes;
    options.arenas = {&arena, 1};
    return machine.instance.load(machine.program, options);
  };
  EXPECT_EQ(machine.instance.load(machine.program, options).code, Code::kArenaMissing);
  EXPECT_EQ(load({}).code, Code::kArenaMissing);
  EXPECT_EQ(load(memory.bytes().first(135)).code, Code::kArenaTooSmall);
  EXPECT_EQ(load(memory.bytes().subspan(8)).code, Code::kBadAlignment);
  EXPECT_EQ(load(memory.bytes().subspan(8)).value, 0u);
  EXPECT_TRUE(load(memory.bytes()).ok());
}

TEST(Instance, NoBackend) {
  Machine machine(sample_builder().file());
  machine.options.backend = nullptr;
  EXPECT_EQ(machine.load(kScale, 0).code, Code::kUnsupported);
  EXPECT_TRUE(machine.load(kScale, 1).ok());
  const Backend null = null_backend();
  EXPECT_EQ(null.run(null.context, {}).code, Code::kUnsupported);
  null.detach(null.context);
}

TEST(Instance, ABackendThatMapsNothing) {
  Machine machine(sample_builder().file());
  machine.device.give_mapped_arenas = false;
  const Status status = machine.load(kScale, 0);
  EXPECT_EQ(status.code, Code::kArenaMissing);
  EXPECT_EQ(status.value, 0u);
  const std::vector<std::string> expected = {"attach", "detach"};
  EXPECT_EQ(machine.device.events, expected);
}

TEST(Instance, ConstantsThatAreNotMapped) {
  const std::vector<std::byte> file = sample_builder().file();
  Machine machine(std::span<const std::byte>(file).first(file.size() - 32), FilePart::kPlan);
  ASSERT_TRUE(machine.opened.ok());
  // Nowhere to read them to: the step that needs them says so.
  EXPECT_EQ(machine.load(kScale, 1).code, Code::kBadStep);
  EXPECT_TRUE(machine.load(kTwice).ok());

  const Block memory(32, 64);
  std::span<std::byte> section = memory.bytes();
  machine.options.sections = {&section, 1};
  EXPECT_EQ(machine.load(kScale, 1).code, Code::kTruncated);
  machine.platform.context = const_cast<std::byte*>(file.data());
  machine.platform.read_constants = [](void* context, uint32_t offset, void* to, uint32_t bytes) {
    std::memcpy(to, static_cast<const std::byte*>(context) + offset, bytes);
    return true;
  };
  ASSERT_TRUE(machine.load(kScale, 1).ok());
  fill(machine.instance.input(0), kInputNumbers);
  ASSERT_TRUE(machine.instance.run().ok());
  EXPECT_EQ(floats(machine.instance.output(0)), scaled(kInputNumbers));

  section = section.first(31);
  EXPECT_EQ(machine.load(kScale, 1).code, Code::kTruncated);
}

TEST(Instance, MisalignedConstants) {
  const std::vector<std::byte> file = sample_builder().file();
  const Block block(file.size() + 4, 64);
  const auto misplaced = block.bytes().subspan(4);
  std::memcpy(misplaced.data(), file.data(), file.size());
  Machine machine(file);
  ASSERT_TRUE(Program::open(misplaced, machine.program).ok());
  EXPECT_EQ(machine.load(kScale, 1).code, Code::kBadAlignment);
}

TEST(Instance, NoStepsAtAll) {
  ProgramBuilder b;
  b.method("m", 1, 1);
  b.variant("board");
  b.arena(format::ArenaKind::kHost, 8);
  const uint32_t x = b.value({.dims = {2}});
  b.io({x, x});
  Machine machine(b.file());
  ASSERT_TRUE(machine.load().ok());
  fill(machine.instance.input(0), {1, 2});
  EXPECT_EQ(*machine.instance.run_steps(1), RunState::kDone);
  EXPECT_EQ(floats(machine.instance.output(0)), (std::vector<float>{1, 2}));
}

// Two steps fill the halves of one value: what makes a concat free.
TEST(Instance, StepsMayFillPartsOfARoot) {
  ProgramBuilder b;
  b.method("m", 1, 1);
  b.variant("board");
  b.arena(format::ArenaKind::kHost, 24);
  const uint32_t x = b.value({.dims = {2}, .last_step = 2});
  const uint32_t y = b.value({.dims = {2, 2}, .offset = 8, .last_step = 2});
  const auto half = [&](uint32_t offset, uint32_t step) {
    return b.value({.dims = {2},
                    .kind = format::ValueKind::kView,
                    .offset = offset,
                    .first_step = step,
                    .last_step = 2,
                    .root = y});
  };
  const uint32_t top = half(8, 0);
  const uint32_t bottom = half(16, 1);
  const auto attributes = words_of(BinaryAttributes{});
  b.step({.op = Op::kCopy, .inputs = {x}, .outputs = {top}});
  b.step({.op = Op::kAdd, .inputs = {x, x}, .outputs = {bottom}, .attributes = attributes});
  b.step(
      {.op = Op::kConcat, .where = format::Where::kView, .inputs = {top, bottom}, .outputs = {y}});
  b.io({x, y});
  Machine machine(b.file());
  ASSERT_TRUE(machine.load().ok());
  fill(machine.instance.input(0), {1, 2});
  ASSERT_TRUE(machine.instance.run().ok());
  EXPECT_EQ(floats(machine.instance.output(0)), (std::vector<float>{1, 2, 2, 4}));
}

TEST(Instance, ProofMemoryOfTheCaller) {
  // An arena too small for a word a value.
  ProgramBuilder b;
  b.method("m", 1, 0);
  b.variant("board");
  b.arena(format::ArenaKind::kHost, 4);
  const uint32_t x = b.value({.dims = {1}});
  for (uint32_t i = 0; i < 4200; ++i) {
    b.value({.dims = {0}});
  }
  b.io({x});
  Machine machine(b.file());
  EXPECT_EQ(machine.load().code, Code::kArenaTooSmall);
  std::vector<uint32_t> proof(4201);
  machine.options.proof = proof;
  EXPECT_TRUE(machine.load().ok());
}

TEST(DeviceStretch, EndsAtCpuStepsAndLeavesTrailingViews) {
  using format::Where;
  std::vector<format::StepRecord> steps(6);
  const Where wheres[] = {Where::kVulkan, Where::kView, Where::kTransfer,
                          Where::kView,   Where::kCpu,  Where::kVulkan};
  for (size_t i = 0; i < steps.size(); ++i) {
    steps[i].where = static_cast<uint8_t>(wheres[i]) & 3u;
  }
  EXPECT_EQ(device_stretch_end(steps, 0), 3u);
  EXPECT_EQ(device_stretch_end(steps, 3), 3u);
  EXPECT_EQ(device_stretch_end(steps, 4), 4u);
  EXPECT_EQ(device_stretch_end(steps, 5), 6u);
  EXPECT_EQ(device_stretch_end(steps, 6), 6u);
}

TEST(DeviceStretch, SoManyAreRunAtOnce) {
  Machine machine(planner::write_program(device_choices({}, kStretchesAtOnce)));
  machine.options.predicates = &kPredicates;
  ASSERT_TRUE(machine.load().ok());
  machine.device.events.clear();
  ASSERT_TRUE(machine.instance.run().ok());
  EXPECT_EQ(machine.device.events.size(), 2u);
  EXPECT_EQ(machine.device.events.back(), "run 64 65 65 66 66 67 67 68 68 69");
}

TEST(DeviceStretch, EndsWhereAStepBeginsAnother) {
  using format::Where;
  std::vector<format::StepRecord> steps(4);
  const Where wheres[] = {Where::kVulkan, Where::kView, Where::kVulkan, Where::kTransfer};
  for (size_t i = 0; i < steps.size(); ++i) {
    steps[i].where = static_cast<uint8_t>(wheres[i]) & 3u;
  }
  steps[2].flags = format::kBeginsStretch;
  EXPECT_EQ(device_stretch_end(steps, 0), 1u);
  EXPECT_EQ(device_stretch_end(steps, 1), 4u);
  EXPECT_EQ(device_stretch_end(steps, 2), 4u);
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
