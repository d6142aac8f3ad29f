// Reads and writes ONNX's TensorProto, with every size checked before it is used.
#include "planner/import/model/tensor_proto.h"

#include <bit>
#include <cstring>
#include <limits>
#include <optional>

#include "onnx.pb.h"
#include "planner/graph/four_bits.h"
#include "planner/graph/graph.h"
#include "planner/graph/names.h"
#include "planner/import/model/external_data.h"

namespace arenite::planner {
namespace {

// Their numbers in ONNX.
constexpr int32_t kOnnxUint4 = 21, kOnnxInt4 = 22;

static_assert(std::endian::native == std::endian::little, "raw_data is little-endian");

[[noreturn]] void fail_count(uint64_t expected, uint64_t found, const char* field) {
  throw InputError("tensor holds " + std::to_string(found) + " elements in " + field +
                   ", its dims ask for " + std::to_string(expected));
}

// Copies a typed field, element by element, to T.
template <typename T, typename Field>
void copy_field(const Field& field, const char* name, TensorData& tensor) {
  const size_t count = tensor.bytes.size() / sizeof(T);
  if (static_cast<size_t>(field.size()) != count) {
    fail_count(count, static_cast<uint64_t>(field.size()), name);
  }
  for (size_t i = 0; i < count; ++i) {
    const T element = static_cast<T>(field.Get(static_cast<int>(i)));
    std::memcpy(tensor.bytes.data() + i * sizeof(T), &element, sizeof(T));
  }
}

void copy_typed(const onnx::TensorProto& proto, TensorData& tensor) {
  switch (tensor.dtype) {
    case DType::kFloat32:
      return copy_field<float>(proto.float_data(), "float_data", tensor);
    case DType::kFloat64:
      return copy_field<double>(proto.double_data(), "double_data", tensor);
    case DType::kInt64:
      return copy_field<int64_t>(proto.int64_data(), "int64_data", tensor);
    case DType::kUint64:
      return copy_field<uint64_t>(proto.uint64_data(), "uint64_data", tensor);
    case DType::kUint32:
      return copy_field<uint32_t>(proto.uint64_data(), "uint64_data", tensor);
    case DType::kInt32:
      return copy_field<int32_t>(proto.int32_data(), "int32_data", tensor);
    case DType::kInt16:
      return copy_field<int16_t>(proto.int32_data(), "int32_data", tensor);
    case DType::kUint16:
    case DType::kFloat16:
    case DType::kBfloat16:
      return copy_field<uint16_t>(proto.int32_data(), "int32_data", tensor);
    case DType::kInt8:
      return copy_field<int8_t>(proto.int32_data(), "int32_data", tensor);
    case DType::kUint8:
    case DType::kBool:
      return copy_field<uint8_t>(proto.int32_data(), "int32_data", tensor);
    case DType::kNone:
      break;
  }
}

// Elements of a tensor as they lie in raw_data or another file; nothing where they have a field for
// each.
struct Stored {
  std::optional<std::span<const std::byte>> bytes;
  const char* where = "";
};

bool is_external(const onnx::TensorProto& proto) {
  return proto.data_location() == onnx::TensorProto::EXTERNAL;
}

Stored stored_of(const onnx::TensorProto& proto, uint64_t asked, ExternalData& external) {
  if (is_external(proto)) return {external.bytes_of(proto, asked), "its external data"};
  if (proto.has_raw_data()) return {std::as_bytes(std::span(proto.raw_data())), "raw_data"};
  return {};
}

// Two elements a byte, the last one alone where their number is odd.
uint64_t pairs_of(uint64_t count) { return (count + 1) / 2; }

// `count` elements, whose dims have been checked.
void read_halves(const onnx::TensorProto& proto, const Stored& stored, uint64_t count,
                 TensorData& tensor) {
  const uint64_t expected = pairs_of(count);
  const uint64_t found =
      stored.bytes ? stored.bytes->size() : static_cast<uint64_t>(proto.int32_data_size());
  if (found != expected) {
    throw InputError("tensor holds " + std::to_string(found) + " pairs of elements in " +
                     (stored.bytes ? stored.where : "int32_data") + ", its dims " +
                     dims_text(tensor.dims) + " of " + type_name({tensor.dtype, true}) +
                     " ask for " + std::to_string(expected));
  }
  std::vector<std::byte> pairs(expected);
  if (stored.bytes && !pairs.empty()) {
    std::memcpy(pairs.data(), stored.bytes->data(), pairs.size());
  }
  for (int i = 0; i < proto.int32_data_size(); ++i) {
    // Some writers extend the sign of the byte.
    const int32_t pair = proto.int32_data(i);
    if (pair < -128 || pair > 255) {
      throw InputError("tensor holds " + std::to_string(pair) + " at " + std::to_string(i) +
                       " in int32_data, expected the byte of two elements");
    }
    if (!stored.bytes) pairs[static_cast<size_t>(i)] = static_cast<std::byte>(pair);
  }
  tensor.bytes = unpacked_halves(pairs, count, tensor.dtype);
}

}  // namespace

OnnxType type_from_onnx(int64_t number) {
  switch (number) {
    case kOnnxUint4:
      return {DType::kUint8, true};
    case kOnnxInt4:
      return {DType::kInt8, true};
    case 8:
      throw UnsupportedError("element type string is not supported",
                             "numbers, made of the text before the model");
    case 14:
    case 15:
      throw UnsupportedError("complex element types are not supported",
                             "real and imaginary parts as tensors of floats");
    case 17:
    case 18:
    case 19:
    case 20:
    case 24:
      throw UnsupportedError("8-bit float element types are not supported", "float16 or float32");
    case 23:
      throw UnsupportedError("4-bit float element types are not supported", "float16 or float32");
    case 25:
    case 26:
      throw UnsupportedError("2-bit integer element types are not supported", "int8 or uint8");
    default:
      break;
  }
  const bool known = number > 0 && number <= 16 && element_bytes(static_cast<DType>(number)) != 0;
  if (!known) {
    throw UnsupportedError("element type " + std::to_string(number) + " is not known", "float32");
  }
  return {static_cast<DType>(number), false};
}

DType dtype_from_onnx(int64_t number) {
  const OnnxType type = type_from_onnx(number);
  if (type.four_bits) {
    throw UnsupportedError("element type " + type_name(type) + " is not supported here",
                           "QuantizeLinear to it, or " + dtype_name(type.dtype));
  }
  return type.dtype;
}

int32_t onnx_number(const OnnxType& type) {
  if (!type.four_bits) return static_cast<int32_t>(type.dtype);
  return type.dtype == DType::kInt8 ? kOnnxInt4 : kOnnxUint4;
}

std::string type_name(const OnnxType& type) {
  if (!type.four_bits) return dtype_name(type.dtype);
  return type.dtype == DType::kInt8 ? "int4" : "uint4";
}

TensorData decode_tensor(const onnx::TensorProto& proto, ExternalData& external) {
  if (proto.has_segment()) {
    throw UnsupportedError("tensor segments are not supported", "the tensor in one piece");
  }
  TensorData tensor;
  const OnnxType type = type_from_onnx(proto.data_type());
  tensor.dtype = type.dtype;
  tensor.four_bits = type.four_bits;
  const std::vector<int64_t> dims(proto.dims().begin(), proto.dims().end());
  const uint64_t bytes = checked_bytes(tensor.dtype, dims);
  tensor.dims.assign(dims.begin(), dims.end());
  const Stored stored = stored_of(proto, type.four_bits ? pairs_of(bytes) : bytes, external);
  if (type.four_bits) {
    read_halves(proto, stored, bytes, tensor);
  } else if (stored.bytes) {
    if (stored.bytes->size() != bytes) {
      throw InputError("tensor holds " + std::to_string(stored.bytes->size()) + " bytes in " +
                       stored.where + ", its dims " + dims_text(tensor.dims) + " of " +
                       dtype_name(tensor.dtype) + " ask for " + std::to_string(bytes));
    }
    tensor.bytes.assign(stored.bytes->begin(), stored.bytes->end());
  } else {
    // A short field is refused before its dims make us allocate.
    const uint64_t found = static_cast<uint64_t>(proto.float_data_size()) +
                           static_cast<uint64_t>(proto.int32_data_size()) +
                           static_cast<uint64_t>(proto.int64_data_size()) +
                           static_cast<uint64_t>(proto.double_data_size()) +
                           static_cast<uint64_t>(proto.uint64_data_size());
    const uint64_t count = bytes / element_bytes(tensor.dtype);
    if (found != count) fail_count(count, found, "its data fields");
    tensor.bytes.resize(bytes);
    copy_typed(proto, tensor);
  }
  if (tensor.dtype == DType::kBool) {
    for (std::byte& byte : tensor.bytes) byte = byte == std::byte{0} ? byte : std::byte{1};
  }
  return tensor;
}

TensorData decode_tensor(const onnx::TensorProto& proto) {
  ExternalData none(std::nullopt);
  return decode_tensor(proto, none);
}

void take_inside(onnx::TensorProto& proto, ExternalData& external) {
  if (!is_external(proto)) return;
  const OnnxType type = type_from_onnx(proto.data_type());
  const uint64_t bytes =
      checked_bytes(type.dtype, std::vector<int64_t>(proto.dims().begin(), proto.dims().end()));
  const std::span<const std::byte> stored =
      external.bytes_of(proto, type.four_bits ? pairs_of(bytes) : bytes);
  proto.set_raw_data(stored.data(), stored.size());
  proto.clear_data_location();
  proto.clear_external_data();
}

NamedTensor parse_tensor(std::span<const std::byte> file) {
  onnx::TensorProto proto;
  if (file.size() > kMaxTensorBytes ||
      !proto.ParseFromArray(file.data(), static_cast<int>(file.size()))) {
    throw InputError("not an ONNX tensor: " + std::to_string(file.size()) +
                     " bytes do not parse as a TensorProto");
  }
  return {proto.name(), decode_tensor(proto)};
}

std::vector<std::byte> serialize_tensor(std::string_view name, const TensorData& data) {
  onnx::TensorProto proto;
  proto.set_name(std::string(name));
  proto.set_data_type(onnx_number({data.dtype, data.four_bits}));
  for (const uint32_t dim : data.dims) proto.add_dims(dim);
  if (data.four_bits) {
    const std::vector<std::byte> pairs = packed_halves(data.bytes);
    proto.set_raw_data(pairs.data(), pairs.size());
  } else {
    proto.set_raw_data(data.bytes.data(), data.bytes.size());
  }
  std::vector<std::byte> bytes(proto.ByteSizeLong());
  if (!proto.SerializeToArray(bytes.data(), static_cast<int>(bytes.size()))) {
    throw InputError("tensor " + printable(name) + " is too large for a TensorProto");
  }
  return bytes;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
