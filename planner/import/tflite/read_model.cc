// Reads a TensorFlow Lite file's tables: first FlatBuffers' own verifier, then every index and
// size.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/contract.h"
#include "planner/graph/four_bits.h"
#include "planner/graph/graph.h"
#include "planner/graph/names.h"
#include "planner/graph/tensor_bytes.h"
#include "planner/import/tflite/model.h"
#include "schema_generated.h"
#include "support/content.h"

namespace arenite::planner::tflite {
namespace {

namespace schema = tflite_schema;

static_assert(std::endian::native == std::endian::little, "the file's elements are little-endian");

constexpr uint32_t kVersion = 3;
constexpr int32_t kCustom = 32;

template <typename T>
uint32_t size_of(const T* vector) {
  return vector == nullptr ? 0 : vector->size();
}

std::string text_of(const flatbuffers::String* string, const std::string& where) {
  if (string == nullptr) return "";
  std::string text = string->str();
  if (!is_utf8(text)) throw InputError(where + ": name " + quote(text) + " is not UTF-8");
  return text;
}

struct Type {
  schema::TensorType type;
  const char* name;
  DType dtype;
};

constexpr Type kTypes[] = {
    {schema::TensorType_FLOAT32, "float32", DType::kFloat32},
    {schema::TensorType_FLOAT16, "float16", DType::kFloat16},
    {schema::TensorType_INT32, "int32", DType::kInt32},
    {schema::TensorType_UINT8, "uint8", DType::kUint8},
    {schema::TensorType_INT64, "int64", DType::kInt64},
    {schema::TensorType_STRING, "strings", DType::kNone},
    {schema::TensorType_BOOL, "bool", DType::kBool},
    {schema::TensorType_INT16, "int16", DType::kInt16},
    {schema::TensorType_COMPLEX64, "complex64", DType::kNone},
    {schema::TensorType_INT8, "int8", DType::kInt8},
    {schema::TensorType_FLOAT64, "float64", DType::kFloat64},
    {schema::TensorType_COMPLEX128, "complex128", DType::kNone},
    {schema::TensorType_UINT64, "uint64", DType::kUint64},
    {schema::TensorType_RESOURCE, "a resource", DType::kNone},
    {schema::TensorType_VARIANT, "a variant", DType::kNone},
    {schema::TensorType_UINT32, "uint32", DType::kUint32},
    {schema::TensorType_UINT16, "uint16", DType::kUint16},
    {schema::TensorType_INT4, "int4", DType::kInt8},
    {schema::TensorType_BFLOAT16, "bfloat16", DType::kBfloat16},
};

void read_type(schema::TensorType type, Tensor& tensor) {
  const Type* row = std::find_if(std::begin(kTypes), std::end(kTypes),
                                 [&](const Type& entry) { return entry.type == type; });
  if (row == std::end(kTypes)) {
    tensor.unsupported = "has type " + std::to_string(int{type}) + ", which is not known";
    return;
  }
  tensor.dtype = row->dtype;
  tensor.packed = type == schema::TensorType_INT4;
  if (row->dtype == DType::kNone) {
    tensor.unsupported = std::string("holds ") + row->name + ", which is not supported";
  }
}

// The least and the greatest zero point that a type's integers have.
struct Range {
  int64_t least, greatest;
};

Range zero_points_of(DType dtype) {
  if (dtype == DType::kUint8) return {0, 255};
  if (dtype == DType::kInt8) return {-128, 127};
  if (dtype == DType::kInt16) return {-32768, 32767};
  return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
}

// FlatBuffers' verifier checks the alignment of a vector's length, not of the elements behind it.
int64_t zero_point_at(const schema::QuantizationParameters& table, uint32_t i) {
  int64_t zero_point = 0;
  std::memcpy(&zero_point, table.zero_point()->Data() + i * sizeof zero_point, sizeof zero_point);
  return zero_point;
}

// Why scales and zero points make no sense, "" where they do.
std::string fault_of(const Tensor& tensor, const schema::QuantizationParameters& table) {
  const uint32_t count = table.scale()->size();
  for (const float scale : *table.scale()) {
    if (!(scale > 0) || std::isinf(scale)) {
      return "has a scale of " + std::to_string(scale) + ", expected a number above 0";
    }
  }
  const uint32_t zeros = size_of(table.zero_point());
  if (zeros != 0 && zeros != count) {
    return "has " + std::to_string(zeros) + " zero points for " + std::to_string(count) + " scales";
  }
  const Range range = zero_points_of(tensor.dtype);
  for (uint32_t i = 0; i < zeros; ++i) {
    const int64_t zero = zero_point_at(table, i);
    if (zero < range.least || zero > range.greatest) {
      return "has a zero point of " + std::to_string(zero) + ", expected " +
             std::to_string(range.least) + " to " + std::to_string(range.greatest);
    }
  }
  if (count == 1) return "";
  const int32_t axis = table.quantized_dimension();
  if (axis < 0 || static_cast<size_t>(axis) >= tensor.dims.size()) {
    return "has " + std::to_string(count) + " scales along dimension " + std::to_string(axis) +
           " of " + dims_text(tensor.dims);
  }
  if (tensor.dims[static_cast<size_t>(axis)] != int64_t{count}) {
    return "has " + std::to_string(count) + " scales, expected one, or one for each index of " +
           "dimension " + std::to_string(axis) + " of " + dims_text(tensor.dims);
  }
  return "";
}

void read_quantization(const schema::QuantizationParameters& table, Tensor& tensor) {
  constexpr TypeSet kIntegers =
      type_set(DType::kInt8, DType::kUint8, DType::kInt16, DType::kInt32, DType::kInt64);
  if (size_of(table.scale()) == 0 || tensor.dtype == DType::kNone) return;
  if (!has(kIntegers, tensor.dtype)) return;
  tensor.quantization_fault = fault_of(tensor, table);
  if (!tensor.quantization_fault.empty()) return;
  Quantization quantization = {.dtype = tensor.dtype, .scales = {}, .zero_points = {}};
  quantization.scales.assign(table.scale()->begin(), table.scale()->end());
  quantization.zero_points.assign(quantization.scales.size(), 0);
  for (uint32_t i = 0; i < size_of(table.zero_point()); ++i) {
    quantization.zero_points[i] = static_cast<int32_t>(zero_point_at(table, i));
  }
  if (quantization.scales.size() > 1) {
    quantization.axis = static_cast<uint32_t>(table.quantized_dimension());
  }
  tensor.quantization = std::move(quantization);
}

// A constant's bytes as its dims ask for.
void check_constant(const Tensor& tensor, const std::string& where) {
  if (tensor.sparsity != nullptr || tensor.dtype == DType::kNone) return;
  const uint64_t elements = checked_bytes(tensor.dtype, tensor.dims);
  const uint64_t expected = tensor.packed ? (elements + 1) / 2 : elements;
  if (tensor.data.size() != expected) {
    throw InputError(where + ": its buffer holds " + std::to_string(tensor.data.size()) +
                     " bytes, expected the " + std::to_string(expected) + " of " +
                     (tensor.packed ? "int4" : dtype_name(tensor.dtype)) + " " +
                     dims_text(tensor.dims));
  }
}

class Reader {
 public:
  explicit Reader(std::span<const std::byte> file) : file_(file) {}

