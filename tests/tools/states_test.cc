// Tests what a program keeps between runs: over many runs, when runs fail or a device is lost, and
// from process to process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "planner/graph/graph_builder.h"
#include "planner/plan.h"
#include "tests/tools/on_device.h"
#include "tools/run/runner.h"
#include "tools/run/saved_states.h"

namespace arenite::tools {
namespace {

using planner::ValueId;
using testing::HasSubstr;

constexpr uint32_t kSize = 4;

// Nodes and values by name, as an importer adds them.
class Model {
 public:
  ValueId input(const char* name, DType dtype, const planner::Dims& dims) {
    return b_.add_input(name, dtype, dims);
  }
  ValueId constant(const char* name, const std::vector<float>& numbers) {
    const ValueId id = b_.add_value(name, DType::kFloat32, {numbers.size()});
    std::vector<std::byte> bytes(numbers.size() * sizeof(float));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    b_.set_constant(id, std::move(bytes));
    return id;
  }
  template <typename Attributes = uint32_t>
  ValueId node(Op op, const std::vector<ValueId>& inputs, const char* name,
               const planner::Dims& dims, std::optional<Attributes> attributes = {}) {
    planner::Node node;
    node.op = op;
    node.inputs = inputs;
    node.outputs = {b_.add_value(name, DType::kFloat32, dims)};
    node.sources = {name};
    if (attributes) node.set_attributes(*attributes);
    const ValueId made = node.outputs[0];
    EXPECT_EQ(b_.add_node(std::move(node)), "");
    return made;
  }
  planner::Graph finish(const std::vector<ValueId>& outputs) {
    std::vector<planner::DeclaredOutput> declared;
    for (const ValueId id : outputs) {
      declared.push_back({b_.value(id).name, b_.value(id).dtype, std::nullopt, id});
    }
    return b_.finish(declared);
  }

 private:
  planner::GraphBuilder b_;
};

// kept.next = kept / 2 + x; y = 3 kept.next. `kept` begins at 8 each.
planner::Graph leaky(const char* name = "kept") {
  Model m;
  const auto x = m.input("x", DType::kFloat32, {1, kSize});
  const auto kept = m.input(name, DType::kFloat32, {1, kSize});
  const auto faded = m.node(Op::kMul, {kept, m.constant("half", {0.5f})}, "faded", {1, kSize});
  const auto next = m.node(Op::kAdd, {faded, x}, "next", {1, kSize});
  const auto y = m.node(Op::kMul, {next, m.constant("three", {3})}, "y", {1, kSize});
  planner::Graph graph = m.finish({y, next});
  std::vector<std::byte> initial(kSize * sizeof(float));
  for (uint32_t i = 0; i < kSize; ++i) {
    const float eight = 8;
    std::memcpy(initial.data() + sizeof eight * i, &eight, sizeof eight);
  }
  graph.states = {{1, 1, std::make_shared<const std::vector<std::byte>>(std::move(initial))}};
  return graph;
}

std::vector<std::byte> planned(planner::Graph graph, const char* board = "host") {
  planner::PlanOptions options;
  options.boards = {planner::find_board(board)};
  return planner::plan_graphs({{"main", std::move(graph), {}}}, options).program;
}

std::vector<HostTensor> inputs_at(uint32_t run) {
  HostTensor x{DType::kFloat32, {1, kSize}, std::vector<std::byte>(kSize * sizeof(float))};
  for (uint32_t i = 0; i < kSize; ++i) {
    const float number = static_cast<float>((run * 7 + i * 3) % 11) - 5;
    std::memcpy(x.bytes.data() + sizeof number * i, &number, sizeof number);
  }
  return {x, {}};
}

float element(const std::vector<std::byte>& bytes, uint32_t i) {
  float number = 0;
  std::memcpy(&number, bytes.data() + sizeof number * i, sizeof number);
  return number;
}

// Powers of two times small whole numbers: exact for as long as they matter.
class Expected {
 public:
  void run(uint32_t run) {
    const std::vector<HostTensor> x = inputs_at(run);
    for (uint32_t i = 0; i < kSize; ++i) kept_[i] = kept_[i] * 0.5f + element(x[0].bytes, i);
  }
  void expect_of(const std::vector<HostTensor>& outputs) const {
    for (uint32_t i = 0; i < kSize; ++i) {
      EXPECT_EQ(element(outputs[0].bytes, i), 3 * kept_[i]);
      EXPECT_EQ(element(outputs[1].bytes, i), kept_[i]);
    }
  }

