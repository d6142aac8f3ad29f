// Reads ONNX's test cases, runs them through a caller's runner and compares the results.
#include "planner/import/conform.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "core/contract.h"
#include "planner/graph/names.h"
#include "planner/import/conform_wrong.h"
#include "planner/import/model/model.h"
#include "portable_fallback/shared/small_float.h"
#include "support/file.h"

namespace arenite::planner {
namespace {

// "input_K.pb" for K = 0, 1, ... while there are such files, named after the model's values.
std::vector<NamedTensor> read_tensors(const std::filesystem::path& folder, const char* stem,
                                      const std::vector<ModelInput>& named) {
  std::vector<NamedTensor> tensors;
  for (size_t i = 0;; ++i) {
    const std::filesystem::path path = folder / (stem + std::to_string(i) + ".pb");
    if (!std::filesystem::exists(path)) break;
    if (i >= named.size()) {
      throw InputError(path.string() + ": the model has only " + std::to_string(named.size()));
    }
    const std::vector<std::byte> bytes = read_file(path);
    if (!named[i].unsupported.empty()) {
      throw UnsupportedError(quote(named[i].name) + ": " + named[i].unsupported);
    }
    try {
      tensors.push_back(parse_tensor(bytes));
    } catch (const UnsupportedError& error) {
      throw UnsupportedError(path.string() + ": " + error.what());
    } catch (const InputError& error) {
      throw InputError(path.string() + ": " + error.what());
    }
    tensors.back().name = named[i].name;
  }
  return tensors;
}

template <typename T>
T element(const TensorData& tensor, size_t i) {
  T value;
  std::memcpy(&value, tensor.bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

double float_element(const TensorData& tensor, size_t i) {
  switch (tensor.dtype) {
    case DType::kFloat32:
      return element<float>(tensor, i);
    case DType::kFloat64:
      return element<double>(tensor, i);
    case DType::kFloat16:
      return small_to_double<kFloat16Format>(element<uint16_t>(tensor, i));
    default:
      return small_to_double<kBfloat16Format>(element<uint16_t>(tensor, i));
  }
}

// Bytes as a number, for messages.
uint64_t raw_element(const TensorData& tensor, size_t i) {
  const uint32_t size = element_bytes(tensor.dtype);
  uint64_t value = 0;
  std::memcpy(&value, tensor.bytes.data() + i * size, size);
  return value;
}

bool agree(double expected, double found, const ConformTolerance& tolerance) {
  if (std::isnan(expected) || std::isnan(found)) return std::isnan(expected) && std::isnan(found);
  if (expected == found) return true;  // infinities too
  if (std::isinf(expected) || std::isinf(found)) return false;
  return std::fabs(found - expected) <= tolerance.atol + tolerance.rtol * std::fabs(expected);
}

}  // namespace

ConformCase read_conform_case(const std::filesystem::path& folder) {
  ConformCase test;
  test.name = (folder.has_filename() ? folder : folder.parent_path()).filename().string();
  test.model = read_file(folder / "model.onnx");
  test.options.folder = folder;
  const Model model = read_model(test.model);
  std::vector<std::vector<NamedTensor>> inputs;
  for (size_t set = 0;; ++set) {
    const std::filesystem::path data = folder / ("test_data_set_" + std::to_string(set));
    if (!std::filesystem::is_directory(data)) break;
    ConformSet read;
    read.inputs = read_tensors(data, "input_", model.inputs);
    read.outputs = read_tensors(data, "output_", model.outputs);
    test.sets.push_back(std::move(read));
  }
  if (test.sets.empty()) throw InputError(folder.string() + ": there is no test_data_set_0");
  const std::vector<std::string> deciding = shape_deciding_inputs(test.model);
  const auto decides = [&](const NamedTensor& input) {
    return std::find(deciding.begin(), deciding.end(), input.name) != deciding.end();
  };
  for (const NamedTensor& input : test.sets[0].inputs) {
    if (decides(input)) {
      test.options.bound[input.name] = {input.data.dims, input.data.bytes};
    } else {
      test.options.shapes[input.name] = input.data.dims;
    }
  }
  for (size_t set = 0; set < test.sets.size(); ++set) {
    std::vector<NamedTensor>& given = test.sets[set].inputs;
    for (const NamedTensor& input : given) {
      if (decides(input) && test.options.bound[input.name].bytes != input.data.bytes) {
        throw UnsupportedError("test_data_set_" + std::to_string(set) + ": input '" +
                               printable(input.name) +
                               "' decides a shape and differs from test_data_set_0");
      }
    }
    std::erase_if(given, decides);
  }
  return test;
}

std::string compare_tensors(const TensorData& expected, const TensorData& found,
                            const ConformTolerance& tolerance) {
  // ONNX's files hold bfloat16 as the bits it has, in uint16.
  const bool same_bits = expected.dtype == DType::kUint16 && found.dtype == DType::kBfloat16;
  if (expected.dtype != found.dtype && !same_bits) {
    return "expected " + dtype_name(expected.dtype) + ", found " + dtype_name(found.dtype);
  }
  if (expected.dims != found.dims || expected.bytes.size() != found.bytes.size()) {
    return "expected dims " + dims_text(expected.dims) + ", found " + dims_text(found.dims);
  }
  const size_t count = expected.bytes.size() / element_bytes(expected.dtype);
  size_t differing = 0;
  std::ostringstream first;
  for (size_t i = 0; i < count; ++i) {
    if (has(types::kFloatOrDouble, expected.dtype)) {
      const double wanted = float_element(expected, i);
      const double got = float_element(found, i);
      if (agree(wanted, got, tolerance)) continue;
      if (differing == 0) first << "element " << i << " expected " << wanted << ", found " << got;
    } else {
      const uint64_t wanted = raw_element(expected, i);
      const uint64_t got = raw_element(found, i);
      if (wanted == got) continue;
      if (differing == 0) {
        first << "element " << i << std::hex << " expected 0x" << wanted << ", found 0x" << got;
      }
    }
    ++differing;
  }
  if (differing == 0) return {};
  return std::to_string(differing) + " of " + std::to_string(count) +
         " elements differ: " + first.str();
}

namespace {

ConformOutcome judge(const std::filesystem::path& folder, const ConformRunner& runner) {
  ConformOutcome outcome;
  outcome.name = (folder.has_filename() ? folder : folder.parent_path()).filename().string();
  try {
    const ConformCase test = read_conform_case(folder);
    outcome.bound = !test.options.bound.empty();
    for (size_t set = 0; set < test.sets.size(); ++set) {
      const std::vector<TensorData> found = runner(test, test.sets[set].inputs);
      const std::vector<NamedTensor>& expected = test.sets[set].outputs;
      if (found.size() != expected.size()) {
        outcome.why = "expected " + std::to_string(expected.size()) + " outputs, found " +
                      std::to_string(found.size());
        return outcome;
      }
      for (size_t i = 0; i < found.size(); ++i) {
        const std::string difference = compare_tensors(expected[i].data, found[i]);
        if (difference.empty()) continue;
        outcome.why = "test_data_set_" + std::to_string(set) + ", output '" +
                      printable(expected[i].name) + "': " + difference;
        return outcome;
      }
    }
    outcome.result = ConformResult::kPassed;
  } catch (const UnsupportedError& error) {
    outcome.result = ConformResult::kSkipped;
    outcome.why = error.what();
  } catch (const InputError& error) {
    outcome.why = error.what();
  }
  return outcome;
}

}  // namespace

ConformOutcome run_conform_case(const std::filesystem::path& folder, const ConformRunner& runner) {
  ConformOutcome outcome = judge(folder, runner);
  if (outcome.result != ConformResult::kFailed) return outcome;
  try {
    const std::string wrong = why_wrong(folder);
    if (wrong.empty()) return outcome;
    outcome.result = ConformResult::kWrong;
    outcome.why = "the case is wrong: " + wrong;
  } catch (const InputError&) {
    // Files that cannot be read: why it failed.
  }
  return outcome;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