  Model read() {
    root_ = schema::GetModel(file_.data());
    if (root_->version() != kVersion) {
      throw InputError("its schema has version " + std::to_string(root_->version()) +
                       ", expected " + std::to_string(kVersion));
    }
    if (size_of(root_->subgraphs()) == 0) throw InputError("it holds no subgraph");
    Model model;
    for (const schema::SubGraph* table : *root_->subgraphs()) {
      const auto index = static_cast<uint32_t>(model.subgraphs.size());
      model.subgraphs.push_back(read_subgraph(*table, index));
    }
    if (root_->signature_defs() != nullptr) {
      for (const schema::SignatureDef* table : *root_->signature_defs()) {
        const std::string where = "signature " + std::to_string(model.signatures.size());
        model.signatures.push_back(read_signature(*table, model, where));
      }
    }
    return model;
  }

 private:
  // The bytes of buffer `index`; number 0 has none.
  std::span<const std::byte> buffer(uint32_t index, const std::string& where) const {
    if (index == 0 && size_of(root_->buffers()) == 0) return {};
    if (index >= size_of(root_->buffers())) {
      throw InputError(where + ": names buffer " + std::to_string(index) + " of " +
                       std::to_string(size_of(root_->buffers())));
    }
    const schema::Buffer& table = *root_->buffers()->Get(index);
    // 1 stands for an offset that was never filled in.
    if (table.offset() > 1) {
      if (table.offset() > file_.size() || table.size() > file_.size() - table.offset()) {
        throw InputError(where + ": buffer " + std::to_string(index) + " has " +
                         std::to_string(table.size()) + " bytes at " +
                         std::to_string(table.offset()) + " of a file of " +
                         std::to_string(file_.size()));
      }
      return file_.subspan(table.offset(), table.size());
    }
    if (table.data() == nullptr) return {};
    return std::as_bytes(std::span(table.data()->data(), table.data()->size()));
  }

