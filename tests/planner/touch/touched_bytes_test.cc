// Planned peak = highest byte that running really touches, in every arena, tails included.
//
// Arenas lie before a page that nobody may touch, then behind one; constants lie before one. They
// are filled with one pattern and then with another: a byte that a run wrote differs from at least
// one of them, and a byte that was read before it was written makes the outputs differ.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "core/instance.h"
#include "planner/import/onnx/import.h"
#include "planner/passes/passes.h"
#include "planner/plan.h"
#include "portable_fallback/forms.h"
#include "support/cpu_features.h"
#include "tests/fuzz/guarded_memory.h"
#include "tests/planner/plan/plain_board.h"
#include "tests/planner/plan/random_graph.h"

namespace arenite::test {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

// Memory between two guard pages, against the one or the other.
class Guarded {
 public:
  enum class Against { kEnd, kStart };
  Guarded(size_t bytes, size_t alignment, Against against)
      : pages_(against == Against::kEnd ? bytes : round_up(bytes, 4096),
               against == Against::kEnd ? alignment : 4096),
        bytes_(pages_.bytes().first(bytes)),
        all_(pages_.bytes().data(), round_up(bytes, against == Against::kEnd ? alignment : 4096)) {}
  std::span<std::byte> bytes() const { return bytes_; }
  // The bytes that alignment leaves between the data and the guard page.
  std::span<std::byte> slack() const { return all_.subspan(bytes_.size()); }

 private:
  static size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }
  fuzz::GuardedMemory pages_;
  std::span<std::byte> bytes_, all_;
};

bool all_are(std::span<const std::byte> bytes, std::byte value) {
  return std::all_of(bytes.begin(), bytes.end(), [&](std::byte b) { return b == value; });
}

// A program whose plan and sections lie in guarded memory of their own, like one in slow flash.
class GuardedProgram {
 public:
  explicit GuardedProgram(const Bytes& file) : file_(file) {
    format::Header header;
    std::memcpy(&header, file.data(), sizeof header);
    const size_t plan_end = header.plan_offset + header.plan_bytes;
    plan_ = std::make_unique<Guarded>(plan_end, format::kSegmentAlignment, Guarded::Against::kEnd);
    std::memcpy(plan_->bytes().data(), file.data(), plan_end);
    EXPECT_TRUE(Program::open(plan_->bytes(), program_, FilePart::kPlan).ok());
    for (const format::SectionRecord& section : program_.sections()) {
      sections_.push_back(std::make_unique<Guarded>(section.bytes, format::kSegmentAlignment,
                                                    Guarded::Against::kEnd));
      spans_.push_back(sections_.back()->bytes());
    }
    platform_.context = this;
    platform_.read_constants = [](void* self, uint32_t offset, void* to, uint32_t bytes) {
      std::memcpy(to, static_cast<GuardedProgram*>(self)->file_.data() + offset, bytes);
      return true;
    };
  }
  const Program& program() const { return program_; }
  const Platform& platform() const { return platform_; }
  std::span<const std::span<std::byte>> sections() const { return spans_; }
  void poison_slack(std::byte poison) const {
    for (const auto& section : sections_) std::ranges::fill(section->slack(), poison);
  }

 private:
  const Bytes& file_;
  std::unique_ptr<Guarded> plan_;
  std::vector<std::unique_ptr<Guarded>> sections_;
  std::vector<std::span<std::byte>> spans_;
  Platform platform_;
  Program program_;
};

struct Touched {
  std::vector<size_t> ends;  // of each arena: the highest byte that changed, plus one
  std::vector<Bytes> outputs;
};

// One run of the last variant, the CPU's.
Touched run_poisoned(const GuardedProgram& file, const std::vector<Bytes>& inputs, std::byte poison,
                     Guarded::Against against) {
  const Program& program = file.program();
  const format::MethodRecord& method = program.methods()[0];
  LoadOptions options;
  options.variant = method.variant_count - 1;
  const format::VariantRecord& variant = program.variants()[options.variant];
  std::vector<std::unique_ptr<Guarded>> memory;
  std::vector<std::span<std::byte>> arenas;
  for (const format::ArenaRecord& arena : program.arenas_of(variant)) {
    memory.push_back(std::make_unique<Guarded>(arena.bytes, arena.alignment, against));
    arenas.push_back(memory.back()->bytes());
  }
  options.arenas = arenas;
  options.ops = all_ops();
  options.features = kEmulatedCpuFeatures;  // as hosts run the forms of microcontrollers
  options.platform = &file.platform();
  options.sections = file.sections();
  std::vector<uint32_t> proof(variant.value_count);
  options.proof = proof;
  AnyInstance instance;
  const Status loaded = instance.load(program, options);
  EXPECT_TRUE(loaded.ok()) << "code " << static_cast<uint32_t>(loaded.code);
  if (!loaded.ok()) return {};
  file.poison_slack(poison);
  for (const auto& arena : memory) {
    std::ranges::fill(arena->bytes(), poison);
    std::ranges::fill(arena->slack(), poison);
  }
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    EXPECT_LE(inputs[i].size(), instance.input(i).size());
    std::ranges::copy(inputs[i], instance.input(i).begin());
  }
  const Status ran = instance.run();
  EXPECT_TRUE(ran.ok()) << "code " << static_cast<uint32_t>(ran.code);
  Touched touched;
  for (const auto& arena : memory) {
    size_t end = arena->bytes().size();
    while (end > 0 && arena->bytes()[end - 1] == poison) --end;
    touched.ends.push_back(end);
    EXPECT_TRUE(all_are(arena->slack(), poison)) << "bytes behind the arena were written";
  }
  for (uint32_t i = 0; i < method.output_count; ++i) {
    const auto output = instance.output(i);
    touched.outputs.emplace_back(output.begin(), output.end());
  }
  return touched;
}

