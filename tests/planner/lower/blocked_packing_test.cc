// Constants packed into the blocks that a form wants: every element where core/layout.h has it, in
// the width that is wanted, and zeros in blocks that are not full.
#include <gtest/gtest.h>

#include <cstring>

#include "ops/attributes.h"
#include "ops/packings.h"
#include "planner/steps/lower/packing.h"

namespace arenite::test {
namespace {

using planner::pack_constant;
using planner::PackedConstant;
using Words = std::vector<uint32_t>;

planner::Node node_of(Op op, uint32_t groups = 1) {
  planner::Node node;
  node.op = op;
  if (op == Op::kConv) {
    ConvAttributes attributes{};
    attributes.groups = groups;
    node.set_attributes(attributes);
  } else if (op == Op::kQuantizedConv) {
    QuantizedConvAttributes attributes{};
    attributes.groups = groups;
    node.set_attributes(attributes);
  } else if (op == Op::kMatMul) {
    node.set_attributes(MatMulAttributes{1, 1, {}});
  } else {
    node.set_attributes(QuantizedMatMulAttributes{});
  }
  return node;
}

template <typename T>
std::vector<std::byte> bytes_of(const std::vector<T>& elements) {
  std::vector<std::byte> bytes(elements.size() * sizeof(T));
  std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

template <typename T>
std::vector<T> elements_of(const std::vector<std::byte>& bytes) {
  std::vector<T> elements(bytes.size() / sizeof(T));
  std::memcpy(elements.data(), bytes.data(), elements.size() * sizeof(T));
  return elements;
}

// Numbers from 1 on, so that no element looks like padding.
template <typename T>
std::vector<T> numbers(size_t count, int most) {
  std::vector<T> elements;
  for (size_t i = 0; i < count; ++i) {
    elements.push_back(static_cast<T>(static_cast<int>(i) % most + 1));
  }
  return elements;
}

// What blocks have in place of element (n, k), of which at(n, k) is the number.
template <typename T, typename At>
std::vector<T> blocked(const Blocks& blocks, uint32_t n_count, uint32_t k_count, At at) {
  std::vector<T> all;
  for (uint32_t n0 = 0; n0 < n_count; n0 += blocks.n) {
    for (uint32_t k0 = 0; k0 < k_count; k0 += blocks.k) {
      for (uint32_t n = n0; n < n0 + blocks.n; ++n) {
        for (uint32_t k = k0; k < k0 + blocks.k; ++k) {
          all.push_back(n < n_count && k < k_count ? static_cast<T>(at(n, k)) : T{0});
        }
      }
    }
  }
  return all;
}

constexpr uint32_t kO = 5, kI = 3, kH = 2, kW = 2, kDepth = kI * kH * kW;
uint32_t filter_index(uint32_t n, uint32_t k) {
  return ((n * kI + k % kI) * kH + k / kI / kW) * kW + k / kI % kW;
}

TEST(BlockedPacking, FiltersOfFloats) {
  const std::vector<float> before = numbers<float>(kO * kDepth, 100);
  const Blocks blocks = {4, 5, 32};
  const PackedConstant packed =
      pack_constant(node_of(Op::kConv), 1, bytes_of(before), DType::kFloat32,
                    planner::row_major({kO, kI, kH, kW}), strided_or(blocks));
  EXPECT_EQ(packed.form.layout, Layout::kBlocked);
  EXPECT_EQ(packed.form.dims, (Words{kO, kI, kH, kW}));
  EXPECT_EQ(packed.form.strides, (Words{word_of(blocks), 0, 0, 0}));
  EXPECT_EQ(elements_of<float>(packed.bytes),
            blocked<float>(blocks, kO, kDepth,
                           [&](uint32_t n, uint32_t k) { return before[filter_index(n, k)]; }));
}

TEST(BlockedPacking, FiltersOfBytesInEachWidth) {
  std::vector<int8_t> before = numbers<int8_t>(kO * kDepth, 7);
  for (size_t i = 0; i < before.size(); i += 3) before[i] = static_cast<int8_t>(-before[i]);
  const auto at = [&](uint32_t n, uint32_t k) { return before[filter_index(n, k)]; };
  const auto pack = [&](const Blocks& blocks) {
    return pack_constant(node_of(Op::kQuantizedConv), 1, bytes_of(before), DType::kInt8,
                         planner::row_major({kO, kI, kH, kW}), strided_or(blocks));
  };
  const Blocks bytes = {16, 4, 8}, wide = {2, 2, 16}, halves = {3, 5, 4};
  EXPECT_EQ(elements_of<int8_t>(pack(bytes).bytes), blocked<int8_t>(bytes, kO, kDepth, at));
  EXPECT_EQ(elements_of<int16_t>(pack(wide).bytes), blocked<int16_t>(wide, kO, kDepth, at));
  const std::vector<int8_t> unpacked = blocked<int8_t>(halves, kO, kDepth, at);
  const PackedConstant packed = pack(halves);
  ASSERT_EQ(packed.bytes.size(), (unpacked.size() + 1) / 2);
  EXPECT_EQ(packed.form.strides[0], word_of(halves));
  for (size_t i = 0; i < unpacked.size(); ++i) {
    const int half = std::to_integer<int>(packed.bytes[i / 2] >> (i % 2 * 4) & std::byte{0xf});
    ASSERT_EQ((half ^ 8) - 8, unpacked[i]) << i;
  }
}

TEST(BlockedPacking, RightSidesOfMatrixProducts) {
  const uint32_t K = 7, N = 19;
  const std::vector<float> floats = numbers<float>(K * N, 200);
  const Blocks blocks = {8, 2, 32};
  const PackedConstant packed =
      pack_constant(node_of(Op::kMatMul), 1, bytes_of(floats), DType::kFloat32,
                    planner::row_major({K, N}), strided_or(blocks));
  EXPECT_EQ(packed.form.strides, (Words{0, word_of(blocks)}));
  EXPECT_EQ(
      elements_of<float>(packed.bytes),
      blocked<float>(blocks, N, K, [&](uint32_t n, uint32_t k) { return floats[k * N + n]; }));
  const std::vector<uint8_t> bytes = numbers<uint8_t>(K * N, 255);
  const Blocks wide = {4, 4, 16};
  EXPECT_EQ(
      elements_of<uint16_t>(pack_constant(node_of(Op::kQuantizedMatMul), 1, bytes_of(bytes),
                                          DType::kUint8, planner::row_major({K, N}),
                                          strided_or(wide))
                                .bytes),
      blocked<uint16_t>(wide, N, K, [&](uint32_t n, uint32_t k) { return bytes[k * N + n]; }));
}

// A constant whose elements lie in another order, from an offset on, gives the same blocks.
TEST(BlockedPacking, OfAnyForm) {
  const uint32_t K = 3, N = 4;
  const std::vector<float> stored = numbers<float>(2 + K * N, 50);
  planner::Strided form;
  form.dims = {K, N};
  form.strides = {1, K};
  form.offset = 2;
  const Blocks blocks = {4, 2, 32};
  EXPECT_EQ(
      elements_of<float>(pack_constant(node_of(Op::kMatMul), 1, bytes_of(stored), DType::kFloat32,
                                       form, strided_or(blocks))
                             .bytes),
      blocked<float>(blocks, N, K, [&](uint32_t n, uint32_t k) { return stored[2 + n * K + k]; }));
}

TEST(BlockedPacking, WhatCannotLieInThemIsStrided) {
  const auto layout = [](const planner::Node& node, DType dtype, const Words& dims,
                         const Blocks& blocks) {
    size_t count = element_bytes(dtype);
    for (const uint32_t dim : dims) count *= dim;
    const std::vector<std::byte> bytes(count, std::byte{9});
    return pack_constant(node, 1, bytes, dtype, planner::row_major(dims), strided_or(blocks))
        .form.layout;
  };
  const Words filters = {4, 2, 2, 2};
  // 9 does not fit 4 bits of int8.
  EXPECT_EQ(layout(node_of(Op::kQuantizedConv), DType::kInt8, filters, {4, 4, 4}),
            Layout::kStrided);
  EXPECT_EQ(layout(node_of(Op::kQuantizedConv), DType::kUint8, filters, {4, 4, 4}),
            Layout::kBlocked);
  // Of another width, in groups, in batches, empty.
  EXPECT_EQ(layout(node_of(Op::kConv), DType::kFloat16, filters, {4, 4, 32}), Layout::kStrided);
  EXPECT_EQ(layout(node_of(Op::kConv), DType::kFloat16, filters, {4, 4, 16}), Layout::kBlocked);
  EXPECT_EQ(layout(node_of(Op::kConv, 2), DType::kFloat32, filters, {4, 4, 32}), Layout::kStrided);
  EXPECT_EQ(layout(node_of(Op::kMatMul), DType::kFloat32, {2, 3, 4}, {4, 4, 32}), Layout::kStrided);
  EXPECT_EQ(layout(node_of(Op::kMatMul), DType::kFloat32, {0, 4}, {4, 4, 32}), Layout::kStrided);
  // Those of integers in groups lie as if they were of one.
  EXPECT_EQ(layout(node_of(Op::kQuantizedConv, 2), DType::kUint8, filters, {4, 4, 4}),
            Layout::kBlocked);
  // Integers are never in panels.
  EXPECT_EQ(layout(node_of(Op::kQuantizedConv), DType::kInt8, filters, kPanel16Blocks),
            Layout::kStrided);
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
