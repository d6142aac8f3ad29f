// Fills the messages of ONNX's protobuf node by node.
#include "tests/planner/model/model_builder.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <random>

#include "onnx.pb.h"

namespace arenite::planner {
namespace {

template <typename T>
TensorData tensor_of(DType dtype, std::vector<uint32_t> dims, const std::vector<T>& elements) {
  TensorData data{dtype, std::move(dims), std::vector<std::byte>(elements.size() * sizeof(T))};
  if (!elements.empty()) std::memcpy(data.bytes.data(), elements.data(), data.bytes.size());
  return data;
}

template <typename T>
std::vector<T> elements_of(const std::vector<std::byte>& bytes) {
  std::vector<T> elements(bytes.size() / sizeof(T));
  if (!elements.empty()) std::memcpy(elements.data(), bytes.data(), elements.size() * sizeof(T));
  return elements;
}

void fill(onnx::TensorProto& proto, const TensorData& data) {
  const std::vector<std::byte> bytes = serialize_tensor("", data);
  proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
  proto.clear_name();
}

}  // namespace

TensorData float_tensor(std::vector<uint32_t> dims, const std::vector<float>& elements) {
  return tensor_of(DType::kFloat32, std::move(dims), elements);
}

TensorData int64_tensor(std::vector<uint32_t> dims, const std::vector<int64_t>& elements) {
  return tensor_of(DType::kInt64, std::move(dims), elements);
}

TensorData bool_tensor(std::vector<uint32_t> dims, const std::vector<bool>& elements) {
  return tensor_of(DType::kBool, std::move(dims),
                   std::vector<uint8_t>(elements.begin(), elements.end()));
}

TensorData integer_tensor(DType type, std::vector<uint32_t> dims, const std::vector<int>& elements,
                          bool four_bits) {
  const size_t width = element_bytes(type);
  TensorData data{type, std::move(dims), std::vector<std::byte>(elements.size() * width),
                  four_bits};
  for (size_t i = 0; i < elements.size(); ++i) {
    std::memcpy(data.bytes.data() + i * width, &elements[i], width);  // the lower bytes
  }
  return data;
}

TensorData counting_tensor(std::vector<uint32_t> dims) {
  size_t count = 1;
  for (const uint32_t dim : dims) count *= dim;
  std::vector<float> elements;
  for (size_t i = 0; i < count; ++i) elements.push_back(static_cast<float>(i + 1));
  return float_tensor(std::move(dims), elements);
}

TensorData random_tensor(std::vector<uint32_t> dims, uint32_t seed) {
  TensorData data = counting_tensor(std::move(dims));
  std::mt19937 random(seed);
  std::vector<float> elements(data.bytes.size() / sizeof(float));
  for (float& element : elements) {
    element = static_cast<float>(random() >> 8u) / static_cast<float>(1u << 23u) - 1.0f;
  }
  return float_tensor(data.dims, elements);
}

std::vector<float> floats_of(const std::vector<std::byte>& bytes) {
  return elements_of<float>(bytes);
}

std::vector<int> integers_of(const TensorData& data) {
  const auto widened = [](const auto& elements) {
    return std::vector<int>(elements.begin(), elements.end());
  };
  switch (data.dtype) {
    case DType::kInt8:
      return widened(elements_of<int8_t>(data.bytes));
    case DType::kUint8:
      return widened(elements_of<uint8_t>(data.bytes));
    case DType::kInt16:
      return widened(elements_of<int16_t>(data.bytes));
    default:
      return widened(elements_of<int32_t>(data.bytes));
  }
}

struct ModelBuilder::Protos {
  onnx::ModelProto model;

  onnx::AttributeProto& attribute(const std::string& name) {
    onnx::NodeProto& last = *model.mutable_graph()->mutable_node()->rbegin();
    onnx::AttributeProto& added = *last.add_attribute();
    added.set_name(name);
    return added;
  }
};

ModelBuilder::ModelBuilder(int64_t opset) : protos_(std::make_unique<Protos>()) {
  protos_->model.set_ir_version(8);
  protos_->model.mutable_graph()->set_name("test");
  if (opset != 0) protos_->model.add_opset_import()->set_version(opset);
}

ModelBuilder::~ModelBuilder() = default;

ModelBuilder& ModelBuilder::input(const std::string& name, const std::vector<std::string>& dims,
                                  DType dtype, bool four_bits) {
  onnx::ValueInfoProto& info = *protos_->model.mutable_graph()->add_input();
  info.set_name(name);
  onnx::TypeProto::Tensor& type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx_number({dtype, four_bits}));
  type.mutable_shape();
  for (const std::string& dim : dims) {
    onnx::TensorShapeProto::Dimension& added = *type.mutable_shape()->add_dim();
    const bool number = !dim.empty() && (std::isdigit(dim[0]) != 0 || dim[0] == '-');
    if (number) added.set_dim_value(std::stoll(dim));
    if (!number && !dim.empty()) added.set_dim_param(dim);
  }
  return *this;
}