void expect_peaks_touched(const planner::PlanResult& planned, const std::vector<Bytes>& inputs) {
  const GuardedProgram file(planned.program);
  const planner::VariantReport& report = planned.report.variants.back();
  std::vector<Bytes> outputs;
  for (const Guarded::Against against : {Guarded::Against::kEnd, Guarded::Against::kStart}) {
    std::vector<size_t> ends(report.arenas.size());
    for (const std::byte poison : {std::byte{0xa5}, std::byte{0x5a}}) {
      const Touched touched = run_poisoned(file, inputs, poison, against);
      ASSERT_EQ(touched.ends.size(), ends.size());
      for (size_t i = 0; i < ends.size(); ++i) ends[i] = std::max(ends[i], touched.ends[i]);
      if (outputs.empty()) outputs = touched.outputs;
      EXPECT_TRUE(touched.outputs == outputs) << "bytes were read before they were written";
    }
    for (size_t i = 0; i < ends.size(); ++i) {
      EXPECT_EQ(ends[i], report.arenas[i].peak_bytes) << report.arenas[i].name;
    }
  }
}

// Small finite numbers that differ from byte to byte, for any float input.
std::vector<Bytes> some_inputs(const Graph& graph) { return test_inputs(graph, 3); }

planner::PlanOptions options_for(const char* board) {
  planner::PlanOptions options;
  options.boards = {plain_board(board)};
  options.optimize = planner::Optimize::kMemory;
  options.image = "harness";  // its store holds larger programs than the flash
  return options;
}

void expect_model_touches_its_peaks(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(stream), {}};
  ASSERT_FALSE(text.empty()) << path;
  Graph graph = planner::import_onnx(std::as_bytes(std::span(text)), {});
  planner::optimize(graph);
  const std::vector<Bytes> inputs = some_inputs(graph);
  for (const char* board : {"host", "mps3-an547"}) {
    SCOPED_TRACE(board);
    expect_peaks_touched(planner::plan_graphs({{"main", graph, {}}}, options_for(board)), inputs);
  }
}

TEST(TouchedBytes, Digits) {
  expect_model_touches_its_peaks(fs::path(ARENITE_SOURCE_DIR) / "examples/digits/digits.onnx");
}

class TouchedByNode : public testing::TestWithParam<const char*> {};

TEST_P(TouchedByNode, PeaksAreTouched) {
  const fs::path path = fs::path(ARENITE_ONNX_CASES_DIR) / "node" / GetParam() / "model.onnx";
  if (!fs::exists(path)) GTEST_SKIP() << path << " is absent";
  expect_model_touches_its_peaks(path);
}

INSTANTIATE_TEST_SUITE_P(
    Onnx, TouchedByNode,
    testing::Values("test_basic_conv_with_padding", "test_conv_with_strides_padding",
                    "test_averagepool_2d_ceil", "test_averagepool_3d_default",
                    "test_maxpool_2d_dilations", "test_globalaveragepool",
                    "test_gemm_all_attributes", "test_matmul_4d", "test_add_bcast",
                    "test_softmax_axis_1", "test_relu", "test_hardsigmoid", "test_concat_2d_axis_1",
                    "test_transpose_all_permutations_3", "test_reduce_mean_keepdims_random",
                    "test_batchnorm_example"),
    [](const auto& tested) { return std::string(tested.param); });

class TouchedByModel : public testing::TestWithParam<const char*> {};

TEST_P(TouchedByModel, PeaksAreTouched) {
  const char* variable = std::getenv("ARENITE_SHARED");
  const fs::path shared = variable != nullptr ? variable : ARENITE_SHARED_DIR;
  const fs::path path = shared / "models" / GetParam() / "model.onnx";
  if (!fs::exists(path)) GTEST_SKIP() << path << " is absent";
  expect_model_touches_its_peaks(path);
}

INSTANTIATE_TEST_SUITE_P(Shared, TouchedByModel,
                         testing::Values("onnx_mnist8", "onnx_ultraface_rfb320",
                                         "onnx_tv_mobilenet_v3_small"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST(TouchedBytes, RandomGraphs) {
  for (uint32_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = random_graph(seed);
    const planner::PlanResult planned =
        planner::plan_graphs({{"main", graph, {}}}, options_for("host"));
    expect_peaks_touched(planned, test_inputs(graph, seed));
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