  Tensor read_tensor(const schema::Tensor& table, uint32_t index,
                     const std::string& subgraph) const {
    Tensor tensor;
    tensor.index = index;
    const std::string at = subgraph + ", tensor " + std::to_string(index);
    tensor.name = text_of(table.name(), at);
    const std::string where = subgraph + ", " + describe(tensor);
    read_type(table.type(), tensor);
    if (table.shape() != nullptr) tensor.dims.assign(table.shape()->begin(), table.shape()->end());
    if (table.shape_signature() != nullptr) {
      tensor.signature.assign(table.shape_signature()->begin(), table.shape_signature()->end());
    }
    if (!tensor.signature.empty() && tensor.signature.size() != tensor.dims.size()) {
      throw InputError(where + ": shape " + dims_text(tensor.dims) + " and shape_signature " +
                       dims_text(tensor.signature) + " differ in rank");
    }
    try {
      checked_bytes(DType::kUint8, tensor.dims);
      if (tensor.dtype != DType::kNone) checked_bytes(tensor.dtype, tensor.dims);
    } catch (const InputError& error) {
      throw InputError(where + ": " + error.what());
    }
    tensor.variable = table.is_variable();
    if (table.quantization() != nullptr) read_quantization(*table.quantization(), tensor);
    tensor.sparsity = table.sparsity();
    tensor.data = buffer(table.buffer(), where);
    const bool empty = std::find(tensor.dims.begin(), tensor.dims.end(), 0) != tensor.dims.end();
    tensor.constant = !tensor.variable && (!tensor.data.empty() || empty);
    if (tensor.packed && (!tensor.constant || tensor.sparsity != nullptr)) {
      tensor.unsupported = "holds int4, which is supported of constants that are not sparse only";
    }
    if (tensor.constant) check_constant(tensor, where);
    return tensor;
  }

  Operator read_operator(const schema::Operator& table, const Subgraph& subgraph,
                         uint32_t index) const {
    Operator op;
    op.index = index;
    op.table = &table;
    const std::string at =
        "subgraph " + std::to_string(subgraph.index) + ", operator " + std::to_string(index);
    if (table.opcode_index() >= size_of(root_->operator_codes())) {
      throw InputError(at + ": names operator code " + std::to_string(table.opcode_index()) +
                       " of " + std::to_string(size_of(root_->operator_codes())));
    }
    const schema::OperatorCode& code = *root_->operator_codes()->Get(table.opcode_index());
    // Codes up to 127 stand in the older field too, or only there.
    op.code = std::max<int32_t>(code.builtin_code(), code.deprecated_builtin_code());
    op.custom = op.code == kCustom;
    op.name = op.custom ? text_of(code.custom_code(), at) : builtin_name(op.code);
    const std::string where = describe(subgraph, op);
    const auto tensors = static_cast<int64_t>(subgraph.tensors.size());
    const auto take = [&](const flatbuffers::Vector<int32_t>* list, int64_t least,
                          const char* what) {
      std::vector<int32_t> taken;
      for (uint32_t i = 0; i < size_of(list); ++i) {
        const int32_t tensor = list->Get(i);
        if (tensor < least || tensor >= tensors) {
          throw InputError(where + ": " + what + " " + std::to_string(i) + " is tensor " +
                           std::to_string(tensor) + " of " + std::to_string(tensors));
        }
        taken.push_back(tensor);
      }
      return taken;
    };
    op.inputs = take(table.inputs(), -1, "input");
    op.outputs = take(table.outputs(), 0, "output");
    if (table.custom_options() != nullptr) {
      op.custom_options =
          std::as_bytes(std::span(table.custom_options()->data(), table.custom_options()->size()));
    }
    return op;
  }

