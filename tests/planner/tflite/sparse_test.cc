// Tests DENSIFY: sparse constants, compressed and in blocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Builder = flatbuffers::FlatBufferBuilder;

flatbuffers::Offset<tfl::DimensionMetadata> dense(Builder& b, int32_t size) {
  return tfl::CreateDimensionMetadata(b, tfl::DimensionType_DENSE, size);
}

flatbuffers::Offset<tfl::DimensionMetadata> compressed(Builder& b,
                                                       const std::vector<int32_t>& segments,
                                                       const std::vector<uint8_t>& indices) {
  const auto s = tfl::CreateInt32VectorDirect(b, &segments).Union();
  const auto i = tfl::CreateUint8VectorDirect(b, &indices).Union();
  return tfl::CreateDimensionMetadata(b, tfl::DimensionType_SPARSE_CSR, 0,
                                      tfl::SparseIndexVector_Int32Vector, s,
                                      tfl::SparseIndexVector_Uint8Vector, i);
}

// x [2, 4] plus a sparse constant of as many.
struct Sparse {
  std::vector<float> elements;
  std::vector<int32_t> order, blocks;
  std::function<std::vector<flatbuffers::Offset<tfl::DimensionMetadata>>(Builder&)> dims;
};

TfliteBuilder model_of(const Sparse& sparse) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2, 4});
  const int32_t stored = model.tensor("stored", {2, 4});
  const auto* bytes = reinterpret_cast<const uint8_t*>(sparse.elements.data());
  model.set_bytes(stored, {bytes, bytes + sparse.elements.size() * sizeof(float)});
  model.set_sparsity(stored, [sparse](Builder& b) {
    const auto dims = sparse.dims(b);
    return tfl::CreateSparsityParametersDirect(b, &sparse.order, &sparse.blocks, &dims);
  });
  const int32_t written = model.tensor("dense", {2, 4});
  const int32_t y = model.tensor("y", {2, 4});
  model.op(124, {stored}, {written});
  model.op(0, {x, written}, {y});
  model.output(y);
  return model;
}

const TensorData kZeros = float_tensor({2, 4}, std::vector<float>(8, 0));

TEST(TfliteSparse, CompressedRows) {
  const Sparse rows = {{1, 2, 3}, {0, 1}, {}, [](Builder& b) {
                         return std::vector{dense(b, 2), compressed(b, {0, 1, 3}, {2, 0, 3})};
                       }};
  EXPECT_THAT(run_tflite_floats(model_of(rows), {kZeros}), ElementsAre(0, 0, 1, 0, 2, 0, 0, 3));
}

TEST(TfliteSparse, CompressedColumnsNestTheOtherWay) {
  const Sparse columns = {
      {1, 2, 3}, {1, 0}, {}, [](Builder& b) {
        return std::vector{dense(b, 4), compressed(b, {0, 1, 1, 3, 3}, {1, 0, 1})};
      }};
  EXPECT_THAT(run_tflite_floats(model_of(columns), {kZeros}), ElementsAre(0, 0, 2, 0, 1, 0, 3, 0));
}

TEST(TfliteSparse, Blocks) {
  // Blocks of 1x2 along dim 1: of each row's two, the second and the first.
  const Sparse blocks = {
      {1, 2, 3, 4}, {0, 1, 2}, {1}, [](Builder& b) {
        return std::vector{dense(b, 2), compressed(b, {0, 1, 2}, {1, 0}), dense(b, 2)};
      }};
  EXPECT_THAT(run_tflite_floats(model_of(blocks), {kZeros}), ElementsAre(0, 0, 1, 2, 3, 4, 0, 0));
}

TEST(TfliteSparse, ContradictionsAreRefused) {
  const auto error = [](std::vector<float> elements, std::vector<int32_t> order,
                        const std::vector<int32_t>& segments, const std::vector<uint8_t>& indices) {
    return tflite_error(
        model_of({std::move(elements), std::move(order), {}, [=](Builder& b) {
                    return std::vector{dense(b, 2), compressed(b, segments, indices)};
                  }}));
  };
  EXPECT_THAT(error({1, 2}, {0, 1}, {0, 1, 3}, {2, 0, 3}), HasSubstr("holds 8 bytes"));
  EXPECT_THAT(error({1, 2, 3}, {0, 1}, {0, 1, 3}, {2, 0, 4}), HasSubstr("contradict each other"));
  EXPECT_THAT(error({1, 2, 3}, {0, 1}, {0, 5, 3}, {2, 0, 3}), HasSubstr("contradict each other"));
  EXPECT_THAT(error({1, 2, 3}, {0, 0}, {0, 1, 3}, {2, 0, 3}), HasSubstr("is no order"));
  EXPECT_THAT(error({1, 2, 3}, {0}, {0, 1, 3}, {2, 0, 3}), HasSubstr("no entry for each"));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
