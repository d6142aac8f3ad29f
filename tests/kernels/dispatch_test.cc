// Dispatches without a device: limits for any shape, the same every time, loops collapsed rightly.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <limits>
#include <random>
#include <set>
#include <utility>

#include "kernels/dispatch/binding.h"
#include "kernels/dispatch/kin.h"
#include "kernels/shader_table.h"
#include "kernels/shaders/matmul.h"
#include "kernels/shaders/matmul_tile.h"
#include "kernels/shaders/unary.h"
#include "tests/kernels/dispatch_rules.h"
#include "tests/kernels/random_cases.h"
#include "tests/ops/case_step.h"
#include "tests/ops/cases.h"

namespace arenite::test {
namespace {

using ops_test::CaseStep;
using ops_test::OpCase;
using ops_test::words;

using UnaryPush = shaders::Unary::Push;

// The place of a word among those of a dispatch, by its offset in the shader's struct.
constexpr uint32_t place_of(size_t offset) {
  return static_cast<uint32_t>(offset / sizeof(uint32_t));
}

bool same(const std::vector<Dispatch>& a, const std::vector<Dispatch>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Dispatch)) == 0;
}

TEST(Shaders, AreNumberedAsInShadersDef) {
  const char* names[] = {
#define ARENITE_SHADER(number, name, Type, buffers) #name,
#include "kernels/shaders.def"
  };
  std::set<uint32_t> hashes;
  ASSERT_EQ(all_shaders().size(), std::size(names));
  for (size_t i = 0; i < std::size(names); ++i) {
    const ShaderCode& code = all_shaders()[i];
    EXPECT_STREQ(code.name, names[i]);
    EXPECT_EQ(code.words[0], 0x07230203u);
    EXPECT_LE(code.buffers, kMaxBuffers);
    EXPECT_TRUE(hashes.insert(code.hash).second) << code.name;
  }
}

TEST(Dispatches, KeepTheLimitsAndRepeat) {
  for (const OpCase& any : ops_test::all_cases()) {
    CaseStep step(any);
    const Bindings bindings = step.bindings();
    const Step at(bindings, step.record(), 0);
    const std::vector<DispatchPlan> ways = ways_of(at, plain_device());
    EXPECT_EQ(plan_dispatches(at, plain_device()).has_value(), !ways.empty()) << any.name;
    for (const DispatchPlan& way : ways) {
      const CarriedOut carried(at, way);
      const auto dispatches = dispatches_of(carried.step());
      EXPECT_EQ(fault_of(carried.step(), dispatches), "") << any.name;
      EXPECT_TRUE(same(dispatches, dispatches_of(carried.step()))) << any.name;
    }
  }
}

// One float32 value for each operand of a step that is only looked at.
struct Sketch {
  std::vector<format::ValueRecord> values;
  std::vector<uint32_t> shapes, operands, attributes;
  format::StepRecord record = {};
  Bindings bindings;

  void add(const std::vector<uint32_t>& dims, bool dense = true, uint32_t offset = 0) {
    format::ValueRecord value = {};
    value.dtype = static_cast<uint8_t>(DType::kFloat32);
    value.rank = static_cast<uint8_t>(dims.size());
    value.shape = static_cast<uint32_t>(shapes.size());
    value.offset = offset;
    uint64_t elements = 1;
    std::vector<uint32_t> strides(dims.size());
    for (size_t d = dims.size(); d-- > 0;) {
      strides[d] = dense ? static_cast<uint32_t>(elements) : 0;
      elements *= dense ? dims[d] : 1;
    }
    value.bytes = static_cast<uint32_t>(elements * 4);
    shapes.insert(shapes.end(), dims.begin(), dims.end());
    shapes.insert(shapes.end(), strides.begin(), strides.end());
    operands.push_back(static_cast<uint32_t>(values.size()));
    values.push_back(value);
  }
  Step step(Op op, uint32_t inputs, std::vector<uint32_t> words = {}) {
    attributes = std::move(words);
    record.op = static_cast<uint16_t>(op);
    record.input_count = static_cast<uint16_t>(inputs);
    record.output_count = static_cast<uint8_t>(values.size() - inputs);
    record.attribute_words = static_cast<uint16_t>(attributes.size());
    bindings.values = values.data();
    bindings.shapes = shapes.data();
    bindings.operands = operands.data();
    bindings.attributes = attributes.data();
    return Step(bindings, record, 0);
  }
};

