// Compares tensors element by element.
#include "tools/io/difference.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "core/contract.h"
#include "portable_fallback/shared/small_float.h"
#include "support/parse_number.h"
#include "support/printable.h"

namespace arenite::tools {
namespace {

template <typename T>
T element(const HostTensor& tensor, uint64_t i) {
  T value;
  std::memcpy(&value, tensor.bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

bool is_float(DType dtype) { return has(types::kFloatOrDouble, dtype); }

// An integer element, wrapped to 64 bits.
uint64_t integer_at(const HostTensor& tensor, uint64_t i) {
  switch (tensor.dtype) {
    case DType::kInt8:
      return static_cast<uint64_t>(int64_t{element<int8_t>(tensor, i)});
    case DType::kInt16:
      return static_cast<uint64_t>(int64_t{element<int16_t>(tensor, i)});
    case DType::kInt32:
      return static_cast<uint64_t>(int64_t{element<int32_t>(tensor, i)});
    case DType::kUint16:
      return element<uint16_t>(tensor, i);
    case DType::kUint32:
      return element<uint32_t>(tensor, i);
    case DType::kInt64:
    case DType::kUint64:
      return element<uint64_t>(tensor, i);
    default:
      return element<uint8_t>(tensor, i);
  }
}

bool is_signed(DType dtype) {
  return dtype == DType::kInt8 || dtype == DType::kInt16 || dtype == DType::kInt32 ||
         dtype == DType::kInt64;
}

// |a - b| without rounding before the end: 64-bit integers have more digits than a double.
double distance(const HostTensor& a, const HostTensor& b, uint64_t i) {
  if (is_float(a.dtype)) return std::fabs(number_at(a, i) - number_at(b, i));
  const uint64_t x = integer_at(a, i), y = integer_at(b, i);
  const bool less = is_signed(a.dtype) ? static_cast<int64_t>(x) < static_cast<int64_t>(y) : x < y;
  return static_cast<double>(less ? y - x : x - y);
}

std::string element_text(const HostTensor& tensor, uint64_t i) {
  if (!is_float(tensor.dtype)) {
    const uint64_t value = integer_at(tensor, i);
    return is_signed(tensor.dtype) ? std::to_string(static_cast<int64_t>(value))
                                   : std::to_string(value);
  }
  char text[40];
  const int digits = tensor.dtype == DType::kFloat64 ? 17 : 9;
  std::snprintf(text, sizeof text, "%.*g", digits, number_at(tensor, i));
  return text;
}

ElementPair pair_at(const HostTensor& expected, const HostTensor& found, uint64_t i) {
  ElementPair pair;
  pair.index.resize(expected.dims.size());
  uint64_t rest = i;
  for (size_t d = expected.dims.size(); d-- > 0;) {
    pair.index[d] = static_cast<uint32_t>(rest % expected.dims[d]);
    rest /= expected.dims[d];
  }
  pair.expected = number_at(expected, i);
  pair.found = number_at(found, i);
  pair.expected_text = element_text(expected, i);
  pair.found_text = element_text(found, i);
  return pair;
}

double greatest(const HostTensor& tensor, uint64_t elements) {
  double most = 0;
  for (uint64_t i = 0; i < elements; ++i) {
    const double number = std::fabs(number_at(tensor, i));
    if (std::isfinite(number)) most = std::max(most, number);
  }
  return most;
}

double allowed(DType dtype, const std::optional<Tolerance>& tolerance, double scale) {
  if (dtype == DType::kBool) return 0;
  const bool steps = tolerance && tolerance->steps;
  if (steps && !is_float(dtype)) return tolerance->number;
  return (tolerance && !steps ? tolerance->number : default_tolerance(dtype)) * scale;
}

// The number before "step" or "steps"; nothing where the text ends otherwise.
std::optional<std::string_view> steps_of(std::string_view text) {
  for (const std::string_view word : {"steps", "step"}) {
    if (text.ends_with(word)) return text.substr(0, text.size() - word.size());
  }
  return std::nullopt;
}

std::optional<double> finite_number(std::string_view text) {
  const auto number = parse_number<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::string short_number(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", number);
  return text;
}

std::string describe_pair(const ElementPair& pair) {
  std::string text = "[";
  for (size_t d = 0; d < pair.index.size(); ++d) {
    text += (d == 0 ? "" : ",") + std::to_string(pair.index[d]);
  }
  return text + "] expected " + pair.expected_text + ", found " + pair.found_text;
}

}  // namespace

double number_at(const HostTensor& tensor, uint64_t i) {
  switch (tensor.dtype) {
    case DType::kFloat32:
      return element<float>(tensor, i);
    case DType::kFloat64:
      return element<double>(tensor, i);
    case DType::kFloat16:
      return small_to_double<kFloat16Format>(element<uint16_t>(tensor, i));
    case DType::kBfloat16:
      return small_to_double<kBfloat16Format>(element<uint16_t>(tensor, i));
    default:
      break;
  }
  const uint64_t value = integer_at(tensor, i);
  return is_signed(tensor.dtype) ? static_cast<double>(static_cast<int64_t>(value))
                                 : static_cast<double>(value);
}

double default_tolerance(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
    case DType::kFloat64:
      return 1e-4;
    case DType::kFloat16:
      return 2e-3;
    case DType::kBfloat16:
      return 2e-2;
    default:
      return 0;
  }
}

Difference difference(const HostTensor& expected, const HostTensor& found,
                      const std::optional<Tolerance>& tolerance) {
  Difference result;
  if (expected.dtype != found.dtype || expected.dims != found.dims ||
      expected.bytes.size() != found.bytes.size()) {
    result.form = "expected " + describe(expected.dtype, expected.dims) + ", found " +
                  describe(found.dtype, found.dims);
    return result;
  }
  const uint32_t size = element_bytes(expected.dtype);
  result.elements = size == 0 ? 0 : expected.bytes.size() / size;
  const double scale = greatest(expected, result.elements);
  result.allowed = allowed(expected.dtype, tolerance, scale);
  if (expected.bytes == found.bytes) return result;

  std::optional<uint64_t> first, worst;
  double worst_distance = 0;
  for (uint64_t i = 0; i < result.elements; ++i) {
    if (std::memcmp(expected.bytes.data() + i * size, found.bytes.data() + i * size, size) == 0) {
      continue;
    }
    const double a = number_at(expected, i), b = number_at(found, i);
    if (std::isnan(a) && std::isnan(b)) continue;
    const bool unmatched = !std::isfinite(a) || !std::isfinite(b);
    const double apart =
        unmatched ? std::numeric_limits<double>::infinity() : distance(expected, found, i);
    if (!unmatched) result.max_abs = std::max(result.max_abs, apart);
    if (unmatched) ++result.unmatched;
    if (unmatched || apart > result.allowed) {
      ++result.beyond;
      if (!first) first = i;
    }
    if (apart > worst_distance) {
      worst = i;
      worst_distance = apart;
    }
  }
  if (result.max_abs > 0) result.max_rel = result.max_abs / scale;
  if (first) result.first = pair_at(expected, found, *first);
  if (worst) result.worst = pair_at(expected, found, *worst);
  return result;
}

std::optional<Tolerance> parse_tolerance(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::optional<std::string_view> steps = steps_of(text);
  const std::optional<double> number = finite_number(steps.value_or(text));
  return Tolerance(number.value_or(0), steps.has_value());
}

std::string tolerance_problem(const std::string& text) {
  const std::optional<std::string_view> steps = steps_of(text);
  const std::optional<double> number = finite_number(steps.value_or(text));
  if (number && *number >= 0 && (!steps || *number == std::floor(*number))) return {};
  return "expected a number of at least 0, or of whole steps of integers such as 1step, found " +
         quote(text);
}

std::string describe(const Difference& difference) {
  if (difference.agrees()) return {};
  if (!difference.form.empty()) return difference.form;
  std::string text = std::to_string(difference.beyond) + " of " +
                     std::to_string(difference.elements) + " elements differ by more than " +
                     short_number(difference.allowed);
  if (difference.unmatched != 0) {
    text += " (" + std::to_string(difference.unmatched) + " in being NaN or infinite)";
  }
  text += "; first at " + describe_pair(*difference.first) + "; worst at " +
          describe_pair(*difference.worst);
  return text + "; max abs " + short_number(difference.max_abs) + ", max rel " +
         short_number(difference.max_rel);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
