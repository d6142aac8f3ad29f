// Every case of every operator, in every layout, on a Vulkan device: it matches the CPU, or the
// step belongs to the kinds that the CPU does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "kernels/dispatch/depthwise_tile.h"
#include "tests/environment_count.h"
#include "tests/kernels/on_vulkan.h"
#include "tests/ops/cases.h"

namespace arenite::test {
namespace {

using ops_test::OpCase;
using ops_test::Operand;

bool is_empty(const Operand& operand) {
  return !operand.absent && ops_test::count_of(operand.dims) == 0;
}

bool has_type(const Operand& operand, DType type) {
  return operand.absent || operand.dtype == type;
}

bool all_have_type(const OpCase& c, DType type) {
  for (const Operand& x : c.inputs) {
    if (!has_type(x, type)) return false;
  }
  for (const Operand& y : c.outputs) {
    if (!has_type(y, type)) return false;
  }
  return true;
}

// Whether a shader of the operator has a twin for 16-bit floats.
bool has_twin(Op op) {
  const std::string family(ops_test::family_of(op));
  if (family == "unary" || family == "softmax" || family == "pool") return true;
  if (family == "binary") return op < Op::kEqual || op > Op::kLogicalXor;
  if (family == "reduce") return op != Op::kArgMax && op != Op::kArgMin;
  switch (op) {
    case Op::kClip:
    case Op::kConv:
    case Op::kConv3d:
    case Op::kConvTranspose:
    case Op::kMatMul:
    case Op::kNormalize:
    case Op::kLrn:
    case Op::kGridSample:
    case Op::kPointwiseDepthwise:
    case Op::kSqueezeExcite:
    case Op::kAttention:
    case Op::kBatchNormalization:
      return true;
    default:
      return false;
  }
}

// Whether shaders run the case on a device with, or without, elements of 16 bits; decided
// independently of kernels/dispatch.
bool runs_on_vulkan(const OpCase& c, bool has_halves) {
  if (all_have_type(c, DType::kFloat16) && has_twin(c.op)) {
    OpCase wide = c;
    for (Operand& x : wide.inputs) x.dtype = DType::kFloat32;
    for (Operand& y : wide.outputs) y.dtype = DType::kFloat32;
    const bool by_shader_of_floats = c.op != Op::kClip || c.inputs.size() == 1;
    return has_halves && by_shader_of_floats && runs_on_vulkan(wide, has_halves);
  }
  bool empty_input = false;
  for (const Operand& x : c.inputs) empty_input = empty_input || is_empty(x);
  const bool moves = ops_test::family_of(c.op) == "move";
  bool results = false;
  for (const Operand& y : c.outputs) results = results || !is_empty(y);
  if (empty_input && results && !moves) return false;
  if (moves) return true;
  const auto element = [](DType type) {
    return type == DType::kFloat32 || type == DType::kInt32 || type == DType::kInt16 ||
           type == DType::kUint16 || type == DType::kInt8 || type == DType::kUint8 ||
           type == DType::kBool;
  };
  if (ops_test::family_of(c.op) == "unary") return element(c.inputs[0].dtype);
  if (c.op == Op::kShiftLeft || c.op == Op::kShiftRight)
    return !has_type(c.inputs[0], DType::kUint64);
  if (ops_test::family_of(c.op) == "binary") {
    const DType a = c.inputs[0].dtype, b = c.inputs[1].dtype;
    // A power of an integer to a float is the CPU's.
    return element(a) && element(b) && (a == b || b != DType::kFloat32);
  }
  if (ops_test::family_of(c.op) == "reduce") return element(c.inputs[0].dtype);
  if (ops_test::family_of(c.op) == "recurrent") return true;
  if (ops_test::family_of(c.op) == "indexed") {
    return ops_test::attributes_of<IndexedAttributes>(c).reduction == 0 ||
           has_type(c.outputs[0], DType::kFloat32) || has_type(c.outputs[0], DType::kInt32);
  }
  switch (c.op) {
    case Op::kOneHot:
    case Op::kReverseSequence:
      return true;
    case Op::kClip:
    case Op::kTopK:
      return element(c.inputs[0].dtype);
    case Op::kCumSum:
      return has_type(c.inputs[0], DType::kFloat32) || has_type(c.inputs[0], DType::kInt32);
    case Op::kMaxPool:
      return element(c.inputs[0].dtype) && c.outputs.size() == 1;
    case Op::kAttention:
      return c.outputs[0].dims.back() <= 256;
    case Op::kPointwiseDepthwise:
    case Op::kQuantizedPointwiseDepthwise:
      return c.inputs[3].dims[0] * c.inputs[3].dims[1] <= kTapsMax;
    case Op::kBatchNormalization:
      return ops_test::attributes_of<BatchNormalizationAttributes>(c).training == 0;
    case Op::kGather:
    case Op::kSqueezeExcite:
    case Op::kWhere:
      return true;
    case Op::kMaxUnpool:
      return true;
    case Op::kRoiAlign:
      return has_type(c.inputs[0], DType::kFloat32);
    case Op::kResize:  // moved or weighed
      return c.inputs.size() == 2 || has_type(c.inputs[0], DType::kFloat32) ||
             has_type(c.inputs[0], DType::kInt8) || has_type(c.inputs[0], DType::kUint8);
    case Op::kDynamicQuantize:
    case Op::kLookup:
    case Op::kQuantize:
    case Op::kDequantize:
    case Op::kRequantize:
    case Op::kSvdf:
    case Op::kQuantizedLstm:
    case Op::kQuantizedConv:
    case Op::kQuantizedConvAdd:
    case Op::kQuantizedConvLookup:
    case Op::kQuantizedExcite:
    case Op::kQuantizedConvTranspose:
    case Op::kQuantizedMatMul:
    case Op::kQuantizedAdd:
    case Op::kQuantizedMul:
    case Op::kQuantizedPRelu:
    case Op::kQuantizedAveragePool:
    case Op::kQuantizedSum:
    case Op::kQuantizedSoftmax:
      return true;
    case Op::kCast: {
      const DType from = c.inputs[0].dtype, to = c.outputs[0].dtype;
      const auto integer = [](DType type) {
        return type == DType::kInt32 || type == DType::kUint32;
      };
      const auto converts = [&](DType type) {
        return element(type) || type == DType::kFloat16 || type == DType::kBfloat16;
      };
      const bool wide = from == DType::kInt64 || from == DType::kUint64;
      return from == to || ((wide || integer(from)) && integer(to)) ||
             (converts(from) && converts(to) && !(from == DType::kInt32 && to == DType::kBfloat16));
    }
    case Op::kConv:
    case Op::kConv3d:
    case Op::kConvTranspose:
    case Op::kMatMul:
      return true;  // narrow weights too
    default:
      return all_have_type(c, DType::kFloat32);
  }
}

// Which of an operator's cases run in all layouts, and in which ways: every m-th, from the first
// on. Where these are more than `most`, as of operators that have cases for every pair of types, m
// is larger.
class VariedCases {
 public:
  VariedCases(Op op, uint32_t every, uint32_t most) : every_(std::max(every, 1u)) {
    const auto all =
        static_cast<uint32_t>(std::ranges::count(ops_test::all_cases(), op, &OpCase::op));
    every_ = std::max(every_, parts(all, most));
    varied_ = parts(all, every_);
  }
  bool has(uint32_t number) const { return number % every_ == 0; }
  // Whether this case runs in this one of its ways: in about `most` of them, each of these cases in
  // other ones, so that together they run in all.
  bool in_way(uint32_t number, uint32_t way, uint32_t ways, uint32_t most) const {
    const uint32_t shares = std::clamp(parts(ways, most), 1u, std::max(varied_, 1u));
    return way % shares == number / every_ % shares;
  }