TEST(Dispatches, HugeGridsStayWithinLimits) {
  std::mt19937 draw(1);
  for (uint32_t i = 0; i < 300; ++i) {
    std::vector<uint32_t> dims(1 + draw() % 8);
    uint64_t room = (uint64_t{1} << 30) - 1;
    for (uint32_t& d : dims) {
      d = static_cast<uint32_t>(1 + draw() % std::min<uint64_t>(room, 3000000));
      room /= d;
    }
    Sketch sketch;
    sketch.add(dims, draw() % 2 == 0);
    sketch.add(dims);
    const Step step = sketch.step(Op::kSigmoid, 1);
    ASSERT_TRUE(plan_dispatches(step, plain_device()).has_value());
    const auto dispatches = dispatches_of(step);
    ASSERT_EQ(fault_of(step, dispatches), "");
    uint64_t covered = 0, count = 1;
    for (uint32_t d : dims) count *= d;
    for (const Dispatch& dispatch : dispatches) {
      covered += uint64_t{dispatch.groups[0]} * dispatch.groups[1] * kWorkgroupSize;
    }
    EXPECT_GE(covered, count);
    // A flat index must not wrap.
    EXPECT_LE(covered, std::numeric_limits<uint32_t>::max());
  }
}

TEST(Dispatches, RefuseRangesThatCannotBeBound) {
  Sketch sketch;
  sketch.add({1u << 20});
  sketch.add({1u << 20});
  const Step step = sketch.step(Op::kSigmoid, 1);
  EXPECT_TRUE(plan_dispatches(step, plain_device((4u << 20) + 255)).has_value());
  EXPECT_FALSE(plan_dispatches(step, plain_device((4u << 20) + 254)).has_value());
}

TEST(Dispatches, RefuseAxesThatIndicesCannotReach) {
  for (const uint32_t size : {0x7fffffffu, 0x80000000u}) {
    Sketch sketch;
    sketch.add({size, 3}, false);
    sketch.add({2});
    sketch.add({2, 3});
    sketch.values[1].dtype = static_cast<uint8_t>(DType::kInt32);
    const Step step = sketch.step(Op::kGather, 2, words(GatherAttributes{0}));
    EXPECT_EQ(plan_dispatches(step, plain_device()).has_value(), size == 0x7fffffffu);
  }
}

TEST(Dispatches, SplitDimsThatPushWordsCannotHold) {
  // a, broadcast along every second dim, joins none of them.
  Sketch sketch;
  const std::vector<uint32_t> dims = {2, 3, 2, 3, 2, 3, 2, 3};
  sketch.add({2, 3, 2, 3, 2, 3, 2, 3});
  for (uint32_t d = 0; d < 8; d += 2) sketch.shapes[8 + d] = 0;
  sketch.add(dims);
  sketch.add(dims);
  const Step step = sketch.step(Op::kAdd, 2, std::vector<uint32_t>(3));
  const auto dispatches = dispatches_of(step);
  EXPECT_EQ(dispatches.size(), 4u);  // two dims of 2 are left to the outside
  EXPECT_EQ(fault_of(step, dispatches), "");
  for (size_t i = 1; i < dispatches.size(); ++i) EXPECT_TRUE(dispatches[i].barrier_before);
}

TEST(Dispatches, CollapseDenseTensorsToOneDim) {
  // Channels last on both sides: one flat loop although no dim order says so.
  Sketch sketch;
  sketch.add({2, 8, 5, 7});
  sketch.add({2, 8, 5, 7});
  const uint32_t channels_last[] = {280, 1, 56, 8};
  std::copy_n(channels_last, 4, sketch.shapes.begin() + 4);
  std::copy_n(channels_last, 4, sketch.shapes.begin() + 12);
  const auto dispatches = dispatches_of(sketch.step(Op::kSigmoid, 1));
  ASSERT_EQ(dispatches.size(), 1u);
  EXPECT_EQ(dispatches[0].push[place_of(offsetof(UnaryPush, count))], 560u);
  EXPECT_EQ(dispatches[0].push[place_of(offsetof(UnaryPush, rank))], 1u);
}

TEST(Dispatches, AnEmptyOutputHasNone) {
  Sketch sketch;
  sketch.add({2, 0, 3});
  sketch.add({2, 0, 3});
  EXPECT_TRUE(dispatches_of(sketch.step(Op::kSigmoid, 1)).empty());
}

