// Tests reading int4 and uint4: tensors of two elements a byte, and what models do with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx.pb.h"
#include "planner/graph/graph.h"
#include "tests/planner/import/decode_error.h"
#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

onnx::TensorProto proto_of(DType type, const std::vector<int64_t>& dims) {
  onnx::TensorProto proto;
  proto.set_data_type(onnx_number({type, true}));
  for (const int64_t dim : dims) proto.add_dims(dim);
  return proto;
}

TensorData int4s(std::vector<uint32_t> dims, const std::vector<int>& elements) {
  return integer_tensor(DType::kInt8, std::move(dims), elements, true);
}

TensorData uint4s(std::vector<uint32_t> dims, const std::vector<int>& elements) {
  return integer_tensor(DType::kUint8, std::move(dims), elements, true);
}

TEST(Int4Tensor, TheLowerHalfIsFirst) {
  for (const bool raw : {false, true}) {
    onnx::TensorProto proto = proto_of(DType::kInt8, {3});
    if (raw) {
      proto.set_raw_data(std::string("\x87\x0f", 2));
    } else {
      proto.add_int32_data(0x87);
      proto.add_int32_data(0x0f);
    }
    const TensorData tensor = decode_tensor(proto);
    EXPECT_TRUE(tensor.four_bits);
    EXPECT_THAT(integers_of(tensor), ElementsAre(7, -8, -1));
    proto.set_data_type(onnx_number({DType::kUint8, true}));
    EXPECT_THAT(integers_of(decode_tensor(proto)), ElementsAre(7, 8, 15));
  }
  // Some writers hold the byte as int8.
  onnx::TensorProto negative = proto_of(DType::kInt8, {1, 2});
  negative.add_int32_data(-2);
  EXPECT_THAT(integers_of(decode_tensor(negative)), ElementsAre(-2, -1));
}

TEST(Int4Tensor, WrittenTensorsReadBack) {
  const std::vector<int> all = {-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, -8};
  const TensorData read = parse_tensor(serialize_tensor("t", int4s({17}, all))).data;
  EXPECT_EQ(read.dims, std::vector<uint32_t>{17});
  EXPECT_EQ(read.dtype, DType::kInt8);
  EXPECT_THAT(integers_of(read), ElementsAreArray(all));
  EXPECT_TRUE(parse_tensor(serialize_tensor("t", int4s({0}, {}))).data.bytes.empty());
}

TEST(Int4Tensor, DamagedOnesAreNamed) {
  onnx::TensorProto proto = proto_of(DType::kInt8, {3});
  EXPECT_THAT(decode_error(proto), HasSubstr("holds 0 pairs of elements in int32_data, its dims "
                                             "[3] of int4 ask for 2"));
  for (int i = 0; i < 3; ++i) proto.add_int32_data(0);
  EXPECT_THAT(decode_error(proto), HasSubstr("holds 3 pairs"));
  proto.set_raw_data("abc");
  EXPECT_THAT(decode_error(proto), HasSubstr("holds 3 pairs of elements in raw_data"));
  onnx::TensorProto wide = proto_of(DType::kUint8, {2});
  wide.add_int32_data(256);
  EXPECT_THAT(decode_error(wide), HasSubstr("holds 256 at 0 in int32_data, expected the byte"));
  onnx::TensorProto large = proto_of(DType::kUint8, {int64_t{1} << 30u, 4});
  EXPECT_THAT(decode_error(large), HasSubstr("more than 2 GiB"));
}

// Blocks along the first axis, the last one not whole.
TEST(Int4Model, BlocksAreDequantized) {
  ModelBuilder model(21);
  model.input("x", {"1", "2"}).output("y");
  model.initializer("w", int4s({2, 3}, {-8, 7, 1, 2, -3, 4}));
  model.initializer("s", float_tensor({2, 2}, {0.5f, 2, 0.25f, 4}));
  model.initializer("z", int4s({2, 2}, {1, -1, 0, 2}));
  model.node("DequantizeLinear", {"w", "s", "z"}, {"d"}).with("axis", 1).with("block_size", 2);
  model.node("MatMul", {"x", "d"}, {"y"}, "product");
  EXPECT_THAT(run_floats(model, {float_tensor({1, 2}, {1, 10})}),
              ElementsAre(-4.5f + 5, 3 - 7.5f, 4 + 80));
}

