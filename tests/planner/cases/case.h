// A case of a `.cases` file: a small model, and what import and a run must make of it.
//
// README.md has the words that a file is written in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/import/model/tensor_proto.h"

namespace arenite::planner::cases {

// An attribute, an option, or a field of a table. The text is as the file has it: what it means
// depends on the model's format.
struct Field {
  std::string name, text;
};

struct Tensor {
  enum class Kind { kInput, kVariable, kConstant, kMade };
  Kind kind = Kind::kMade;
  std::string name;
  OnnxType type;
  std::vector<std::string> dims;   // numbers, or names of dims that the model leaves open
  std::optional<TensorData> data;  // nothing: only the shape is given
  std::vector<Field> fields;       // of TensorFlow Lite's table of the tensor
  bool inherited = false;          // comes with `like`
};

struct Operator {
  std::string domain, name;
  std::vector<std::string> inputs, outputs;  // "" where left out
  std::string options_type;                  // TensorFlow Lite's table of options
  std::vector<Field> fields;                 // attributes, or options
  std::vector<std::byte> custom_bytes;       // options of a custom operator, as they are stored
  bool inherited = false;
};

struct Expectation {
  int line = 0;
  std::string name;
  OnnxType type;
  std::optional<std::vector<uint32_t>> dims;
  std::optional<TensorData> data;
  double within = 0;  // the largest difference that is allowed of an element
  std::string as;     // the case that gives the same bits; or, where `unlike`, others
  bool unlike = false;
};

struct Case {
  std::string name;
  int line = 0;
  bool tflite = false;  // else ONNX
  int64_t opset = 0;
  std::vector<Tensor> tensors;
  std::vector<Operator> operators;

  bool plan = false;  // results are those of the planned graph, which holds no step of floats
  std::vector<Expectation> outputs;
  std::vector<std::string> refuse;                // parts of the message of the import's error
  bool refuse_whole = false;                      // the first part is all of it
  std::vector<std::string> fail;                  // parts of the message of the run's error
  std::optional<std::vector<std::string>> nodes;  // operators of the graph, in order

  bool expects_something() const {
    return !outputs.empty() || !refuse.empty() || !fail.empty() || nodes.has_value();
  }
};

// Whether the model has a value of this name.
bool has_value(const Case& test, const std::string& name);
// The model's outputs: what is expected, or what the last operator makes.
std::vector<std::string> output_names(const Case& test);
// The type that is expected of a value; float32 where nothing is.
OnnxType type_of(const Case& test, const std::string& name);

struct CaseFile {
  std::string path;
  std::vector<Case> cases;

  const Case* find(const std::string& name) const {
    for (const Case& each : cases) {
      if (each.name == name) return &each;
    }
    return nullptr;
  }
};

}  // namespace arenite::planner::cases
// SPDX-License-Identifier: Apache-2.0
