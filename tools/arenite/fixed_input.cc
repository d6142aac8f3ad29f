// Reads numbers as elements of the input's type, or a tensor file.
#include "tools/arenite/fixed_input.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "portable_fallback/shared/small_float.h"
#include "support/file.h"
#include "support/parse_number.h"
#include "support/printable.h"
#include "support/split.h"
#include "tools/arenite/proto_format.h"
#include "tools/io/tensor.h"

namespace arenite::tools {
namespace {

using planner::DeclaredInput;

bool is_number(const std::string& word) {
  return word == "true" || word == "false" || parse_number<double>(word).has_value();
}

// The one input that is fixed, for messages.
struct Fixing {
  const std::string& name;
  const std::string& value;
  const DeclaredInput& input;

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError("--fix " + printable(name) + "=" + printable(value) + ": " + what);
  }
};

// "int64[?,2]", "int64" of any dims.
std::string input_text(const DeclaredInput& input) {
  std::string text(text_of(input.dtype));
  if (!input.dims) return text;
  text += '[';
  for (const DeclaredInput::Dim& dim : *input.dims) {
    if (text.back() != '[') text += ',';
    const std::string symbol = dim.symbol.empty() ? "?" : printable(dim.symbol);
    text += dim.size ? std::to_string(*dim.size) : symbol;
  }
  return text + ']';
}

// The input's dims for as many elements: what is open is settled by --dim, or, where one dimension
// alone is left, by the elements.
std::vector<uint32_t> dims_of(const Fixing& fixing, const planner::ImportOptions& options,
                              uint64_t elements, bool is_list) {
  if (!fixing.input.dims) {
    return is_list ? std::vector<uint32_t>{static_cast<uint32_t>(elements)}
                   : std::vector<uint32_t>{};
  }
  std::vector<uint32_t> dims;
  std::vector<size_t> open;
  uint64_t known = 1;
  for (const DeclaredInput::Dim& dim : *fixing.input.dims) {
    const auto given = options.dims.find(dim.symbol);
    const bool settled = dim.size.has_value() || given != options.dims.end();
    if (!settled) open.push_back(dims.size());
    dims.push_back(dim.size ? static_cast<uint32_t>(*dim.size) : settled ? given->second : 1);
    known *= dims.back();
  }
  if (open.size() == 1 && known != 0) {
    dims[open[0]] = static_cast<uint32_t>(elements / known);
    known *= dims[open[0]];
  }
  if (known != elements) {
    fixing.fail("has " + std::to_string(elements) + (elements == 1 ? " element" : " elements") +
                ", the input is " + input_text(fixing.input));
  }
  return dims;
}

void append(std::vector<std::byte>& bytes, const void* element, size_t size) {
  const auto* begin = static_cast<const std::byte*>(element);
  bytes.insert(bytes.end(), begin, begin + size);
}

template <typename T>
void append_whole(const Fixing& fixing, const std::string& word, std::vector<std::byte>& bytes) {
  const std::optional<T> number = parse_number<T>(word);
  if (!number) {
    fixing.fail("expected whole numbers from " + std::to_string(std::numeric_limits<T>::lowest()) +
                " to " + std::to_string(std::numeric_limits<T>::max()) + ", as the input is " +
                input_text(fixing.input) + "; found " + quote(word));
  }
  append(bytes, &*number, sizeof(T));
}

void append_real(const Fixing& fixing, const std::string& word, std::vector<std::byte>& bytes) {
  const std::optional<double> number = parse_number<double>(word);
  if (!number) {
    fixing.fail("expected numbers, as the input is " + input_text(fixing.input) + "; found " +
                quote(word));
  }
  const auto narrow = static_cast<float>(*number);
  switch (fixing.input.dtype) {
    case DType::kFloat64:
      return append(bytes, &*number, sizeof *number);
    case DType::kFloat16: {
      const uint16_t bits = double_to_small<kFloat16Format>(*number);
      return append(bytes, &bits, sizeof bits);
    }
    case DType::kBfloat16: {
      const uint16_t bits = double_to_small<kBfloat16Format>(*number);
      return append(bytes, &bits, sizeof bits);
    }
    default:
      return append(bytes, &narrow, sizeof narrow);
  }
}

void append_bool(const Fixing& fixing, const std::string& word, std::vector<std::byte>& bytes) {
  const bool yes = word == "true" || word == "1";
  if (!yes && word != "false" && word != "0") {
    fixing.fail("expected true or false, as the input is " + input_text(fixing.input) + "; found " +
                quote(word));
  }
  bytes.push_back(yes ? std::byte{1} : std::byte{0});
}

void append_element(const Fixing& fixing, const std::string& word, std::vector<std::byte>& bytes) {
  switch (fixing.input.dtype) {
    case DType::kInt8:
      return append_whole<int8_t>(fixing, word, bytes);
    case DType::kUint8:
      return append_whole<uint8_t>(fixing, word, bytes);
    case DType::kInt16:
      return append_whole<int16_t>(fixing, word, bytes);
    case DType::kUint16:
      return append_whole<uint16_t>(fixing, word, bytes);
    case DType::kInt32:
      return append_whole<int32_t>(fixing, word, bytes);
    case DType::kUint32:
      return append_whole<uint32_t>(fixing, word, bytes);
    case DType::kInt64:
      return append_whole<int64_t>(fixing, word, bytes);
    case DType::kUint64:
      return append_whole<uint64_t>(fixing, word, bytes);
    case DType::kBool:
      return append_bool(fixing, word, bytes);
    default:
      return append_real(fixing, word, bytes);
  }
}

// A raw file has no dims of its own.
HostTensor read_value(const Fixing& fixing, const planner::ImportOptions& options) {
  const std::filesystem::path path = fixing.value;
  const bool unnamed = is_stream(path) || !path.has_extension();
  if (!unnamed && path.extension() != ".bin") {
    return read_tensor(path, fixing.input.dtype, {}, &kProtoFormat);
  }
  std::vector<std::byte> bytes = read_file(path);
  if (unnamed && is_npy(bytes)) return parse_npy(bytes, path.string());
  const uint32_t size = element_bytes(fixing.input.dtype);
  if (bytes.size() % size != 0) {
    fixing.fail("expected a multiple of " + std::to_string(size) + " bytes for " +
                input_text(fixing.input) + ", found " + std::to_string(bytes.size()));
  }
  HostTensor tensor;
  tensor.dtype = fixing.input.dtype;
  tensor.dims = dims_of(fixing, options, bytes.size() / size, true);
  tensor.bytes = std::move(bytes);
  return tensor;
}

}  // namespace

planner::ImportOptions::Bound fixed_input(const std::string& name, const std::string& value,
                                          const DeclaredInput& input,
                                          const planner::ImportOptions& options) {
  const Fixing fixing{name, value, input};
  const std::vector<std::string> words = split_at_commas(value);
  planner::ImportOptions::Bound bound;
  if (std::all_of(words.begin(), words.end(), is_number)) {
    for (const std::string& word : words) append_element(fixing, word, bound.bytes);
    bound.dims = dims_of(fixing, options, words.size(), words.size() > 1);
    return bound;
  }
  if (!is_stream(value) && !std::filesystem::exists(value)) {
    fixing.fail("expected a number, numbers with commas between them, or a file");
  }
  HostTensor tensor = read_value(fixing, options);
  if (tensor.dtype != input.dtype) {
    fixing.fail("is " + describe(tensor.dtype, tensor.dims) + ", the input is " +
                input_text(input));
  }
  return {std::move(tensor.dims), std::move(tensor.bytes)};
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
