// Tests reading what steps write against computing the same values without a plan: random graphs,
// whose values overlap, lie in place of others, and are filled part by part.
#include "tools/compare/recording.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>

#include "planner/graph/interpret.h"
#include "planner/plan.h"
#include "tests/planner/plan/random_graph.h"
#include "tools/compare/comparison.h"
#include "tools/compare/made_up_inputs.h"
#include "tools/io/difference.h"

namespace arenite::tools {
namespace {

using planner::Graph;
using planner::ValueId;

struct Planned {
  Graph graph;
  std::unique_ptr<ProgramFile> file;
  std::vector<HostTensor> inputs;
  std::map<std::string, HostTensor> expected;  // every value that is computed, by name
};

Planned plan_graph(Graph graph, uint32_t seed, const planner::ShaderSupport& filter = {}) {
  Planned planned;
  planned.graph = std::move(graph);
  planner::PlanOptions options;
  options.boards = {planner::find_board("host")};
  options.optimize = planner::Optimize::kMemory;
  options.shader_filter = filter;
  planned.file = std::make_unique<ProgramFile>(
      planner::plan_graphs({{"main", planned.graph, {}}}, options).program, "random graph");
  const auto inputs = test::test_inputs(planned.graph, seed);
  Graph all = planned.graph;
  all.outputs.clear();
  for (const planner::Node& node : all.nodes) {
    for (const ValueId v : node.outputs) {
      if (v != planner::kNoValue) all.outputs.push_back(v);
    }
  }
  const auto outputs = planner::interpret(all, inputs);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const planner::Value& value = all.values[all.outputs[i]];
    planned.expected[value.name] = {value.dtype, planner::bounds(value.dims), outputs[i]};
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const planner::Value& value = planned.graph.values[planned.graph.inputs[i]];
    planned.inputs.push_back({value.dtype, planner::bounds(value.dims), inputs[i]});
  }
  return planned;
}

Planned plan_random(uint32_t seed, const planner::ShaderSupport& filter = {}) {
  return plan_graph(test::random_graph(seed), seed, filter);
}

using Recorded = std::map<ValueKey, HostTensor>;

Recorded record(const Planned& planned, const char* device, VulkanHost* vulkan,
                uint64_t copies_bytes_max = kCopiesBytesMax) {
  Recorded recorded;
  const Recording recording = record_run(
      *planned.file, {parse_device(device), "", 1, ""}, vulkan, planned.inputs,
      [&](const WrittenValue& written, std::optional<HostTensor> tensor) {
        ASSERT_TRUE(tensor.has_value());
        EXPECT_TRUE(recorded.emplace(written.key, std::move(*tensor)).second) << written.key.name;
      },
      copies_bytes_max);
  EXPECT_FALSE(recording.watching_changed_outputs);
  return recorded;
}

// The recorded value that the graph knows whole; null for others.
const HostTensor* expected_of(const Planned& planned, const ValueKey& key) {
  const auto found = planned.expected.find(key.name);
  return key.part.empty() && found != planned.expected.end() ? &found->second : nullptr;
}

TEST(Recording, CpuStepsGiveWhatTheGraphComputes) {
  size_t compared = 0, parts = 0;
  for (uint32_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Planned planned = plan_random(seed);
    for (const auto& [key, tensor] : record(planned, "cpu", nullptr)) {
      parts += key.part.empty() ? 0u : 1u;
      const HostTensor* expected = expected_of(planned, key);
      if (expected == nullptr) continue;
      ++compared;
      HostTensor reference = *expected;
      reference.dims = tensor.dims;  // outputs may be reshaped
      // Forms by vectors may differ from the interpreter's references in the last bits, and where a
      // reference sums up a thousand powers one by one (softmax), in what it loses.
      const Difference apart = difference(reference, tensor, 4e-5);
      ASSERT_TRUE(apart.agrees()) << describe(key) << ": " << describe(apart);
    }
  }
  EXPECT_GT(compared, 1500u);
  EXPECT_GT(parts, 50u);
}

class OnVulkan : public testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    if (!VulkanHost({}).usable(reason)) GTEST_SKIP() << reason;
  }
};

// x/0 is left to shaders; what follows from it too.
bool all_finite(const HostTensor& tensor) {
  for (uint64_t i = 0; i < tensor.bytes.size() / element_bytes(tensor.dtype); ++i) {
    if (!std::isfinite(number_at(tensor, i))) return false;
  }
  return true;
}

