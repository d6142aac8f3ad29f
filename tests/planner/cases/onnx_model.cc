// ONNX's messages are made by the builder that the tests in C++ use.
#include <charconv>

#include "tests/planner/cases/model.h"
#include "tests/planner/cases/values.h"
#include "tests/planner/model/model_builder.h"

namespace arenite::planner::cases {
namespace {

// 3 is an integer; 3.0, 3e0, inf and nan are floats.
bool is_float_text(const std::string& text) {
  return text.find_first_of(".en") != std::string::npos;
}

float float_of(const std::string& text) {
  Words words(text);
  return floats_of(read_values(words, {DType::kFloat32}, {}).bytes)[0];
}

int64_t integer_of(const std::string& text) {
  Words words(text);
  return read_integer(words);
}

void add_list(ModelBuilder& model, const std::string& name, Words& words) {
  std::vector<std::string> list;
  bool texts = false;
  bool floats = false;
  words.expect('[');
  while (!words.take(']')) {
    if (!list.empty()) words.expect(',');
    texts = texts || words.at('"');
    list.push_back(texts ? words.quoted() : words.word());
    floats = floats || is_float_text(list.back());
  }
  if (texts) {
    model.with_strings(name, list);
  } else if (floats) {
    std::vector<float> numbers;
    for (const std::string& text : list) numbers.push_back(float_of(text));
    model.with_floats(name, numbers);
  } else {
    std::vector<int64_t> numbers;
    for (const std::string& text : list) numbers.push_back(integer_of(text));
    model.with_ints(name, numbers);
  }
}

void add_attribute(ModelBuilder& model, const Field& field) {
  Words words(field.text);
  if (words.at('"')) {
    model.with(field.name, words.quoted().c_str());
  } else if (words.at('[')) {
    add_list(model, field.name, words);
  } else {
    const std::string word = words.word();
    if (const auto type = find_type(word)) {
      const std::vector<uint32_t> dims = numbers_of(read_dims(words));
      words.expect('=');
      model.with(field.name, read_values(words, *type, dims));
    } else if (is_float_text(word)) {
      model.with(field.name, float_of(word));
    } else {
      model.with(field.name, integer_of(word));
    }
  }
}

void add_tensor(ModelBuilder& model, const Tensor& tensor) {
  if (!tensor.fields.empty()) throw InputError("ONNX's tensors have no scales and fields");
  if (tensor.kind == Tensor::Kind::kInput) {
    model.input(tensor.name, tensor.dims, tensor.type.dtype, tensor.type.four_bits);
  } else if (tensor.kind == Tensor::Kind::kConstant) {
    model.initializer(tensor.name, *tensor.data);
  } else {
    throw InputError("ONNX's tensors are inputs or constants");
  }
}

}  // namespace

std::vector<std::byte> onnx_model(const Case& test) {
  ModelBuilder model(test.opset);
  for (const Tensor& tensor : test.tensors) add_tensor(model, tensor);
  for (const Operator& op : test.operators) {
    if (!op.options_type.empty()) throw InputError("ONNX's operators have attributes alone");
    std::string name;
    for (const std::string& output : op.outputs) name = name.empty() ? output : name;
    model.node(op.name, op.inputs, op.outputs, name).domain(op.domain);
    for (const Field& field : op.fields) add_attribute(model, field);
  }
  for (const std::string& name : output_names(test)) {
    const OnnxType type = type_of(test, name);
    model.output(name, type.dtype, type.four_bits);
  }
  return model.bytes();
}

}  // namespace arenite::planner::cases
// SPDX-License-Identifier: Apache-2.0
