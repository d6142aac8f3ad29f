// The model is written as JSON of the format's tables, which FlatBuffers' own parser turns into the
// file: options and fields of tensors are passed on to it as the case has them.
#include <flatbuffers/flexbuffers.h>
#include <flatbuffers/idl.h>

#include <cctype>
#include <map>

#include "support/file.h"
#include "support/printable.h"
#include "tests/planner/cases/model.h"
#include "tests/planner/cases/tflite_codes.h"

namespace arenite::planner::cases {
namespace {

constexpr int32_t kCustom = 32;

// The number of a builtin operator, by its name or as written.
int32_t code_of(const Operator& op) {
  if (op.domain == "custom") return kCustom;
  if (std::isdigit(static_cast<unsigned char>(op.name[0])) != 0) return std::stoi(op.name);
  for (const TfliteCode& code : kTfliteCodes) {
    if (op.name == code.name) return code.number;
  }
  throw InputError("tflite_codes.h has no operator " + quote(op.name));
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string listed(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return "[" + text + "]";
}

template <typename T>
std::string numbers(const std::vector<T>& list) {
  std::vector<std::string> items;
  for (const T item : list) items.push_back(std::to_string(static_cast<int64_t>(item)));
  return listed(items);
}

std::string table(const std::vector<Field>& fields) {
  std::string text;
  for (const Field& field : fields) {
    text += (text.empty() ? "" : ", ") + field.name + ": " + field.text;
  }
  return "{" + text + "}";
}

class Writer {
 public:
  explicit Writer(const Case& test) : test_(test) {
    for (const Tensor& tensor : test.tensors) add(tensor);
    for (const Operator& op : test.operators) {
      for (const std::string& output : op.outputs) declare(output);
    }
    for (const Operator& op : test.operators) add(op);
  }

  std::string json() const {
    std::vector<int32_t> outputs;
    for (const std::string& name : output_names(test_)) outputs.push_back(index_of(name));
    const std::string graph = table({{"name", "\"main\""},
                                     {"tensors", listed(tensors_)},
                                     {"inputs", numbers(inputs_)},
                                     {"outputs", numbers(outputs)},
                                     {"operators", listed(operators_)}});
    return table({{"version", "3"},
                  {"operator_codes", listed(codes_)},
                  {"subgraphs", listed({graph})},
                  {"buffers", listed(buffers_)}});
  }

 private:
  void add(const Tensor& tensor) {
    const auto index = static_cast<int32_t>(tensors_.size());
    std::vector<Field> fields = {{"shape", listed(tensor.dims)},
                                 {"type", upper(type_name(tensor.type))},
                                 {"name", "\"" + tensor.name + "\""}};
    if (tensor.kind == Tensor::Kind::kInput) inputs_.push_back(index);
    if (tensor.kind == Tensor::Kind::kVariable) fields.push_back({"is_variable", "true"});
    if (tensor.kind == Tensor::Kind::kConstant) {
      fields.push_back({"buffer", std::to_string(buffers_.size())});
      buffers_.push_back(table({{"data", numbers(tensor.data->bytes)}}));
    }
    fields.insert(fields.end(), tensor.fields.begin(), tensor.fields.end());
    tensors_.push_back(table(fields));
    indices_[tensor.name] = index;
  }

  // A result that the case says nothing of.
  void declare(const std::string& name) {
    if (name.empty() || is_index(name) || indices_.contains(name)) return;
    Tensor made;
    made.name = name;
    made.type = type_of(test_, name);
    add(made);
  }

  void add(const Operator& op) {
    const int32_t code = code_of(op);
    std::vector<Field> fields = {{"opcode_index", std::to_string(codes_.size())},
                                 {"inputs", numbers(indices_of(op.inputs))},
                                 {"outputs", numbers(indices_of(op.outputs))}};
    constexpr int32_t kOldCodes = 127;
    codes_.push_back(table({{"deprecated_builtin_code", std::to_string(std::min(code, kOldCodes))},
                            {"builtin_code", std::to_string(code)},
                            {"custom_code", code == kCustom ? "\"" + op.name + "\"" : "null"}}));
    if (!op.custom_bytes.empty()) fields.push_back({"custom_options", numbers(op.custom_bytes)});
    if (op.options_type.empty() && !op.fields.empty()) {
      fields.push_back({"custom_options", custom_options(op)});
    }
    if (!op.options_type.empty()) {
      fields.push_back({"builtin_options_type", op.options_type});
      fields.push_back({"builtin_options", table(op.fields)});
    }
    operators_.push_back(table(fields));
  }

  static std::string custom_options(const Operator& op) {
    if (op.domain != "custom") throw InputError("options of " + op.name + " have no table");
    flatbuffers::Parser parser;
    flexbuffers::Builder builder;
    if (!parser.ParseFlexBuffer(table(op.fields).c_str(), nullptr, &builder)) {
      throw InputError(parser.error_);
    }
    return numbers(builder.GetBuffer());
  }

  static bool is_index(const std::string& name) {
    return std::isdigit(static_cast<unsigned char>(name[0])) != 0;
  }

  int32_t index_of(const std::string& name) const {
    if (name.empty()) return -1;
    if (is_index(name)) return std::stoi(name);
    const auto found = indices_.find(name);
    if (found == indices_.end()) throw InputError("no tensor " + quote(name));
    return found->second;
  }

  std::vector<int32_t> indices_of(const std::vector<std::string>& names) const {
    std::vector<int32_t> indices;
    for (const std::string& name : names) indices.push_back(index_of(name));
    return indices;
  }

  const Case& test_;
  std::map<std::string, int32_t> indices_;
  std::vector<std::string> tensors_, operators_, codes_;
  std::vector<std::string> buffers_ = {"{}"};  // number 0 is of tensors without elements
  std::vector<int32_t> inputs_;
};

}  // namespace

std::vector<std::byte> tflite_model(const Case& test) {
  flatbuffers::Parser parser;
  if (!parser.Parse(read_text(ARENITE_TFLITE_SCHEMA).c_str(), nullptr, ARENITE_TFLITE_SCHEMA) ||
      !parser.Parse(Writer(test).json().c_str())) {
    throw InputError(parser.error_);
  }
  const auto* begin = reinterpret_cast<const std::byte*>(parser.builder_.GetBufferPointer());
  return {begin, begin + parser.builder_.GetSize()};
}

}  // namespace arenite::planner::cases
// SPDX-License-Identifier: Apache-2.0