 private:
  static uint32_t parts(uint32_t count, uint32_t size) {
    return count / size + (count % size != 0 ? 1 : 0);
  }
  uint32_t every_;
  uint32_t varied_ = 0;
};

// Shaders that read panels multiply a zero for a tap outside of the input, not nothing
// (docs/design.md, Vulkan): a weight that is not finite shows there.
bool shows_outside(const OpCase& c) {
  if (c.op != Op::kConv || c.inputs[1].layout != Layout::kPanel16) return false;
  return !std::ranges::all_of(c.inputs[1].values,
                              [](ops_test::Number n) { return std::isfinite(n); });
}

class OpsOnVulkan : public testing::TestWithParam<Op> {
 protected:
  static void SetUpTestSuite() { runner_ = open_test_device(why_).release(); }
  static void TearDownTestSuite() {
    delete runner_;
    runner_ = nullptr;
  }
  static bool has_halves() {
    return runner_->capabilities().numbers[static_cast<uint32_t>(Capability::kStorage16Bit)] != 0;
  }
  static VulkanRunner* runner_;
  static std::string why_;
};

VulkanRunner* OpsOnVulkan::runner_ = nullptr;
std::string OpsOnVulkan::why_;

TEST_P(OpsOnVulkan, MatchTheCpu) {
  if (runner_ == nullptr) GTEST_SKIP() << "no device to test on: " << why_;
  // Drivers on the CPU compile slowly. The test tries every n-th case of an operator, from the
  // first on, and every m-th in its layouts and ways.
  const uint32_t tried = std::max(environment_count("ARENITE_TEST_EVERY", 1), 1u);
  const VariedCases varied(GetParam(), environment_count("ARENITE_TEST_VARIED_EVERY", 1),
                           environment_count("ARENITE_TEST_VARIED_MAX", UINT32_MAX));
  const uint32_t ways_max = environment_count("ARENITE_TEST_WAYS_MAX", UINT32_MAX);
  // Of each way at most so many steps that take pipelines which no step before had.
  const uint32_t builds_max = environment_count("ARENITE_TEST_BUILDS", UINT32_MAX);
  std::map<std::pair<uint8_t, uint32_t>, uint32_t> builds;  // by form and choice
  const auto left_out = [&](const OpCase& c, uint32_t shift, std::optional<size_t> way) {
    if (builds_max == UINT32_MAX) return false;
    const auto taken = way_taken(c, *runner_, shift, way);
    if (!taken.has_value() || taken->pipelines == 0) return false;
    return ++builds[{taken->form, taken->choice}] > builds_max;
  };
  uint32_t on_vulkan = 0, on_cpu = 0, number = 0;
  for (const OpCase& original : ops_test::all_cases()) {
    if (original.op != GetParam()) continue;
    const uint32_t at = number++;
    if (at % tried != 0) continue;
    std::vector<OpCase> all;
    if (varied.has(at)) all = other_layouts(original);
    all.insert(all.begin(), original);
    uint32_t shift = 0;  // every second time elements of less than a word begin within one
    for (const OpCase& c : all) {
      if (left_out(c, shift, {})) continue;
      bool supported = false;
      const std::string difference = compare_with_cpu(c, on_device(*runner_, shift), supported);
      if (!shows_outside(c)) {
        EXPECT_EQ(difference, "") << c.name;
      }
      EXPECT_EQ(supported, runs_on_vulkan(c, has_halves())) << c.name;
      ++(supported ? on_vulkan : on_cpu);
      shift = 4 - shift;
    }
    // The step runs in other ways too, not only in the one that the planner takes.
    const uint32_t ways = varied.has(at) ? count_ways(original, *runner_) : 0;
    for (uint32_t way = 0; way < ways; ++way) {
      if (!varied.in_way(at, way, ways, ways_max) || left_out(original, 0, way)) continue;
      bool has_way = false;
      EXPECT_EQ(compare_with_cpu(original, on_device(*runner_, 0, way), has_way), "")
          << original.name << " in way " << way;
      EXPECT_TRUE(has_way) << original.name << " in way " << way;
    }
  }
  EXPECT_GT(on_vulkan, 0u);
  EXPECT_EQ(runner_->messages(), std::vector<std::string>{});
  RecordProperty("on_vulkan", static_cast<int>(on_vulkan));
  RecordProperty("on_cpu", static_cast<int>(on_cpu));
  std::printf("%s: %u on %s, %u left to the CPU\n", ops_test::op_name(GetParam()), on_vulkan,
              runner_->device_name().c_str(), on_cpu);
}

// Floats that a device keeps in 16 bits: the step of float32 with halves in place of them.
TEST_P(OpsOnVulkan, MatchTheCpuInHalves) {
  if (runner_ == nullptr) GTEST_SKIP() << "no device to test on: " << why_;
  if (!has_halves()) GTEST_SKIP() << runner_->device_name() << " has no storage of 16 bits";
  const uint32_t tried = environment_count("ARENITE_TEST_HALVES_EVERY", 1);
  uint32_t on_vulkan = 0, number = 0, shift = 0;
  for (const OpCase& original : ops_test::all_cases()) {
    if (original.op != GetParam()) continue;
    const auto narrow = in_halves(original);
    if (!narrow.has_value() || number++ % std::max(tried, 1u) != 0) continue;
    bool supported = false;
    const std::string difference = compare_halves(*narrow, on_device(*runner_, shift), supported);
    if (!shows_outside(original)) {
      EXPECT_EQ(difference, "") << narrow->name;
    }
    on_vulkan += supported ? 1 : 0;
    shift = 4 - shift;
  }
  if (has_twin(GetParam()) && number != 0) {
    EXPECT_GT(on_vulkan, 0u);
  }
  EXPECT_EQ(runner_->messages(), std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(All, OpsOnVulkan, testing::ValuesIn(ops_with_shaders()),
                         [](const testing::TestParamInfo<Op>& op) {
                           return std::string(ops_test::op_name(op.param));
                         });

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