TEST(Dispatches, SkipsFollowThePlace) {
  Sketch sketch;
  sketch.add({4}, true, 1024 + 36);
  sketch.add({4}, true, 4096);
  const Step step = sketch.step(Op::kSigmoid, 1);
  EXPECT_EQ(storage_offset(sketch.bindings, 0), 1060u);
  EXPECT_EQ(buffer_skip(sketch.bindings, 0), 9u);
  const auto dispatches = dispatches_of(step);
  EXPECT_EQ(dispatches[0].push[place_of(offsetof(UnaryPush, x_skip))], 9u);
  EXPECT_EQ(dispatches[0].push[place_of(offsetof(UnaryPush, y_skip))], 0u);
}

TEST(Dispatches, ViewsAndUnknownOpsHaveNone) {
  Sketch sketch;
  sketch.add({4});
  sketch.add({4});
  const Step step = sketch.step(Op::kReshape, 1);
  EXPECT_FALSE(plan_dispatches(step, plain_device()).has_value());
  EXPECT_EQ(emit_dispatches(step, {nullptr, nullptr}).code, Code::kUnsupported);
  const Step unknown = sketch.step(static_cast<Op>(999), 1);
  EXPECT_FALSE(plan_dispatches(unknown, plain_device()).has_value());
}

TEST(Dispatches, AreThoseOfTheStoredFormAndChoice) {
  Sketch sketch;
  sketch.add({8, 16});
  sketch.add({16, 8});
  sketch.add({8, 8});
  const Step step = sketch.step(Op::kMatMul, 2, std::vector<uint32_t>(5));
  const auto plan = plan_dispatches(step, plain_device());
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->form, 0u);
  EXPECT_EQ(plan->choice, 5u);  // four rows an invocation, and two share a tile
  sketch.record.choice = plan->choice;
  constexpr uint32_t kRows = place_of(offsetof(shaders::MatMul::Spec, rows));
  EXPECT_EQ(dispatches_of(step).at(0).spec[kRows], 4u);
  sketch.record.choice = 0;
  EXPECT_EQ(dispatches_of(step).at(0).spec[kRows], 1u);
}

// Tiles in shared memory, of 64 rows or, where there are few of those, of 32.
TEST(Dispatches, OfProductsOfManyRowsBringTiles) {
  const auto plan_of = [](uint32_t rows, uint32_t depth, uint32_t columns) {
    Sketch sketch;
    sketch.add({rows, depth});
    sketch.add({depth, columns});
    sketch.add({rows, columns});
    const Step step = sketch.step(Op::kMatMul, 2, std::vector<uint32_t>(5));
    const auto plan = plan_dispatches(step, plain_device());
    CarriedOut carried(step, *plan);
    EXPECT_EQ(fault_of(carried.step(), dispatches_of(carried.step())), "");
    return std::pair(uint32_t{plan->form}, plan->choice);
  };
  EXPECT_EQ(plan_of(577, 768, 3072), std::pair(2u, 0u));
  EXPECT_EQ(plan_of(577, 768, 768), std::pair(2u, 4u));  // sums in four parts
  EXPECT_EQ(plan_of(577, 704, 768), std::pair(2u, 1u));
  EXPECT_EQ(plan_of(577, 32, 3072).first, 0u);
  EXPECT_EQ(plan_of(2048, 768, 2048), std::pair(2u, 8u));  // wide
  EXPECT_EQ(plan_of(2048, 764, 2048), std::pair(2u, 0u));
  EXPECT_EQ(plan_of(64, 768, 1024).first, 0u);
  EXPECT_EQ(plan_of(577, 767, 3072).first, 0u);  // no vectors
}