ModelBuilder& ModelBuilder::input_without_shape(const std::string& name) {
  onnx::ValueInfoProto& info = *protos_->model.mutable_graph()->add_input();
  info.set_name(name);
  info.mutable_type()->mutable_tensor_type()->set_elem_type(1);
  return *this;
}

ModelBuilder& ModelBuilder::output(const std::string& name, DType dtype, bool four_bits) {
  onnx::ValueInfoProto& info = *protos_->model.mutable_graph()->add_output();
  info.set_name(name);
  info.mutable_type()->mutable_tensor_type()->set_elem_type(onnx_number({dtype, four_bits}));
  return *this;
}

ModelBuilder& ModelBuilder::initializer(const std::string& name, const TensorData& data) {
  onnx::TensorProto& tensor = *protos_->model.mutable_graph()->add_initializer();
  fill(tensor, data);
  tensor.set_name(name);
  return *this;
}

ModelBuilder& ModelBuilder::node(const std::string& op_type, const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs, const std::string& name) {
  onnx::NodeProto& added = *protos_->model.mutable_graph()->add_node();
  added.set_op_type(op_type);
  added.set_name(name);
  for (const std::string& input : inputs) added.add_input(input);
  for (const std::string& output : outputs) added.add_output(output);
  return *this;
}

ModelBuilder& ModelBuilder::with(const std::string& name, int64_t value) {
  onnx::AttributeProto& attribute = protos_->attribute(name);
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(value);
  return *this;
}

ModelBuilder& ModelBuilder::with(const std::string& name, float value) {
  onnx::AttributeProto& attribute = protos_->attribute(name);
  attribute.set_type(onnx::AttributeProto::FLOAT);
  attribute.set_f(value);
  return *this;
}

ModelBuilder& ModelBuilder::with(const std::string& name, const char* value) {
  onnx::AttributeProto& attribute = protos_->attribute(name);
  attribute.set_type(onnx::AttributeProto::STRING);
  attribute.set_s(value);
  return *this;
}

ModelBuilder& ModelBuilder::with_ints(const std::string& name, const std::vector<int64_t>& value) {
  onnx::AttributeProto& attribute = protos_->attribute(name);
  attribute.set_type(onnx::AttributeProto::INTS);
  for (const int64_t number : value) attribute.add_ints(number);
  return *this;
}

ModelBuilder& ModelBuilder::with_floats(const std::string& name, const std::vector<float>& value) {
  onnx::AttributeProto& attribute = protos_->attribute(name);
  attribute.set_type(onnx::AttributeProto::FLOATS);
  for (const float number : value) attribute.add_floats(number);
  return *this;
}

ModelBuilder& ModelBuilder::with(const std::string& name, const TensorData& value) {
  onnx::AttributeProto& attribute = protos_->attribute(name);
  attribute.set_type(onnx::AttributeProto::TENSOR);
  fill(*attribute.mutable_t(), value);
  return *this;
}

ModelBuilder& ModelBuilder::with_graph(const std::string& name) {
  onnx::AttributeProto& attribute = protos_->attribute(name);
  attribute.set_type(onnx::AttributeProto::GRAPH);
  attribute.mutable_g()->set_name("inner");
  return *this;
}

ModelBuilder& ModelBuilder::with_graph(const std::string& name, const ModelBuilder& inner) {
  onnx::AttributeProto& attribute = protos_->attribute(name);
  attribute.set_type(onnx::AttributeProto::GRAPH);
  *attribute.mutable_g() = inner.protos_->model.graph();
  return *this;
}

ModelBuilder& ModelBuilder::with_strings(const std::string& name,
                                         const std::vector<std::string>& value) {
  onnx::AttributeProto& attribute = protos_->attribute(name);
  attribute.set_type(onnx::AttributeProto::STRINGS);
  for (const std::string& text : value) attribute.add_strings(text);
  return *this;
}

ModelBuilder& ModelBuilder::domain(const std::string& name) {
  protos_->model.mutable_graph()->mutable_node()->rbegin()->set_domain(name);
  return *this;
}

std::vector<std::byte> ModelBuilder::bytes() const {
  std::vector<std::byte> bytes(protos_->model.ByteSizeLong());
  protos_->model.SerializeToArray(bytes.data(), static_cast<int>(bytes.size()));
  return bytes;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
