// Packed weights: every element where the format says, and zeros behind.
#include "planner/steps/lower/packing.h"

#include <gtest/gtest.h>

#include <cstring>

#include "ops/packings.h"
#include "planner/steps/lower/constants.h"
#include "tests/planner/plan/graph_builder.h"

namespace arenite::test {
namespace {

using planner::pack_constant;
using planner::PackedConstant;

constexpr Packings kPanels = kPanelPackings, kRows = {};

struct Packed {
  Graph graph;
  PackedConstant result;
  std::vector<float> before, after;
};

std::vector<float> as_floats(const std::vector<std::byte>& bytes) {
  std::vector<float> result(bytes.size() / sizeof(float));
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

Packed pack(Op op, uint32_t groups, const Dims& dims, const Packings& packings) {
  GraphBuilder b;
  const ValueId w = b.constant(dims, 7);
  Node node;
  node.op = op;
  if (op == Op::kConv) {
    ConvAttributes attributes{};
    attributes.groups = groups;
    node.set_attributes(attributes);
  } else {
    node.set_attributes(MatMulAttributes{1, 1, {}});
  }
  Packed packed;
  packed.graph = b.graph();
  const auto& bytes = *packed.graph.values[w].constant;
  packed.result =
      pack_constant(node, 1, bytes, DType::kFloat32, planner::row_major(dims), packings);
  packed.before = as_floats(bytes);
  packed.after = as_floats(packed.result.bytes);
  return packed;
}

TEST(Packing, ConvolutionPanels) {
  const uint32_t O = 18, I = 3, H = 2, W = 2, K = I * H * W;
  const Packed p = pack(Op::kConv, 1, {O, I, H, W}, kPanels);
  EXPECT_EQ(p.result.form.layout, Layout::kPanel16);
  EXPECT_EQ(p.result.form.dims, (Dims{O, I, H, W}));
  ASSERT_EQ(p.after.size(), 2u * K * 16);
  for (uint32_t n = 0; n < 32; ++n) {
    for (uint32_t k = 0; k < K; ++k) {
      const uint32_t i = k % I, w = k / I % W, h = k / I / W;
      const float expected = n < O ? p.before[((n * I + i) * H + h) * W + w] : 0.0f;
      ASSERT_EQ(p.after[(n / 16 * K + k) * 16 + n % 16], expected) << n << " " << k;
    }
  }
}

TEST(Packing, MatMulPanels) {
  const uint32_t K = 5, N = 20;
  const Packed p = pack(Op::kMatMul, 1, {K, N}, kPanels);
  ASSERT_EQ(p.after.size(), 2u * K * 16);
  for (uint32_t n = 0; n < 32; ++n) {
    for (uint32_t k = 0; k < K; ++k) {
      const float expected = n < N ? p.before[k * N + n] : 0.0f;
      ASSERT_EQ(p.after[(n / 16 * K + k) * 16 + n % 16], expected);
    }
  }
}

void expect_same_numbers(const Packed& p) {
  const planner::Strided& form = p.result.form;
  const Dims& d = form.dims;
  size_t at = 0;
  for (uint32_t a = 0; a < d[0]; ++a) {
    for (uint32_t b = 0; b < d[1]; ++b) {
      for (uint32_t c = 0; c < d[2]; ++c) {
        for (uint32_t e = 0; e < d[3]; ++e) {
          const size_t to = form.offset + a * form.strides[0] + b * form.strides[1] +
                            c * form.strides[2] + e * form.strides[3];
          ASSERT_EQ(p.after[to], p.before[at++]);
        }
      }
    }
  }
}

TEST(Packing, RowsHaveAnOutputsWeightsTogether) {
  const Packed p = pack(Op::kConv, 1, {4, 3, 2, 2}, kRows);
  EXPECT_EQ(p.result.form.strides, (Dims{12, 1, 6, 3}));
  expect_same_numbers(p);
}

TEST(Packing, GroupedWeightsHaveOutputsInnermostForPanels) {
  const Packed p = pack(Op::kConv, 2, {4, 3, 2, 2}, kPanels);
  EXPECT_EQ(p.result.form.layout, Layout::kStrided);
  EXPECT_EQ(p.result.form.strides, (Dims{1, 4, 24, 12}));
  expect_same_numbers(p);
}

TEST(Packing, GroupedWeightsAreRowsOtherwise) {
  const Packed p = pack(Op::kConv, 2, {4, 3, 2, 2}, kRows);
  EXPECT_EQ(p.result.form.layout, Layout::kStrided);
  EXPECT_EQ(p.result.form.strides, (Dims{12, 1, 6, 3}));
  expect_same_numbers(p);
}

TEST(Packing, DepthwiseWeightsHaveChannelsInnermost) {
  const Packed p = pack(Op::kConv, 6, {6, 1, 3, 3}, kPanels);
  EXPECT_EQ(p.result.form.strides[0], 1u);
  EXPECT_EQ(p.result.form.strides[2], 18u);
  EXPECT_EQ(p.result.form.strides[3], 6u);
  expect_same_numbers(p);
}

TEST(Packing, BatchedRightSidesStayRowMajor) {
  const Packed p = pack(Op::kMatMul, 1, {2, 1, 3, 4}, kPanels);
  EXPECT_EQ(p.result.form.layout, Layout::kStrided);
  EXPECT_EQ(p.after, p.before);
}

// Integers are packed so whatever a board wants for floats.
TEST(Packing, IntegersThatAreSummedLieSideBySide) {
  std::vector<std::byte> bytes(12);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
  Node node;
  node.op = Op::kQuantizedMatMul;
  node.set_attributes(QuantizedMatMulAttributes{});
  const PackedConstant right =
      pack_constant(node, 1, bytes, DType::kInt8, planner::row_major({3, 4}), kPanels);
  EXPECT_EQ(right.form.strides, (Dims{1, 3}));
  EXPECT_EQ(right.bytes[1], std::byte{4});
  node.op = Op::kQuantizedConv;
  QuantizedConvAttributes attributes{};
  attributes.groups = 1;
  node.set_attributes(attributes);
  const PackedConstant filters =
      pack_constant(node, 1, bytes, DType::kInt8, planner::row_major({2, 3, 1, 2}), kPanels);
  EXPECT_EQ(filters.form.strides, (Dims{6, 1, 6, 3}));
  EXPECT_EQ(filters.form.layout, Layout::kStrided);
}

TEST(ConstantPool, StoresEachContentOnce) {
  planner::ConstantPool pool;
  const std::vector<std::byte> a(8, std::byte{1}), b(8, std::byte{2});
  EXPECT_EQ(pool.add(a), 0u);
  EXPECT_EQ(pool.add(b), 1u);
  EXPECT_EQ(pool.add(a), 0u);
  pool.need_over_read(0, 16);
  pool.need_over_read(0, 4);
  EXPECT_EQ(pool.entries()[0].over_read_bytes, 16u);
  EXPECT_EQ(pool.entries().size(), 2u);
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
