// Writes models by the tables' own Create functions.
#include "tests/planner/tflite/tflite_builder.h"

#include <algorithm>
#include <cstring>

namespace arenite::planner {
namespace {

tfl::TensorType type_of(DType dtype) {
  switch (dtype) {
    case DType::kFloat16:
      return tfl::TensorType_FLOAT16;
    case DType::kInt32:
      return tfl::TensorType_INT32;
    case DType::kInt64:
      return tfl::TensorType_INT64;
    case DType::kBool:
      return tfl::TensorType_BOOL;
    case DType::kInt8:
      return tfl::TensorType_INT8;
    case DType::kUint8:
      return tfl::TensorType_UINT8;
    case DType::kInt16:
      return tfl::TensorType_INT16;
    default:
      return tfl::TensorType_FLOAT32;
  }
}

}  // namespace

TensorData int32_tensor(std::vector<uint32_t> dims, const std::vector<int32_t>& elements) {
  TensorData data{DType::kInt32, std::move(dims), {}};
  data.bytes.resize(elements.size() * sizeof(int32_t));
  if (!elements.empty()) std::memcpy(data.bytes.data(), elements.data(), data.bytes.size());
  return data;
}

int32_t TfliteBuilder::tensor(const std::string& name, const std::vector<int32_t>& dims,
                              tfl::TensorType type) {
  tensors_.push_back({.name = name, .dims = dims, .type = type});
  return static_cast<int32_t>(tensors_.size() - 1);
}

int32_t TfliteBuilder::input(const std::string& name, const std::vector<int32_t>& dims,
                             tfl::TensorType type) {
  inputs_.push_back(tensor(name, dims, type));
  return inputs_.back();
}

int32_t TfliteBuilder::constant(const TensorData& data) {
  const std::vector<int32_t> dims(data.dims.begin(), data.dims.end());
  const int32_t index = tensor("c" + std::to_string(tensors_.size()), dims, type_of(data.dtype));
  std::vector<uint8_t>& bytes = tensors_.back().bytes;
  bytes.resize(data.bytes.size());
  if (!bytes.empty()) std::memcpy(bytes.data(), data.bytes.data(), bytes.size());
  return index;
}

int32_t TfliteBuilder::ints(const std::vector<int32_t>& numbers) {
  return constant(int32_tensor({static_cast<uint32_t>(numbers.size())}, numbers));
}

void TfliteBuilder::set_signature(int32_t tensor, const std::vector<int32_t>& dims) {
  tensors_[static_cast<size_t>(tensor)].signature = dims;
}

void TfliteBuilder::set_quantized(int32_t tensor, Scales scales) {
  tensors_[static_cast<size_t>(tensor)].scales = std::move(scales);
}

void TfliteBuilder::set_variable(int32_t tensor) {
  tensors_[static_cast<size_t>(tensor)].variable = true;
}

void TfliteBuilder::set_sparsity(
    int32_t tensor,
    std::function<flatbuffers::Offset<tfl::SparsityParameters>(flatbuffers::FlatBufferBuilder&)>
        sparsity) {
  tensors_[static_cast<size_t>(tensor)].sparsity = std::move(sparsity);
}

void TfliteBuilder::set_bytes(int32_t tensor, std::vector<uint8_t> bytes) {
  tensors_[static_cast<size_t>(tensor)].bytes = std::move(bytes);
}

void TfliteBuilder::op(int32_t code, std::vector<int32_t> inputs, std::vector<int32_t> outputs) {
  operators_.push_back({.code = code, .inputs = std::move(inputs), .outputs = std::move(outputs)});
}

void TfliteBuilder::op(int32_t code, std::vector<int32_t> inputs, std::vector<int32_t> outputs,
                       tfl::BuiltinOptions type, Options options) {
  op(code, std::move(inputs), std::move(outputs));
  operators_.back().type = type;
  operators_.back().options = std::move(options);
}

void TfliteBuilder::custom(const std::string& name, std::vector<int32_t> inputs,
                           std::vector<int32_t> outputs, std::vector<uint8_t> options) {
  constexpr int32_t kCustom = 32;
  op(kCustom, std::move(inputs), std::move(outputs));
  operators_.back().custom_code = name;
  operators_.back().custom_options = std::move(options);
}

void TfliteBuilder::signature(const std::string& key, std::vector<std::string> inputs,
                              std::vector<std::string> outputs) {
  signatures_.push_back({key, std::move(inputs), std::move(outputs)});
}

// The parts that the subgraphs share, and those already written.
struct TfliteBuilder::File {
  flatbuffers::FlatBufferBuilder b;
  std::vector<flatbuffers::Offset<tfl::Buffer>> buffers = {tfl::CreateBuffer(b)};
  std::vector<flatbuffers::Offset<tfl::OperatorCode>> codes;
  std::vector<flatbuffers::Offset<tfl::SubGraph>> subgraphs;
  std::vector<flatbuffers::Offset<tfl::SignatureDef>> signatures;
};

void TfliteBuilder::write(File& file) const {
  flatbuffers::FlatBufferBuilder& b = file.b;
  std::vector<flatbuffers::Offset<tfl::Tensor>> tensors;
  for (const Tensor& tensor : tensors_) {
    uint32_t buffer = 0;
    if (!tensor.bytes.empty()) {
      buffer = static_cast<uint32_t>(file.buffers.size());
      b.ForceVectorAlignment(tensor.bytes.size(), 1, 16);
      file.buffers.push_back(tfl::CreateBuffer(b, b.CreateVector(tensor.bytes)));
    }
    flatbuffers::Offset<tfl::QuantizationParameters> quantization;
    if (tensor.scales) {
      quantization = tfl::CreateQuantizationParametersDirect(
          b, nullptr, nullptr, &tensor.scales->scale, &tensor.scales->zero_point, 0,
          tensor.scales->axis);
    }
    flatbuffers::Offset<tfl::SparsityParameters> sparsity;
    if (tensor.sparsity) sparsity = tensor.sparsity(b);
    const auto shape = b.CreateVector(tensor.dims);
    const auto name = b.CreateString(tensor.name);
    const auto signature = tensor.signature.empty()
                               ? flatbuffers::Offset<flatbuffers::Vector<int32_t>>()
                               : b.CreateVector(tensor.signature);
    tensors.push_back(tfl::CreateTensor(b, shape, tensor.type, buffer, name, quantization,
                                        tensor.variable, sparsity, signature));
  }
  std::vector<flatbuffers::Offset<tfl::Operator>> operators;
  for (const Operator& op : operators_) {
    constexpr int32_t kOldCodes = 127;
    const auto code = static_cast<uint32_t>(file.codes.size());
    file.codes.push_back(tfl::CreateOperatorCodeDirect(
        b, static_cast<int8_t>(std::min(op.code, kOldCodes)),
        op.custom_code.empty() ? nullptr : op.custom_code.c_str(), 1, op.code));
    const flatbuffers::Offset<void> options =
        op.options ? op.options(b) : flatbuffers::Offset<void>();
    operators.push_back(
        tfl::CreateOperatorDirect(b, code, &op.inputs, &op.outputs, op.type, options,
                                  op.custom_options.empty() ? nullptr : &op.custom_options));
  }
  const auto index = static_cast<uint32_t>(file.subgraphs.size());
  const std::string name = index == 0 ? "main" : "subgraph_" + std::to_string(index);
  file.subgraphs.push_back(
      tfl::CreateSubGraphDirect(b, &tensors, &inputs_, &outputs_, &operators, name.c_str()));
  for (const Signature& signature : signatures_) {
    const auto maps = [&](const std::vector<std::string>& names,
                          const std::vector<int32_t>& numbers) {
      std::vector<flatbuffers::Offset<tfl::TensorMap>> list;
      for (size_t i = 0; i < names.size(); ++i) {
        list.push_back(
            tfl::CreateTensorMapDirect(b, names[i].c_str(), static_cast<uint32_t>(numbers[i])));
      }
      return list;
    };
    const auto inputs = maps(signature.inputs, inputs_);
    const auto outputs = maps(signature.outputs, outputs_);
    file.signatures.push_back(
        tfl::CreateSignatureDefDirect(b, &inputs, &outputs, signature.key.c_str(), nullptr, index));
  }
}

std::vector<std::byte> TfliteBuilder::bytes() const {
  File file;
  write(file);
  for (const TfliteBuilder& other : others_) other.write(file);
  flatbuffers::FlatBufferBuilder& b = file.b;
  b.Finish(tfl::CreateModelDirect(b, 3, &file.codes, &file.subgraphs, "test", &file.buffers,
                                  nullptr, &file.signatures),
           tfl::ModelIdentifier());
  std::vector<std::byte> result(b.GetSize());
  std::memcpy(result.data(), b.GetBufferPointer(), result.size());
  return result;
}

std::vector<TensorData> run_tflite(const TfliteBuilder& model,
                                   const std::vector<TensorData>& inputs,
                                   const ImportOptions& options) {
  std::vector<ImportedMethod> methods = import_model(model.bytes(), options);
  return run_graph(std::move(methods.at(0).graph), inputs);
}

std::vector<float> run_tflite_floats(const TfliteBuilder& model,
                                     const std::vector<TensorData>& inputs) {
  return floats_of(run_tflite(model, inputs)[0].bytes);
}

TfliteBuilder model_of(const TfliteOp& op, const std::vector<TfliteOperand>& operands) {
  TfliteBuilder model;
  std::vector<int32_t> inputs, outputs;
  for (const TfliteOperand& operand : operands) {
    const std::vector<int32_t> dims(operand.data.dims.begin(), operand.data.dims.end());
    inputs.push_back(operand.constant ? model.constant(operand.data)
                                      : model.input("x" + std::to_string(inputs.size()), dims,
                                                    type_of(operand.data.dtype)));
  }
  for (const tfl::TensorType type : op.outputs) {
    outputs.push_back(model.tensor("y" + std::to_string(outputs.size()), {}, type));
    model.output(outputs.back());
  }
  if (op.options) {
    model.op(op.code, inputs, outputs, op.type, op.options);
  } else {
    model.op(op.code, inputs, outputs);
  }
  return model;
}

std::vector<TensorData> run_op(const TfliteOp& op, const std::vector<TfliteOperand>& operands) {
  std::vector<TensorData> inputs;
  for (const TfliteOperand& operand : operands) {
    if (!operand.constant) inputs.push_back(operand.data);
  }
  return run_tflite(model_of(op, operands), inputs);
}

std::string tflite_error(const TfliteBuilder& model, const ImportOptions& options) {
  try {
    import_model(model.bytes(), options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
