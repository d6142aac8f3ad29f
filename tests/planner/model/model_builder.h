// Builds small ONNX models in memory for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "planner/import/model/tensor_proto.h"

namespace arenite::planner {

TensorData float_tensor(std::vector<uint32_t> dims, const std::vector<float>& elements);
TensorData int64_tensor(std::vector<uint32_t> dims, const std::vector<int64_t>& elements);
TensorData bool_tensor(std::vector<uint32_t> dims, const std::vector<bool>& elements);
// The type is int8, uint8, int16 or int32; or, with 4 bits, int4 and uint4.
TensorData integer_tensor(DType type, std::vector<uint32_t> dims, const std::vector<int>& elements,
                          bool four_bits = false);
// 1, 2, 3, ... of float32.
TensorData counting_tensor(std::vector<uint32_t> dims);
// Seeded numbers in [-1, 1).
TensorData random_tensor(std::vector<uint32_t> dims, uint32_t seed);
std::vector<float> floats_of(const std::vector<std::byte>& bytes);
// The elements of an integer_tensor().
std::vector<int> integers_of(const TensorData& data);

class ModelBuilder {
 public:
  explicit ModelBuilder(int64_t opset);
  ~ModelBuilder();
  ModelBuilder(const ModelBuilder&) = delete;
  ModelBuilder& operator=(const ModelBuilder&) = delete;

  // Dims are numbers ("3"), symbols ("N") or unset ("").
  ModelBuilder& input(const std::string& name, const std::vector<std::string>& dims,
                      DType dtype = DType::kFloat32, bool four_bits = false);
  ModelBuilder& input_without_shape(const std::string& name);
  ModelBuilder& output(const std::string& name, DType dtype = DType::kFloat32,
                       bool four_bits = false);
  ModelBuilder& initializer(const std::string& name, const TensorData& data);
  ModelBuilder& node(const std::string& op_type, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs, const std::string& name = "n");
  // Attributes of the node added last.
  ModelBuilder& with(const std::string& name, int64_t value);
  ModelBuilder& with(const std::string& name, int value) { return with(name, int64_t{value}); }
  ModelBuilder& with(const std::string& name, float value);
  ModelBuilder& with(const std::string& name, const char* value);
  ModelBuilder& with_ints(const std::string& name, const std::vector<int64_t>& value);
  ModelBuilder& with_floats(const std::string& name, const std::vector<float>& value);
  ModelBuilder& with(const std::string& name, const TensorData& value);
  ModelBuilder& with_graph(const std::string& name);
  // The graph of another model.
  ModelBuilder& with_graph(const std::string& name, const ModelBuilder& inner);
  ModelBuilder& with_strings(const std::string& name, const std::vector<std::string>& value);
  ModelBuilder& domain(const std::string& name);  // of the node added last

  std::vector<std::byte> bytes() const;

 private:
  struct Protos;
  std::unique_ptr<Protos> protos_;
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
