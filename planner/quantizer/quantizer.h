// Makes an integer model of an ONNX model of floats: quantize and dequantize nodes around what is
// to be computed with integers (QDQ form), scales by what samples show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "planner/import/import.h"
#include "support/progress.h"

namespace arenite::planner {

// Ways to get from a tensor's elements to the range that its integers cover.
enum class RangeMethod : uint8_t {
  kMinMax,      // all of them
  kPercentile,  // all but those at both ends
  kEntropy,     // where the least information is lost (the divergence of Kullback and Leibler)
};

struct QuantizerOptions {
  RangeMethod ranges = RangeMethod::kMinMax;
  double percentile = 99.99;    // of elements that a range holds, for kPercentile
  bool bias_correction = true;  // moves biases by the mean error of the weights (arXiv 1906.04721)
};

// The inputs of one run, row-major, in the order of the model's.
using Sample = std::vector<std::vector<std::byte>>;

// The distance of a tensor of the integer model from that of the float model.
struct TensorCost {
  std::string name;  // of the tensor
  std::string node;  // what makes it, and its operator; an output of the model too
  std::string op;
  double scale = 0;
  int32_t zero_point = 0;
  double max_abs = 0;    // greatest magnitude in the model of floats
  double max_error = 0;  // greatest difference
  double sqnr_db = 0;    // power of the tensor over that of the difference; infinite where equal
};

struct OutputCost {
  std::string name;
  double max_abs = 0, max_error = 0, sqnr_db = 0;
  uint32_t samples = 0, same_top = 0;  // how often the greatest element is the same one
};

struct QuantizedModel {
  std::vector<std::byte> file;  // ONNX
  std::vector<TensorCost> tensors;
  std::vector<OutputCost> outputs;
  std::vector<std::string> float_nodes;  // what stays as it was, "LayerNorm_3 (op 'LayerNorm...')"
  uint32_t integer_nodes = 0;            // whose results are quantized
};

// The float inputs of a model as samples have to be, of the graph that `import` makes of it. Inputs
// that it fixes are initializers of the integer model, and outputs that it names are its outputs.
// Throws what import_onnx throws; InputError where the model is quantized already, and where
// nothing in it can be.
QuantizedModel quantize_onnx(std::span<const std::byte> model, const ImportOptions& import,
                             std::span<const Sample> samples, const QuantizerOptions& options,
                             const ProgressHook& progress);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
