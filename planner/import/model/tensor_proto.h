// Reads and writes ONNX's TensorProto, the format of initializers and of the .pb files of test
// cases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"
#include "planner/graph/tensor_bytes.h"

namespace onnx {
class TensorProto;
}

namespace arenite::planner {

class ExternalData;

// A tensor outside any graph: row-major little-endian elements.
struct TensorData {
  DType dtype = DType::kNone;
  std::vector<uint32_t> dims;
  std::vector<std::byte> bytes;
  bool four_bits = false;  // int4 or uint4 where it comes from: here int8 or uint8
};

struct NamedTensor {
  std::string name;  // may be empty
  TensorData data;
};

// The type that an ONNX type number stands for. Integers of 4 bits are held in 8.
struct OnnxType {
  DType dtype = DType::kNone;
  bool four_bits = false;

  bool operator==(const OnnxType&) const = default;
};

// Throws UnsupportedError naming strings, complex and unknown ones.
OnnxType type_from_onnx(int64_t number);
// The same where integers of 4 bits are not supported either.
DType dtype_from_onnx(int64_t number);

// ONNX's number of a type.
int32_t onnx_number(const OnnxType& type);

// "int4", "float32".
std::string type_name(const OnnxType& type);

// A serialized TensorProto. Throws InputError where the bytes are none, or say more or less than
// their dims.
NamedTensor parse_tensor(std::span<const std::byte> file);
TensorData decode_tensor(const onnx::TensorProto& proto, ExternalData& external);
// The same where no file may be read.
TensorData decode_tensor(const onnx::TensorProto& proto);

// Makes raw_data of external data, which stays where it is. Throws as decode_tensor() does.
void take_inside(onnx::TensorProto& proto, ExternalData& external);

// The bytes of a TensorProto that holds `data` as raw_data.
std::vector<std::byte> serialize_tensor(std::string_view name, const TensorData& data);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
