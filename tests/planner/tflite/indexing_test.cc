// Tests TensorFlow Lite's operators that look elements up or go along an axis, against plain loops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

std::vector<int32_t> ints_of(const TensorData& data) {
  std::vector<int32_t> numbers(data.bytes.size() / sizeof(int32_t));
  std::memcpy(numbers.data(), data.bytes.data(), data.bytes.size());
  return numbers;
}

// As a converter stores it.
TfliteOperand number(int32_t n) { return fixed(int32_tensor({}, {n})); }

struct CumSum {
  int32_t axis;
  bool exclusive, reverse;
};

// Sums along `axis` of [outer, size, inner].
std::vector<float> sums(const std::vector<float>& x, const std::vector<size_t>& dims, size_t axis,
                        const CumSum& how) {
  size_t inner = 1;
  for (size_t d = axis + 1; d < dims.size(); ++d) inner *= dims[d];
  const size_t size = dims[axis];
  std::vector<float> y(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t at = i / inner % size;
    const size_t first = i - at * inner;
    for (size_t k = 0; k < size; ++k) {
      const bool before = how.reverse ? k > at : k < at;
      if (before || (k == at && !how.exclusive)) y[i] += x[first + k * inner];
    }
  }
  return y;
}

TEST(TfliteIndexing, CumulativeSums) {
  const TensorData x = counting_tensor({2, 3, 4});
  for (const CumSum& how : {CumSum{0, false, false}, CumSum{1, true, false},
                            CumSum{-1, false, true}, CumSum{-2, true, true}}) {
    const auto y = run_op({128, tfl::BuiltinOptions_CumsumOptions,
                           made_by<tfl::CreateCumsumOptions>(how.exclusive, how.reverse)},
                          {given(x), number(how.axis)})[0];
    EXPECT_THAT(y.dims, ElementsAre(2, 3, 4));
    const auto axis = static_cast<size_t>(how.axis < 0 ? how.axis + 3 : how.axis);
    EXPECT_EQ(floats_of(y.bytes), sums(floats_of(x.bytes), {2, 3, 4}, axis, how)) << how.axis;
  }
  // A converter leaves options out that are all at their defaults.
  EXPECT_THAT(floats_of(run_op({128}, {given(counting_tensor({3})), number(0)})[0].bytes),
              ElementsAre(1, 3, 6));
  EXPECT_THAT(tflite_error(model_of({128}, {given(x), number(3)})),
              HasSubstr("(CUMSUM): axis 3 lies outside rank 3"));
}

TEST(TfliteIndexing, TheGreatestByValueThenPlace) {
  const TensorData x = float_tensor({2, 5}, {3, 1, 4, 4, -5, 9, 2, 6, 9, 9});
  const TfliteOp top = {.code = 48, .outputs = {tfl::TensorType_FLOAT32, tfl::TensorType_INT32}};
  const auto found = run_op(top, {given(x), number(3)});
  EXPECT_THAT(found[0].dims, ElementsAre(2, 3));
  EXPECT_THAT(floats_of(found[0].bytes), ElementsAre(4, 4, 3, 9, 9, 9));
  EXPECT_THAT(ints_of(found[1]), ElementsAre(2, 3, 0, 0, 3, 4));
  const auto whole = run_op(top, {given(x), number(5)});
  EXPECT_THAT(ints_of(whole[1]), ElementsAre(2, 3, 0, 1, 4, 0, 3, 4, 2, 1));
  EXPECT_NE(tflite_error(model_of(top, {given(x), number(6)})), "");
  EXPECT_THAT(tflite_error(model_of(top, {given(x), given(int32_tensor({}, {1}))})),
              HasSubstr("k (tensor 1 ('x1')) decides a shape"));
}

TEST(TfliteIndexing, GathersByRowsOfNumbers) {
  const TensorData x = counting_tensor({2, 3, 2});
  const std::vector<float> all = floats_of(x.bytes);
  const auto rows = run_op({107}, {given(x), given(int32_tensor({3, 2}, {1, 2, 0, 0, 1, 0}))})[0];
  EXPECT_THAT(rows.dims, ElementsAre(3, 2));
  const auto at = [&](size_t a, size_t b, size_t c) { return all[(a * 3 + b) * 2 + c]; };
  EXPECT_THAT(floats_of(rows.bytes), ElementsAre(at(1, 2, 0), at(1, 2, 1), at(0, 0, 0), at(0, 0, 1),
                                                 at(1, 0, 0), at(1, 0, 1)));
  const auto elements =
      run_op({107}, {given(x), fixed(int32_tensor({2, 1, 3}, {0, 1, 1, 1, 2, 0}))})[0];
  EXPECT_THAT(elements.dims, ElementsAre(2, 1));
  EXPECT_THAT(floats_of(elements.bytes), ElementsAre(at(0, 1, 1), at(1, 2, 0)));
  EXPECT_NE(tflite_error(model_of({107}, {given(x), given(int32_tensor({1, 4}, {0, 0, 0, 0}))})),
            "");
}

