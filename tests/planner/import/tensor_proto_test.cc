// Tests reading and writing of TensorProto.
#include "planner/import/model/tensor_proto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx.pb.h"
#include "planner/graph/graph.h"
#include "tests/planner/import/decode_error.h"
#include "tests/planner/model/model_builder.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(TensorProto, WrittenTensorsReadBack) {
  const TensorData data = random_tensor({2, 3, 4}, 5);
  const NamedTensor read = parse_tensor(serialize_tensor("t", data));
  EXPECT_EQ(read.name, "t");
  EXPECT_EQ(read.data.dtype, DType::kFloat32);
  EXPECT_EQ(read.data.dims, data.dims);
  EXPECT_EQ(read.data.bytes, data.bytes);
}

TEST(TensorProto, EveryTypedFieldIsRead) {
  for (const int type : {1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 16}) {
    onnx::TensorProto proto;
    proto.set_data_type(type);
    proto.add_dims(1);
    if (type == 1) {
      proto.add_float_data(1);
    } else if (type == 11) {
      proto.add_double_data(1);
    } else if (type == 7) {
      proto.add_int64_data(1);
    } else if (type == 12 || type == 13) {
      proto.add_uint64_data(1);
    } else {
      proto.add_int32_data(1);
    }
    const TensorData data = decode_tensor(proto);
    EXPECT_EQ(data.bytes.size(), element_bytes(data.dtype)) << type;
    // 1.0 ends in a byte of zeros, the integers and the bits of half floats in a 1.
    const std::byte first{static_cast<uint8_t>(type == 1 || type == 11 ? 0 : 1)};
    EXPECT_EQ(data.bytes[0], first) << type;
  }
}

TEST(TensorProto, BoolsAreZeroOrOne) {
  onnx::TensorProto proto;
  proto.set_data_type(9);
  proto.add_dims(3);
  proto.set_raw_data(std::string("\x00\x02\xff", 3));
  EXPECT_THAT(decode_tensor(proto).bytes, ElementsAre(std::byte{0}, std::byte{1}, std::byte{1}));
}

TEST(TensorProto, SizesMustAgree) {
  onnx::TensorProto proto;
  proto.set_data_type(1);
  proto.add_dims(2);
  EXPECT_THAT(decode_error(proto), HasSubstr("holds 0 elements"));
  proto.add_float_data(1);
  EXPECT_THAT(decode_error(proto), HasSubstr("holds 1 elements"));
  proto.set_raw_data("abc");
  EXPECT_THAT(decode_error(proto), HasSubstr("holds 3 bytes"));
}

TEST(TensorProto, DimsAreBounded) {
  onnx::TensorProto proto;
  proto.set_data_type(1);
  for (int i = 0; i < 8; ++i) proto.add_dims(int64_t{1} << 30u);
  EXPECT_THAT(decode_error(proto), HasSubstr("more than 2 GiB"));
  proto.add_dims(1);
  EXPECT_THAT(decode_error(proto), HasSubstr("rank 9"));
  proto.clear_dims();
  proto.add_dims(-1);
  EXPECT_THAT(decode_error(proto), HasSubstr("hold -1"));
}

TEST(TensorProto, WhatIsNotSupportedIsNamed) {
  onnx::TensorProto proto;
  proto.set_data_type(8);
  EXPECT_THAT(decode_error(proto), HasSubstr("string"));
  proto.set_data_type(14);
  EXPECT_THAT(decode_error(proto), HasSubstr("complex"));
  proto.set_data_type(99);
  EXPECT_THAT(decode_error(proto), HasSubstr("99"));
  proto.set_data_type(1);
  proto.set_data_location(onnx::TensorProto::EXTERNAL);
  EXPECT_THAT(decode_error(proto), HasSubstr("expected a location"));
  onnx::StringStringEntryProto* location = proto.add_external_data();
  location->set_key("location");
  location->set_value("weights.bin");
  EXPECT_THAT(decode_error(proto), HasSubstr("its data lies in the file 'weights.bin'"));
}

TEST(TensorProto, NoiseIsRefused) {
  const std::vector<std::byte> noise(20, std::byte{0xff});
  EXPECT_THROW(parse_tensor(noise), InputError);
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