TEST_F(OnVulkan, DeviceStepsGiveWhatTheGraphComputes) {
  // Under validation where its layer is installed.
  VulkanHostOptions host_options;
  host_options.validation = true;
  std::string reason;
  host_options.validation = VulkanHost(host_options).usable(reason);
  VulkanHost vulkan(host_options);
  size_t compared = 0;
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    // Some steps stay on the CPU: transfers both ways.
    uint32_t place = seed;
    const Planned planned =
        plan_random(seed, [&](const Step&) { return seed % 3 == 0 || ++place % 3 != 0; });
    if (planned.file->program().variants().size() < 2) continue;
    const Recorded recorded = record(planned, "vulkan", &vulkan);
    for (const auto& [key, tensor] : recorded) {
      const HostTensor* expected = expected_of(planned, key);
      if (expected == nullptr || !all_finite(*expected)) continue;
      ++compared;
      HostTensor reference = *expected;
      reference.dims = tensor.dims;  // outputs may be reshaped
      const Difference apart = difference(reference, tensor, 1e-4);
      ASSERT_TRUE(apart.agrees()) << describe(key) << ": " << describe(apart);
    }
    if (seed % 20 == 0) {
      // In pieces, a run each, to the same bits.
      EXPECT_EQ(record(planned, "vulkan", &vulkan, 700).size(), recorded.size());
      for (const auto& [key, tensor] : record(planned, "vulkan", &vulkan, 1)) {
        ASSERT_EQ(tensor.bytes, recorded.at(key).bytes) << describe(key);
      }
    }
  }
  EXPECT_GT(compared, 200u);
  EXPECT_EQ(vulkan.validation_messages(), 0u);
}

TEST_F(OnVulkan, PartsOfAConcatenationAreReadOneByOneAndTogether) {
  test::GraphBuilder builder;
  const ValueId x = builder.input({1, 3, 6, 5});
  const ValueId a = builder.conv(x, 64, 3, 1), b = builder.conv(x, 64, 1);
  const ValueId joined = builder.concat({a, b}, 1);
  builder.output(builder.conv(joined, 8, 1));
  const Planned planned = plan_graph(builder.graph(), 1);
  VulkanHost vulkan({});
  const std::string name = builder.graph().values[joined].name;
  for (const char* device : {"cpu", "vulkan"}) {
    size_t parts = 0;
    for (const auto& [key, tensor] : record(planned, device, &vulkan)) {
      if (key.name != name) continue;
      const bool first = !key.part.empty() && key.part[0] == 0;
      const ValueId whole = key.part.empty() ? joined : first ? a : b;
      const HostTensor& expected = planned.expected.at(builder.graph().values[whole].name);
      EXPECT_TRUE(difference(expected, tensor, 1e-5).agrees()) << device << ", " << describe(key);
      parts += key.part.empty() ? 0u : 1u;
    }
    EXPECT_EQ(parts, 2u) << device;
  }
}

TEST(Comparison, OfProgramsWithoutNamesComparesOutputs) {
  const Planned planned = plan_random(5);
  planner::PlanOptions options;
  options.boards = {planner::find_board("host")};
  options.names = false;
  const ProgramFile unnamed(planner::plan_graphs({{"main", planned.graph, {}}}, options).program,
                            "unnamed");
  const Contender one{&unnamed, {parse_device("cpu"), "", 1, ""}, nullptr};
  const Comparison comparison = compare_runs(one, one, make_up_inputs(unnamed, 0), std::nullopt);
  EXPECT_TRUE(comparison.values.empty());
  EXPECT_TRUE(comparison.outputs_agree());
  ASSERT_EQ(comparison.uncompared.size(), 1u);
  EXPECT_EQ(comparison.uncompared[0].why, "unnamed carries no names");
}

TEST(MadeUpInputs, AreTheSameEverywhere) {
  const Planned planned = plan_random(3);
  const auto once = make_up_inputs(*planned.file, 0);
  const auto again = make_up_inputs(*planned.file, 0);
  ASSERT_EQ(once.size(), planned.inputs.size());
  for (size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].bytes, again[i].bytes);
    EXPECT_EQ(once[i].dims, planned.inputs[i].dims);
    if (once[i].dtype != DType::kFloat32) continue;
    for (uint64_t k = 0; k < once[i].bytes.size() / 4; ++k) {
      EXPECT_LE(std::fabs(number_at(once[i], k)), 1.0);
    }
  }
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