// x [2, 3, 4, 2] and indices [2, 2] of one batch dim, or [2, 3, 2] of two.
TEST(TfliteIndexing, GathersInBatches) {
  const TensorData x = counting_tensor({2, 3, 4, 2});
  const std::vector<float> all = floats_of(x.bytes);
  const auto at = [&](size_t a, size_t b, size_t c, size_t d) {
    return all[((a * 3 + b) * 4 + c) * 2 + d];
  };
  const auto gathered = [&](int32_t axis, int32_t batches, const TensorData& indices) {
    return run_op(
        {36, tfl::BuiltinOptions_GatherOptions, made_by<tfl::CreateGatherOptions>(axis, batches)},
        {given(x), given(indices)})[0];
  };
  const std::vector<int32_t> picked = {2, 0, 1, 1};
  const TensorData indices = int32_tensor({2, 2}, picked);
  std::vector<float> expected;  // [batch, index, c, d]
  for (size_t a = 0; a < 2; ++a) {
    for (size_t i = 0; i < 2; ++i) {
      for (size_t cd = 0; cd < 8; ++cd) {
        expected.push_back(at(a, static_cast<size_t>(picked[a * 2 + i]), cd / 2, cd % 2));
      }
    }
  }
  const TensorData next = gathered(1, 1, indices);
  EXPECT_THAT(next.dims, ElementsAre(2, 2, 4, 2));
  EXPECT_EQ(floats_of(next.bytes), expected);
  EXPECT_EQ(floats_of(gathered(1, -1, indices).bytes), expected) << "from the end of the indices";
  // An axis further on: [batch, b, index, d].
  expected.clear();
  for (size_t a = 0; a < 2; ++a) {
    for (size_t b = 0; b < 3; ++b) {
      for (size_t id = 0; id < 4; ++id) {
        expected.push_back(at(a, b, static_cast<size_t>(picked[a * 2 + id / 2]), id % 2));
      }
    }
  }
  const TensorData further = gathered(2, 1, indices);
  EXPECT_THAT(further.dims, ElementsAre(2, 3, 2, 2));
  EXPECT_EQ(floats_of(further.bytes), expected);
  // Two batch dims: [a, b, index, c] from the last axis.
  const std::vector<int32_t> many = {1, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0};
  expected.clear();
  for (size_t ab = 0; ab < 6; ++ab) {
    for (size_t c = 0; c < 4; ++c) {
      for (size_t i = 0; i < 2; ++i) {
        expected.push_back(at(ab / 3, ab % 3, c, static_cast<size_t>(many[ab * 2 + i])));
      }
    }
  }
  const TensorData last = gathered(3, 2, int32_tensor({2, 3, 2}, many));
  EXPECT_THAT(last.dims, ElementsAre(2, 3, 4, 2));
  EXPECT_EQ(floats_of(last.bytes), expected);
  EXPECT_THAT(tflite_error(model_of(
                  {36, tfl::BuiltinOptions_GatherOptions, made_by<tfl::CreateGatherOptions>(0, 1)},
                  {given(x), given(indices)})),
              HasSubstr("(GATHER): batch_dims 1 is beyond axis 0"));
}

TEST(TfliteIndexing, SequencesAreReversedUpToTheirLengths) {
  const TensorData x = counting_tensor({2, 4, 3});
  const std::vector<float> all = floats_of(x.bytes);
  const auto reversed = [&](int32_t seq, int32_t batch, const TensorData& lengths) {
    return floats_of(run_op({112, tfl::BuiltinOptions_ReverseSequenceOptions,
                             made_by<tfl::CreateReverseSequenceOptions>(seq, batch)},
                            {given(x), given(lengths)})[0]
                         .bytes);
  };
  const std::vector<size_t> rows = {3, 4};
  const std::vector<size_t> columns = {1, 2, 0};
  std::vector<float> by_batch, by_column;
  for (size_t a = 0; a < 2; ++a) {
    for (size_t t = 0; t < 4; ++t) {
      for (size_t c = 0; c < 3; ++c) {
        const size_t from = t < rows[a] ? rows[a] - 1 - t : t;
        by_batch.push_back(all[(a * 4 + from) * 3 + c]);
        const size_t other = a < columns[c] ? columns[c] - 1 - a : a;
        by_column.push_back(all[(other * 4 + t) * 3 + c]);
      }
    }
  }
  EXPECT_EQ(reversed(1, 0, int32_tensor({2}, {3, 4})), by_batch);
  EXPECT_EQ(reversed(0, 2, int32_tensor({3}, {1, 2, 0})), by_column);
}

TEST(TfliteIndexing, LogarithmsOfSoftmax) {
  const std::vector<float> x = {1, -2, 0.5f, 80, 79, 90};
  std::vector<float> expected;
  for (size_t row = 0; row < 2; ++row) {
    double sum = 0;
    for (size_t i = 0; i < 3; ++i) sum += std::exp(double{x[row * 3 + i]});
    for (size_t i = 0; i < 3; ++i) {
      expected.push_back(static_cast<float>(double{x[row * 3 + i]} - std::log(sum)));
    }
  }
  EXPECT_THAT(floats_of(run_op({50}, {given(float_tensor({1, 2, 3}, x))})[0].bytes),
              Pointwise(FloatNear(1e-5f), expected));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
