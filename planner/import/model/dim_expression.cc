// Reads an expression from left to right: sums of products of numbers, names and parentheses.
#include "planner/import/model/dim_expression.h"

#include <cctype>
#include <functional>
#include <limits>
#include <string_view>

#include "support/parse_number.h"

namespace arenite::planner {
namespace {

// Numbers on the way to the value are no larger, so that products of two lie in 64 bits.
constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
// Parentheses in each other.
constexpr int kDepthMost = 16;

using NumberOf = std::function<std::optional<uint32_t>(const std::string& name)>;

class DimReader {
 public:
  DimReader(std::string_view text, const NumberOf& number_of)
      : left_(text), number_of_(number_of) {}

  std::optional<int64_t> read() {
    const std::optional<int64_t> value = sum();
    return next() == '\0' ? value : std::nullopt;
  }

 private:
  // The next character that is no space; '\0' at the end.
  char next() {
    while (!left_.empty() && std::isspace(static_cast<unsigned char>(left_[0]))) {
      left_.remove_prefix(1);
    }
    return left_.empty() ? '\0' : left_[0];
  }

  static bool is_of_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == ':';
  }

  std::optional<int64_t> sum() {
    std::optional<int64_t> value = product();
    while (value && (next() == '+' || next() == '-')) {
      const bool minus = next() == '-';
      left_.remove_prefix(1);
      const std::optional<int64_t> by = product();
      if (!by) return std::nullopt;
      value = bounded(minus ? *value - *by : *value + *by);
    }
    return value;
  }

  std::optional<int64_t> product() {
    std::optional<int64_t> value = factor();
    while (value && (next() == '*' || next() == '/')) {
      const bool over = next() == '/';
      left_.remove_prefix(left_.starts_with("//") ? 2 : 1);
      const std::optional<int64_t> by = factor();
      if (!by || (over && *by <= 0)) return std::nullopt;
      value = bounded(over ? *value / *by : *value * *by);
    }
    return value;
  }

  std::optional<int64_t> factor() {
    if (next() == '(') {
      if (++depth_ > kDepthMost) return std::nullopt;
      left_.remove_prefix(1);
      const std::optional<int64_t> value = sum();
      if (!value || next() != ')') return std::nullopt;
      left_.remove_prefix(1);
      --depth_;
      return value;
    }
    size_t length = 0;
    while (length < left_.size() && is_of_name(left_[length])) ++length;
    const std::string word(left_.substr(0, length));
    left_.remove_prefix(length);
    if (word.empty()) return std::nullopt;
    const bool is_number = std::isdigit(static_cast<unsigned char>(word[0])) != 0;
    const auto number = is_number ? parse_number<uint32_t>(word) : number_of_(word);
    return number ? bounded(*number) : std::nullopt;
  }

  static std::optional<int64_t> bounded(int64_t value) {
    return value < -kMost || value > kMost ? std::nullopt : std::optional(value);
  }

  std::string_view left_;
  const NumberOf& number_of_;
  int depth_ = 0;
};

}  // namespace

std::optional<uint32_t> dim_of(const std::string& text,
                               const std::map<std::string, uint32_t>& numbers) {
  const NumberOf number_of = [&](const std::string& name) -> std::optional<uint32_t> {
    const auto known = numbers.find(name);
    return known == numbers.end() ? std::nullopt : std::optional(known->second);
  };
  const std::optional<int64_t> value = DimReader(text, number_of).read();
  if (!value || *value < 0) return std::nullopt;
  return static_cast<uint32_t>(*value);
}

std::set<std::string> names_in_dim(const std::string& text) {
  std::set<std::string> names;
  const NumberOf number_of = [&](const std::string& name) {
    names.insert(name);
    return std::optional<uint32_t>(1);
  };
  const bool good = DimReader(text, number_of).read().has_value();
  if (!good || names.contains(text)) return {};
  return names;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
