// Numbers are rounded to their type from the decimal text, as a compiler does with literals.
#include "tests/planner/cases/values.h"

#include <charconv>
#include <cstring>
#include <limits>

#include "support/printable.h"
#include "tests/planner/model/model_builder.h"

namespace arenite::planner::cases {
namespace {

constexpr DType kTypes[] = {DType::kFloat32, DType::kFloat64, DType::kFloat16, DType::kBfloat16,
                            DType::kUint8,   DType::kInt8,    DType::kUint16,  DType::kInt16,
                            DType::kUint32,  DType::kInt32,   DType::kUint64,  DType::kInt64,
                            DType::kBool};

template <typename T>
T number_of(const std::string& word, int base = 10) {
  T number = 0;
  const char* const begin = word.data() + (base == 16 ? 2 : 0);
  const char* const end = word.data() + word.size();
  std::from_chars_result read;
  if constexpr (std::is_floating_point_v<T>) {
    read = std::from_chars(begin, end, number);
  } else {
    read = std::from_chars(begin, end, number, base);
  }
  if (read.ec != std::errc() || read.ptr != end || begin == end) {
    throw InputError("expected a number, found " + quote(word));
  }
  return number;
}

template <typename T>
void append(std::vector<std::byte>& bytes, T element) {
  const size_t at = bytes.size();
  bytes.resize(at + sizeof element);
  std::memcpy(&bytes[at], &element, sizeof element);
}

void append_number(std::vector<std::byte>& bytes, DType type, const std::string& word) {
  if (type == DType::kFloat32) return append(bytes, number_of<float>(word));
  if (type == DType::kFloat64) return append(bytes, number_of<double>(word));
  if (is_float(type)) throw InputError("expected `bytes` of a float of 16 bits");
  const auto number = number_of<int64_t>(word);
  const uint32_t bits = type == DType::kBool ? 1 : 8 * element_bytes(type);
  if (bits < 64) {
    const bool is_signed = type == DType::kInt8 || type == DType::kInt16 || type == DType::kInt32;
    const int64_t end = int64_t{1} << (is_signed ? bits - 1 : bits);
    if (number >= end || number < (is_signed ? -end : 0)) {
      throw InputError(quote(word) + " is no " + text_of(type));
    }
  }
  const size_t at = bytes.size();
  const uint32_t size = element_bytes(type);
  bytes.resize(at + size);
  std::memcpy(&bytes[at], &number, size);  // the lower bytes
}

// Words up to the end of the line, or of the value that they are.
std::vector<std::string> words_left(Words& words) {
  std::vector<std::string> list;
  while (!words.done()) list.push_back(words.word());
  return list;
}

template <typename To, typename From>
std::vector<To> elements_as(const std::vector<std::byte>& bytes) {
  std::vector<To> elements;
  for (size_t at = 0; at + sizeof(From) <= bytes.size(); at += sizeof(From)) {
    From element;
    std::memcpy(&element, &bytes[at], sizeof element);
    elements.push_back(static_cast<To>(element));
  }
  return elements;
}

}  // namespace

bool is_float(DType type) {
  return type == DType::kFloat32 || type == DType::kFloat64 || type == DType::kFloat16 ||
         type == DType::kBfloat16;
}

std::optional<OnnxType> find_type(std::string_view word) {
  for (const DType type : kTypes) {
    if (word == text_of(type)) return OnnxType{type};
  }
  if (word == "int4") return OnnxType{DType::kInt8, true};
  if (word == "uint4") return OnnxType{DType::kUint8, true};
  return std::nullopt;
}

OnnxType read_type(Words& words) {
  const std::string word = words.word();
  const std::optional<OnnxType> type = find_type(word);
  if (!type) throw InputError("expected an element type, found " + quote(word));
  return *type;
}

std::vector<std::string> read_dims(Words& words) {
  std::vector<std::string> dims;
  words.expect('[');
  while (!words.take(']')) {
    if (!dims.empty()) words.expect(',');
    dims.push_back(words.word());
  }
  return dims;
}

std::vector<uint32_t> numbers_of(std::span<const std::string> dims) {
  std::vector<uint32_t> numbers;
  for (const std::string& dim : dims) numbers.push_back(number_of<uint32_t>(dim));
  return numbers;
}

int64_t read_integer(Words& words) { return number_of<int64_t>(words.word()); }

double read_number(Words& words) { return number_of<double>(words.word()); }

std::vector<std::byte> read_bytes(Words& words) {
  std::vector<std::byte> bytes;
  for (const std::string& word : words_left(words)) {
    bytes.push_back(std::byte{number_of<uint8_t>(word, word.starts_with("0x") ? 16 : 10)});
  }
  return bytes;
}

TensorData read_values(Words& words, OnnxType type, std::vector<uint32_t> dims, bool sparse) {
  TensorData data{type.dtype, std::move(dims), {}, type.four_bits};
  if (words.take("bytes")) {
    data.bytes = read_bytes(words);
    return data;
  }
  size_t count = 1;
  for (const uint32_t dim : data.dims) count *= dim;
  if (words.take("random")) {
    if (type.dtype != DType::kFloat32) throw InputError("only float32 is random");
    return random_tensor(data.dims, number_of<uint32_t>(words.word()));
  }
  std::vector<std::string> list;
  if (words.take("counting")) {
    for (size_t i = 1; i <= count; ++i) list.push_back(std::to_string(i));
  } else if (words.take("all")) {
    list.assign(count, words.word());
  } else {
    list = words_left(words);
  }
  if (list.size() != count && !sparse) {
    throw InputError("expected " + std::to_string(count) + " numbers, found " +
                     std::to_string(list.size()));
  }
  for (const std::string& word : list) append_number(data.bytes, type.dtype, word);
  return data;
}

std::vector<double> doubles_of(const TensorData& data) {
  if (data.dtype == DType::kFloat64) return elements_as<double, double>(data.bytes);
  return elements_as<double, float>(data.bytes);
}

std::vector<int64_t> int64s_of(const TensorData& data) {
  switch (data.dtype) {
    case DType::kInt8:
      return elements_as<int64_t, int8_t>(data.bytes);
    case DType::kInt16:
      return elements_as<int64_t, int16_t>(data.bytes);
    case DType::kUint16:
    case DType::kFloat16:
    case DType::kBfloat16:
      return elements_as<int64_t, uint16_t>(data.bytes);
    case DType::kInt32:
      return elements_as<int64_t, int32_t>(data.bytes);
    case DType::kUint32:
      return elements_as<int64_t, uint32_t>(data.bytes);
    case DType::kInt64:
    case DType::kUint64:
      return elements_as<int64_t, int64_t>(data.bytes);
    default:
      return elements_as<int64_t, uint8_t>(data.bytes);
  }
}

std::string values_text(const TensorData& data) {
  constexpr size_t kShownMax = 64;
  std::string text;
  const auto add = [&](size_t i, auto number) {
    if (i == kShownMax) text += " ...";
    if (i >= kShownMax) return;
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    text += (i == 0 ? "" : " ") + std::string(digits, end);
  };
  size_t i = 0;
  if (data.dtype == DType::kFloat32) {
    for (const float number : floats_of(data.bytes)) add(i++, number);
  } else if (data.dtype == DType::kFloat64) {
    for (const double number : doubles_of(data)) add(i++, number);
  } else {
    for (const int64_t number : int64s_of(data)) add(i++, number);
  }
  return text;
}

}  // namespace arenite::planner::cases
// SPDX-License-Identifier: Apache-2.0
