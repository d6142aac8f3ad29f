// ONNX's test cases: folders with a model and the tensors it must give, and the rule that compares
// them.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "planner/import/import.h"
#include "planner/import/model/tensor_proto.h"

namespace arenite::planner {

// One test_data_set_K folder. Names are the model's.
struct ConformSet {
  std::vector<NamedTensor> inputs;  // without those that are bound
  std::vector<NamedTensor> outputs;
};

struct ConformCase {
  std::string name;              // of the folder
  std::vector<std::byte> model;  // the bytes of model.onnx
  ImportOptions options;         // shapes of the inputs, and the values of those that decide shapes
  std::vector<ConformSet> sets;
};

// kWrong: the case itself is wrong, whatever computes it.
enum class ConformResult { kPassed, kFailed, kSkipped, kWrong };

struct ConformOutcome {
  std::string name;
  ConformResult result = ConformResult::kFailed;
  bool bound = false;  // some inputs were taken as constants
  std::string why;     // empty when passed
};

// ONNX's own tolerance: |found - expected| <= atol + rtol * |expected|.
struct ConformTolerance {
  double rtol = 1e-3;
  double atol = 1e-7;
};

// Reads model.onnx and test_data_set_*/{input,output}_*.pb. Inputs that decide shapes are bound as
// test_data_set_0 has them. Throws InputError, UnsupportedError for tensors that are strings or
// sequences.
ConformCase read_conform_case(const std::filesystem::path& folder);

// Empty where the tensors agree in type, dims and elements (NaN agrees with NaN, integers must be
// equal), else what differs first.
std::string compare_tensors(const TensorData& expected, const TensorData& found,
                            const ConformTolerance& tolerance = {});

// Runs the case's graph, optimized or not as the runner likes, on one set's inputs and gives the
// outputs in the model's order. May throw InputError.
using ConformRunner = std::function<std::vector<TensorData>(
    const ConformCase& test, const std::vector<NamedTensor>& inputs)>;

// Runs all sets of the case in `folder`. A case is skipped if it is not supported. It has failed if
// it throws otherwise or differs, unless it is known to be wrong.
ConformOutcome run_conform_case(const std::filesystem::path& folder, const ConformRunner& runner);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