 private:
  float kept_[kSize] = {8, 8, 8, 8};
};

std::optional<std::string> no_vulkan() {
  std::string reason;
  return VulkanHost({}).usable(reason) ? std::nullopt : std::optional(reason);
}

TEST(States, AThousandRunsAreAsTheLoop) {
  for (const char* device : {"cpu", "vulkan"}) {
    SCOPED_TRACE(device);
    if (std::strcmp(device, "vulkan") == 0 && no_vulkan()) continue;
    const ProgramFile file(planned(leaky()), "leaky");
    VulkanHost host({});
    Runner runner(file, on(device), &host);
    for (int pass = 0; pass < 2; ++pass) {
      Expected expected;
      for (uint32_t run = 0; run < 1000; ++run) {
        expected.run(run);
        expected.expect_of(runner.run(inputs_at(run)));
        if (HasFailure()) return;
      }
      runner.reset_states();
    }
    EXPECT_EQ(runner.info().on_vulkan, std::strcmp(device, "vulkan") == 0);
  }
}

TEST(States, ARunInPiecesCommitsAtItsEnd) {
  const ProgramFile file(planned(leaky()), "leaky");
  Runner runner(file, on("cpu"), nullptr);
  Expected expected;
  for (uint32_t run = 0; run < 5; ++run) {
    expected.run(run);
    expected.expect_of(runner.run_in_pieces(inputs_at(run), 1));
  }
}

TEST(States, ALostDeviceLeavesThemAsTheyWere) {
  if (const auto reason = no_vulkan()) GTEST_SKIP() << *reason;
  const ProgramFile file(planned(leaky()), "leaky");
  for (uint32_t lost = 1; lost < 5; ++lost) {
    VulkanHostOptions options;
    options.lose_at_submission = lost;
    VulkanHost host(options);
    Runner runner(file, on("vulkan"), &host);
    Expected expected;
    for (uint32_t run = 0; run < 6; ++run) {
      expected.run(run);
      expected.expect_of(runner.run(inputs_at(run)));
    }
    EXPECT_FALSE(runner.info().on_vulkan);
  }
}

TEST(States, ARunThatFailsLeavesThemAsTheyWere) {
  Model m;
  const auto x = m.input("x", DType::kFloat32, {1, kSize});
  const auto kept = m.input("kept", DType::kFloat32, {1, kSize});
  const auto index = m.input("index", DType::kInt64, {1});
  const auto next = m.node(Op::kAdd, {kept, x}, "next", {1, kSize});
  const auto picked = m.node(Op::kGather, {next, index}, "picked", {1, 1},
                             std::optional(GatherAttributes{.axis = 1}));
  planner::Graph graph = m.finish({picked, next});
  graph.states = {{1, 1, nullptr}};
  const ProgramFile file(planned(std::move(graph)), "picks");
  Runner runner(file, on("cpu"), nullptr);
  std::vector<HostTensor> inputs = inputs_at(1);
  inputs.push_back({DType::kInt64, {1}, std::vector<std::byte>(8)});
  const std::vector<HostTensor> outputs = runner.run(inputs);
  const auto before = runner.states();
  EXPECT_EQ(before[1], outputs[1].bytes);
  inputs[2].bytes[0] = std::byte{99};
  EXPECT_THROW(runner.run(inputs), RunError);
  EXPECT_EQ(runner.states(), before);
  inputs[2].bytes[0] = std::byte{0};
  EXPECT_EQ(element(runner.run(inputs)[1].bytes, 0), 2 * element(before[1], 0));
}

TEST(States, GoOnInAnotherProcessPlanAndDevice) {
  const ProgramFile file(planned(leaky()), "leaky"), small(planned(leaky(), "mps3-an547"), "small");
  Runner first(file, on("cpu"), nullptr);
  Expected expected;
  uint32_t run = 0;
  for (; run < 7; ++run) {
    expected.run(run);
    static_cast<void>(first.run(inputs_at(run)));
  }
  const std::vector<std::byte> saved = save_states(first);
  VulkanHost host({});
  for (const char* device : {"cpu", "vulkan"}) {
    if (std::strcmp(device, "vulkan") == 0 && no_vulkan()) continue;
    Runner second(file, on(device), &host);
    load_states(second, saved);
    EXPECT_EQ(save_states(second), saved);
    Expected goes_on = expected;
    goes_on.run(run);
    goes_on.expect_of(second.run(inputs_at(run)));
  }
  Runner other(small, on("cpu"), nullptr);
  load_states(other, saved);
  expected.run(run);
  expected.expect_of(other.run(inputs_at(run)));
}

std::string refusal(Runner& runner, std::span<const std::byte> saved) {
  const auto before = runner.states();
  try {
    load_states(runner, saved);
  } catch (const InputError& error) {
    EXPECT_EQ(runner.states(), before);
    return error.what();
  }
  return "";
}

TEST(States, DamagedOrOthersAreRefused) {
  const ProgramFile file(planned(leaky()), "leaky"), other(planned(leaky("memory")), "other");
  Runner runner(file, on("cpu"), nullptr);
  static_cast<void>(runner.run(inputs_at(1)));
  const std::vector<std::byte> saved = save_states(runner);
  for (size_t i = 0; i < saved.size(); ++i) {
    std::vector<std::byte> damaged = saved;
    damaged[i] ^= std::byte{4};
    EXPECT_NE(refusal(runner, damaged), "") << i;
    EXPECT_NE(refusal(runner, std::span(saved).first(i)), "") << i;
  }
  Runner another(other, on("cpu"), nullptr);
  EXPECT_THAT(refusal(runner, save_states(another)), HasSubstr("none is called 'kept'"));
  EXPECT_EQ(refusal(runner, saved), "");
}

// As leaky(), with 64 results.
planner::Graph wide() {
  Model m;
  const auto x = m.input("x", DType::kFloat32, {1, kSize});
  const auto kept = m.input("kept", DType::kFloat32, {1, kSize});
  const auto next = m.node(Op::kAdd, {kept, x}, "next", {1, kSize});
  const auto ones = m.constant("ones", std::vector<float>(64, 1));
  const auto sum =
      m.node(Op::kReduceSum, {next}, "sum", {1, 1}, std::optional(ReduceAttributes{.axes = 2}));
  planner::Graph graph = m.finish({m.node(Op::kMul, {sum, ones}, "y", {1, 64}), next});
  graph.states = {{1, 1, nullptr}};
  return graph;
}

// A board of two memories for arenas, and one for all else.
planner::Board board_of(uint64_t fast_bytes, uint64_t slow_bytes) {
  planner::Board board = planner::find_board("mps2-an386");
  board.toolchain.clear();
  board.program_memories.clear();
  planner::BoardMemory own = board.memories[0];
  own.holds_bss = own.holds_stack = true;
  board.own_memories = {own};
  board.memories.resize(2);
  for (planner::BoardMemory& memory : board.memories) {
    memory.holds_bss = memory.holds_stack = false;
    memory.full_size_bytes.reset();
  }
  board.memories[0].memory.size_bytes = fast_bytes;
  board.memories[1].memory.size_bytes = slow_bytes;
  return board;
}

// The arena that holds the states, or what is short.
std::string state_memory(uint64_t fast_bytes, uint64_t slow_bytes) {
  planner::PlanOptions options;
  options.boards = {board_of(fast_bytes, slow_bytes)};
  const auto name_of = [&](const planner::PlanReport& report) {
    EXPECT_EQ(report.ram[0].states_bytes, 16u);
    const std::string arena = report.variants.back().states[0].arena;
    return arena == options.boards[0].memories[0].memory.name ? "fast" : "slow";
  };
  try {
    return name_of(planner::plan_graphs({{"main", wide(), {}}}, options).report);
  } catch (const planner::DoesNotFitError& error) {
    return error.what();
  }
}

TEST(States, LieInTheFastestMemoryWithRoomBesideTheArenas) {
  EXPECT_EQ(state_memory(1024, 1024), "fast");
  EXPECT_EQ(state_memory(1024, 8), "fast");
  EXPECT_EQ(state_memory(48, 1024), "slow") << "arenas fill the fast one";
  EXPECT_EQ(state_memory(200, 256), "fast") << "the 64 results fill the slow one";
  EXPECT_THAT(state_memory(32, 256), HasSubstr("short"));
  EXPECT_THAT(state_memory(8, 8), HasSubstr("short"));
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