TEST(Int4Model, QuantizeSaturates) {
  for (const bool by_attribute : {false, true}) {
    ModelBuilder model(21);
    model.input("x", {"5"}).output("y", DType::kUint8, true);
    model.initializer("s", float_tensor({}, {2})).initializer("z", uint4s({}, {3}));
    std::vector<std::string> inputs = {"x", "s"};
    if (!by_attribute) inputs.emplace_back("z");
    model.node("QuantizeLinear", inputs, {"y"});
    if (by_attribute) model.with("output_dtype", 21);
    const TensorData y = run_model(model, {float_tensor({5}, {-100, -3, 3, 9, 300})})[0];
    if (by_attribute) {
      EXPECT_THAT(integers_of(y), ElementsAre(0, 0, 2, 4, 15));
    } else {
      EXPECT_THAT(integers_of(y), ElementsAre(0, 1, 5, 7, 15));
    }
  }
  ModelBuilder axis(21);
  axis.input("x", {"2", "2"}).output("y", DType::kInt8, true);
  axis.initializer("s", float_tensor({2}, {1, 0.5f})).initializer("z", int4s({2}, {0, -2}));
  axis.node("Identity", {"z"}, {"copy"}).node("QuantizeLinear", {"x", "s", "copy"}, {"y"});
  axis.with("axis", 0);
  const TensorData y = run_model(axis, {float_tensor({2, 2}, {-9, 3.5f, 2, 7})})[0];
  EXPECT_THAT(integers_of(y), ElementsAre(-8, 4, 2, 7));
}

// Inputs are bytes; a note tells the model's user.
TEST(Int4Model, InputsAreBytes) {
  ModelBuilder model(21);
  model.input("x", {"3"}, DType::kInt8, true).output("y");
  model.initializer("s", float_tensor({}, {0.5f}));
  model.node("Transpose", {"x"}, {"t"}).node("DequantizeLinear", {"t", "s"}, {"y"});
  EXPECT_THAT(run_floats(model, {integer_tensor(DType::kInt8, {3}, {-8, 0, 7})}),
              ElementsAre(-4, 0, 3.5f));
  EXPECT_THAT(import_onnx(model.bytes(), {}).notes,
              ElementsAre("input 'x': int4 is taken as int8, an element a byte"));
}

TEST(Int4Model, WhatDisagreesIsNamed) {
  ModelBuilder zero(21), output(21), cast(21), like(21);
  zero.input("x", {"3"}, DType::kInt8).output("y");
  zero.initializer("s", float_tensor({}, {1})).initializer("z", int4s({}, {3}));
  zero.node("DequantizeLinear", {"x", "s", "z"}, {"y"});
  EXPECT_THAT(import_error(zero), HasSubstr("zero point 'z' is int4, but 'x' int8"));
  output.input("x", {"3"}).output("y", DType::kInt8);
  output.initializer("s", float_tensor({}, {1})).initializer("z", int4s({}, {3}));
  output.node("QuantizeLinear", {"x", "s", "z"}, {"y"}).with("output_dtype", 3);
  EXPECT_THAT(import_error(output), HasSubstr("is int8, the zero point int4"));
  cast.input("x", {"3"}).output("y", DType::kUint8, true);
  cast.node("Cast", {"x"}, {"y"}).with("to", 21);
  EXPECT_THAT(import_error(cast), HasSubstr("element type uint4 is not supported here"));
  like.input("x", {"3"}).output("y", DType::kInt8, true).initializer("z", int4s({}, {3}));
  like.node("CastLike", {"x", "z"}, {"y"});
  EXPECT_THAT(import_error(like), HasSubstr("casts to int4 are not supported"));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