// The shader that a device with cooperative matrices runs for a product of 16-bit floats, of which
// it has so much shared memory.
TEST(Kin, OfTilesOfHalvesMultiplyMatrices) {
  const auto shader_of_product = [](uint32_t size, uint32_t depth, uint32_t shared_bytes,
                                    DType weights) {
    Sketch sketch;
    sketch.add({size, depth});
    sketch.add({depth, size});
    sketch.values.back().dtype = static_cast<uint32_t>(weights);
    sketch.add({size, size});
    const Step step = sketch.step(Op::kMatMul, 2, std::vector<uint32_t>(5));
    Capabilities device = plain_device();
    CarriedOut carried(step, *plan_dispatches(step, device));
    const Dispatch first = dispatches_of(carried.step()).at(0);
    EXPECT_EQ(first.shader, Shader::kMatMulTile);
    const std::span spec(first.spec, first.spec_count);
    EXPECT_EQ(best_kin(Shader::kMatMulTileHalf, spec, device), Shader::kMatMulTileHalf);
    const auto set = [&device](Capability which, uint32_t number) {
      device.numbers[static_cast<uint32_t>(which)] = number;
    };
    set(Capability::kCooperativeMatrix, 1);
    set(Capability::kStorage16Bit, 1);
    set(Capability::kSubgroupSize, 32);
    set(Capability::kWorkgroupInvocations, 1024);
    set(Capability::kWorkgroupSizeX, 1024);
    set(Capability::kSharedMemoryBytes, shared_bytes);
    EXPECT_EQ(best_kin(Shader::kMatMulTile, spec, device), Shader::kMatMulTile);
    return best_kin(Shader::kMatMulTileHalf, spec, device);
  };
  EXPECT_EQ(shader_of_product(1024, 768, 49152, DType::kFloat16), Shader::kMatMulTileCooperative);
  EXPECT_EQ(shader_of_product(1024, 768, 49152, DType::kFloat32), Shader::kMatMulTileHalf);
  EXPECT_EQ(shader_of_product(2048, 768, 49152, DType::kFloat16), Shader::kMatMulTileWide);
  EXPECT_EQ(shader_of_product(2048, 768, 16384, DType::kFloat16), Shader::kMatMulTileCooperative);
  // No vectors of eight.
  EXPECT_EQ(shader_of_product(2052, 764, 49152, DType::kFloat16), Shader::kMatMulTileCooperative);
}

TEST(Dispatches, OfAttentionOfManyQueriesBringTiles) {
  const auto form_of = [](uint32_t queries, uint32_t width, uint32_t causal) {
    Sketch sketch;
    for (int i = 0; i < 4; ++i) sketch.add({12, queries, width});
    const Step step = sketch.step(Op::kAttention, 3, {0x3f800000u, causal, 0});
    const auto plan = plan_dispatches(step, plain_device());
    sketch.record.form = plan->form;
    sketch.record.choice = plan->choice;
    EXPECT_EQ(fault_of(step, dispatches_of(step)), "");
    return uint32_t{plan->form};
  };
  EXPECT_EQ(form_of(577, 64, 0), 1u);
  EXPECT_EQ(form_of(577, 64, 1), 0u);
  EXPECT_EQ(form_of(577, 68, 0), 0u);
  EXPECT_EQ(form_of(60, 64, 0), 0u);
}

// Matrices of one row each that all are multiplied by one matrix are the rows of one.
TEST(Dispatches, OfProductsWithOneMatrixTakeTheRowsOfABatch) {
  const auto rows_of_tiles = [](bool one) {
    Sketch sketch;
    sketch.add({40, 1, 16});
    sketch.add({40, 16, 8});
    if (one) sketch.shapes[sketch.values.back().shape + 3] = 0;  // from one to the next
    sketch.add({40, 1, 8});
    const Step step = sketch.step(Op::kMatMul, 2, std::vector<uint32_t>(5));
    const auto plan = plan_dispatches(step, plain_device());
    if (!plan.has_value()) return 0u;
    sketch.record.choice = plan->choice;
    constexpr uint32_t kRows = place_of(offsetof(shaders::MatMul::Spec, rows));
    const auto dispatches = dispatches_of(step);
    EXPECT_EQ(fault_of(step, dispatches), "");
    return dispatches.at(0).spec[kRows];
  };
  EXPECT_EQ(rows_of_tiles(false), 1u);
  EXPECT_EQ(rows_of_tiles(true), 4u);
}

TEST(Dispatches, OfSeveralSizesAreOfOneFormAndChoice) {
  const auto make = [](Sketch& sketch, uint32_t depth) {
    sketch.add({4, depth});
    sketch.add({depth, 8});
    sketch.add({4, 8});
    return sketch.step(Op::kMatMul, 2, std::vector<uint32_t>(5));
  };
  Sketch sketches[3];
  const Step most = make(sketches[0], 4096);
  const Step some = make(sketches[1], 64);
  const Step one = make(sketches[2], 1);
  const auto alone = plan_dispatches(most, plain_device());
  ASSERT_TRUE(alone.has_value());
  EXPECT_EQ(alone->choice, 17u);  // tiles of four rows, which 32 invocations share
  EXPECT_EQ(plan_dispatches(some, plain_device())->choice, 11u);
  EXPECT_EQ(plan_dispatches(one, plain_device())->choice, 2u);
  const Step all[] = {most, some, one};
  const auto together = plan_dispatches(all, plain_device());
  ASSERT_TRUE(together.has_value());
  EXPECT_EQ(together->form, alone->form);
  EXPECT_EQ(together->choice, alone->choice);
}