  Subgraph read_subgraph(const schema::SubGraph& table, uint32_t index) const {
    Subgraph subgraph;
    subgraph.index = index;
    const std::string where = "subgraph " + std::to_string(index);
    subgraph.name = text_of(table.name(), where);
    for (uint32_t i = 0; i < size_of(table.tensors()); ++i) {
      subgraph.tensors.push_back(read_tensor(*table.tensors()->Get(i), i, where));
    }
    const auto take = [&](const flatbuffers::Vector<int32_t>* list, const char* what) {
      std::vector<uint32_t> taken;
      for (uint32_t i = 0; i < size_of(list); ++i) {
        const int32_t tensor = list->Get(i);
        if (tensor < 0 || static_cast<size_t>(tensor) >= subgraph.tensors.size()) {
          throw InputError(where + ": " + what + " " + std::to_string(i) + " is tensor " +
                           std::to_string(tensor) + " of " +
                           std::to_string(subgraph.tensors.size()));
        }
        taken.push_back(static_cast<uint32_t>(tensor));
      }
      return taken;
    };
    subgraph.inputs = take(table.inputs(), "input");
    subgraph.outputs = take(table.outputs(), "output");
    for (uint32_t i = 0; i < size_of(table.operators()); ++i) {
      subgraph.operators.push_back(read_operator(*table.operators()->Get(i), subgraph, i));
    }
    return subgraph;
  }

  static Signature read_signature(const schema::SignatureDef& table, const Model& model,
                                  const std::string& where) {
    Signature signature;
    signature.key = text_of(table.signature_key(), where);
    signature.subgraph = table.subgraph_index();
    if (signature.subgraph >= model.subgraphs.size()) {
      throw InputError(where + ": names subgraph " + std::to_string(signature.subgraph) + " of " +
                       std::to_string(model.subgraphs.size()));
    }
    const Subgraph& subgraph = model.subgraphs[signature.subgraph];
    const auto take = [&](const auto* list, const std::vector<uint32_t>& known, const char* what) {
      std::vector<Signature::Entry> taken;
      for (uint32_t i = 0; i < size_of(list); ++i) {
        const schema::TensorMap& entry = *list->Get(i);
        if (std::find(known.begin(), known.end(), entry.tensor_index()) == known.end()) {
          throw InputError(where + ": " + what + " " + std::to_string(i) + " is tensor " +
                           std::to_string(entry.tensor_index()) + ", which is no " + what +
                           " of subgraph " + std::to_string(signature.subgraph));
        }
        taken.push_back({text_of(entry.name(), where), entry.tensor_index()});
      }
      return taken;
    };
    signature.inputs = take(table.inputs(), subgraph.inputs, "input");
    signature.outputs = take(table.outputs(), subgraph.outputs, "output");
    return signature;
  }

  std::span<const std::byte> file_;
  const schema::Model* root_ = nullptr;
};

}  // namespace

std::vector<std::byte> elements_of(const Tensor& tensor) {
  if (!tensor.packed) return {tensor.data.begin(), tensor.data.end()};
  return unpacked_halves(tensor.data, checked_bytes(DType::kInt8, tensor.dims), DType::kInt8);
}

std::string describe(const Tensor& tensor) {
  const std::string text = "tensor " + std::to_string(tensor.index);
  return tensor.name.empty() ? text : text + " (" + quote(tensor.name) + ")";
}

std::string describe(const Subgraph& subgraph, const Operator& op) {
  return "subgraph " + std::to_string(subgraph.index) + ", operator " + std::to_string(op.index) +
         " (" + printable(op.name) + ")";
}

Model read_model(std::span<const std::byte> file) {
  const std::string start = "not a TensorFlow Lite model: ";
  const Content content = content_of(file);
  if (content != Content::kTfLite) throw InputError(start + "found " + described(content));
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t*>(file.data()), file.size());
  if (file.size() > uint64_t{std::numeric_limits<int32_t>::max()} ||
      !schema::VerifyModelBuffer(verifier)) {
    throw InputError(start + "its " + std::to_string(file.size()) +
                     " bytes do not hold the tables of one (truncated or damaged?)");
  }
  try {
    return Reader(file).read();
  } catch (const InputError& error) {
    throw InputError("damaged TensorFlow Lite model: " + std::string(error.what()));
  }
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
