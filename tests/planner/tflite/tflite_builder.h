// Builds small TensorFlow Lite models in memory for tests, and runs them without a plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schema_generated.h"
#include "tests/planner/model/run_model.h"

namespace arenite::planner {

namespace tfl = arenite::tflite_schema;

TensorData int32_tensor(std::vector<uint32_t> dims, const std::vector<int32_t>& elements);

class TfliteBuilder {
 public:
  // Makes the options of an operator.
  using Options = std::function<flatbuffers::Offset<void>(flatbuffers::FlatBufferBuilder&)>;

  // --- Tensors; each call gives the new one's number.
  int32_t tensor(const std::string& name, const std::vector<int32_t>& dims,
                 tfl::TensorType type = tfl::TensorType_FLOAT32);
  int32_t input(const std::string& name, const std::vector<int32_t>& dims,
                tfl::TensorType type = tfl::TensorType_FLOAT32);
  int32_t constant(const TensorData& data);
  int32_t ints(const std::vector<int32_t>& numbers);  // of rank 1
  // Further facts that the file has of a tensor.
  void set_signature(int32_t tensor, const std::vector<int32_t>& dims);
  // The scales of its integers: one, or one for each index of `axis`.
  struct Scales {
    std::vector<float> scale = {0.5f};
    std::vector<int64_t> zero_point = {3};
    int32_t axis = 0;
  };
  void set_quantized(int32_t tensor, Scales scales);
  void set_variable(int32_t tensor);
  void set_sparsity(
      int32_t tensor,
      std::function<flatbuffers::Offset<tfl::SparsityParameters>(flatbuffers::FlatBufferBuilder&)>
          sparsity);
  void set_bytes(int32_t tensor, std::vector<uint8_t> bytes);
  void output(int32_t tensor) { outputs_.push_back(tensor); }

  // --- Operators. One without options; one with; a custom one.
  void op(int32_t code, std::vector<int32_t> inputs, std::vector<int32_t> outputs);
  void op(int32_t code, std::vector<int32_t> inputs, std::vector<int32_t> outputs,
          tfl::BuiltinOptions type, Options options);
  void custom(const std::string& name, std::vector<int32_t> inputs, std::vector<int32_t> outputs,
              std::vector<uint8_t> options = {});
  // A name for the subgraph and for each of its inputs and outputs.
  void signature(const std::string& key, std::vector<std::string> inputs,
                 std::vector<std::string> outputs);

  // Another subgraph of the model, with signatures of its own.
  void subgraph(TfliteBuilder other) { others_.push_back(std::move(other)); }

  std::vector<std::byte> bytes() const;

 private:
  struct File;
  void write(File& file) const;

  struct Tensor {
    std::string name;
    std::vector<int32_t> dims, signature = {};
    tfl::TensorType type = tfl::TensorType_FLOAT32;
    std::vector<uint8_t> bytes = {};
    std::optional<Scales> scales = {};
    bool variable = false;
    std::function<flatbuffers::Offset<tfl::SparsityParameters>(flatbuffers::FlatBufferBuilder&)>
        sparsity = {};
  };
  struct Operator {
    int32_t code = 0;
    std::string custom_code = {};
    std::vector<int32_t> inputs = {}, outputs = {};
    tfl::BuiltinOptions type = tfl::BuiltinOptions_NONE;
    Options options = {};
    std::vector<uint8_t> custom_options = {};
  };
  struct Signature {
    std::string key;
    std::vector<std::string> inputs, outputs;
  };

  std::vector<Tensor> tensors_;
  std::vector<int32_t> inputs_, outputs_;
  std::vector<Operator> operators_;
  std::vector<Signature> signatures_;
  std::vector<TfliteBuilder> others_;
};

// The options of one kind, made by their Create function: options<tfl::CreateAddOptions>(...).
template <auto create, typename... Arguments>
TfliteBuilder::Options made_by(Arguments... arguments) {
  return [=](flatbuffers::FlatBufferBuilder& builder) {
    return create(builder, arguments...).Union();
  };
}

inline TensorData pair(float a, float b) { return float_tensor({2}, {a, b}); }

// The outputs of the only method.
std::vector<TensorData> run_tflite(const TfliteBuilder& model,
                                   const std::vector<TensorData>& inputs,
                                   const ImportOptions& options = {});
// Output 0.
std::vector<float> run_tflite_floats(const TfliteBuilder& model,
                                     const std::vector<TensorData>& inputs);

// One operator, for run_op: its number, its options, its outputs.
struct TfliteOp {
  int32_t code = 0;
  tfl::BuiltinOptions type = tfl::BuiltinOptions_NONE;
  TfliteBuilder::Options options = {};
  std::vector<tfl::TensorType> outputs = {tfl::TensorType_FLOAT32};
};
// An operand that is given at run time, or a constant of the model.
struct TfliteOperand {
  TensorData data;
  bool constant = false;
};
inline TfliteOperand given(TensorData data) { return {std::move(data), false}; }
inline TfliteOperand fixed(TensorData data) { return {std::move(data), true}; }
TfliteBuilder model_of(const TfliteOp& op, const std::vector<TfliteOperand>& operands);
std::vector<TensorData> run_op(const TfliteOp& op, const std::vector<TfliteOperand>& operands);

// The message of the error that importing gives, "" where it gives none.
std::string tflite_error(const TfliteBuilder& model, const ImportOptions& options = {});

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