// The rows of some are long enough for subgroups; of all, a size's choice is taken by the others.
TEST(Dispatches, OfSizesOfWhichOneWouldTakeAnotherForm) {
  const auto make = [](Sketch& sketch, uint32_t length) {
    for (int i = 0; i < 2; ++i) sketch.add({4, length});
    return sketch.step(Op::kSoftmax, 1, {1u << 1});
  };
  Capabilities device = plain_device();
  device.numbers[static_cast<uint32_t>(Capability::kSubgroupSize)] = 32;
  Sketch sketches[2];
  const Step longer = make(sketches[0], 1000);
  const Step shorter = make(sketches[1], 3);
  EXPECT_EQ(plan_dispatches(longer, device)->form, 1u);
  EXPECT_EQ(plan_dispatches(shorter, device)->form, 0u);
  const Step both[] = {longer, shorter};
  const auto together = plan_dispatches(both, device);
  ASSERT_TRUE(together.has_value());
  EXPECT_EQ(together->form, 1u);
  device.numbers[static_cast<uint32_t>(Capability::kSubgroupSize)] = 0;
  EXPECT_EQ(plan_dispatches(both, device)->form, 0u);
}

// Over rows and columns of images whose channels lie side by side: small ones in one dispatch, by a
// group for each channel, large ones first along their columns.
TEST(Dispatches, OfMeansOfLargeImagesAreTwo) {
  const auto make = [](Sketch& sketch, uint32_t size) {
    sketch.add({size, size, 32});
    sketch.add({1, 1, 32});
    return sketch.step(Op::kReduceMean, 1, {3u});
  };
  Sketch sketches[2];
  const auto small = plan_dispatches(make(sketches[0], 45), plain_device());
  const auto large = plan_dispatches(make(sketches[1], 46), plain_device());
  ASSERT_TRUE(small.has_value() && large.has_value());
  EXPECT_EQ(small->choice, 1u);
  EXPECT_EQ(small->scratch_bytes, 0u);
  EXPECT_EQ(large->choice, 2u);
  EXPECT_EQ(large->scratch_bytes, 46u * 32 * 4);
}

TEST(Dispatches, OfSizesThatNoFormDoesAllOfAreNone) {
  const auto make = [](Sketch& sketch, uint32_t width) {
    for (int i = 0; i < 4; ++i) sketch.add({2, 3, width});
    return sketch.step(Op::kAttention, 3, std::vector<uint32_t>(3));
  };
  Sketch narrow, wide;
  const Step sizes[] = {make(narrow, kAttentionWidthMax), make(wide, kAttentionWidthMax + 1)};
  EXPECT_TRUE(plan_dispatches(std::span(sizes).first(1), plain_device()).has_value());
  EXPECT_FALSE(plan_dispatches(sizes, plain_device()).has_value());
}

TEST(Dispatches, OfAFormThatADeviceLacksWhatItNeeds) {
  Sketch sketch;
  sketch.add({4, 1000});
  sketch.add({4, 1000});
  const Step step = sketch.step(Op::kSoftmax, 1, {1u << 1});
  Capabilities device = plain_device();
  EXPECT_EQ(plan_dispatches(step, device)->form, 0u);
  EXPECT_EQ(plan_dispatches(step, device)->choice, 1u);
  device.numbers[static_cast<uint32_t>(Capability::kSubgroupSize)] = 32;
  EXPECT_EQ(plan_dispatches(step, device)->form, 1u);
}

TEST(Dispatches, RefuseFormsAndChoicesThatThereAreNot) {
  Sketch sketch;
  sketch.add({4});
  sketch.add({4});
  const Step step = sketch.step(Op::kSigmoid, 1);
  EXPECT_TRUE(is_carried_out(step));
  sketch.record.choice = 1;
  EXPECT_FALSE(is_carried_out(step));
  EXPECT_EQ(emit_dispatches(step, {nullptr, nullptr}).code, Code::kUnsupported);
  sketch.record.choice = 0;
  sketch.record.form = 1;
  EXPECT_FALSE(is_carried_out(step));
  EXPECT_EQ(emit_dispatches(step, {nullptr, nullptr}).code, Code::kUnsupported);
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
