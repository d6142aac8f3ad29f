// Turns types, dims, operators and names into the words of messages.
#include "planner/names.h"

#include "support/hex.h"

namespace arenite::planner {
namespace {

template <typename T>
std::string list_text(std::span<const T> numbers) {
  std::string text = "[";
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i != 0) text += ", ";
    text += std::to_string(numbers[i]);
  }
  return text + "]";
}

// Bytes of the UTF-8 character that starts `text`, or 0 where it is none.
size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto follows = [&](size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  const unsigned first = byte(0);
  if (first < 0x80u) return text.empty() ? 0 : 1;
  if (first >= 0xc2u && first <= 0xdfu) return follows(1) ? 2 : 0;
  if ((first & 0xf0u) == 0xe0u) {
    // Overlong forms and surrogates are no characters.
    if ((first == 0xe0u && byte(1) < 0xa0u) || (first == 0xedu && byte(1) > 0x9fu)) return 0;
    return follows(1) && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0u && first <= 0xf4u) {
    if ((first == 0xf0u && byte(1) < 0x90u) || (first == 0xf4u && byte(1) > 0x8fu)) return 0;
    return follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string dtype_name(DType type) {
  if (element_bytes(type) == 0) return "type " + std::to_string(static_cast<unsigned>(type));
  return text_of(type);
}

std::string dims_text(std::span<const uint32_t> dims) { return list_text(dims); }
std::string dims_text(std::span<const int64_t> dims) { return list_text(dims); }

std::string op_name(Op op) {
  switch (op) {
#define ARENITE_OP(number, name, Type, family, set) \
  case Op::k##Type:                                 \
    return #name;
#include "schema/ops.def"
  }
  return "op " + std::to_string(static_cast<unsigned>(op));
}

std::string printable(std::string_view text) {
  constexpr size_t kMaxBytes = 200;
  std::string out;
  while (!text.empty()) {
    if (out.size() >= kMaxBytes) return out + "...";
    size_t length = utf8_length(text);
    const auto first = static_cast<unsigned char>(text[0]);
    if (length == 0 || first < 0x20u || first == 0x7fu || first == '\'' || first == '\\') {
      out += "\\x" + hex_digits(first, 2);
      length = 1;
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  out += printable(text);
  out += '\'';
  return out;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string operand_fault(Code code) {
  switch (code) {
    case Code::kNoForm:
      return "no form";
    case Code::kBadOperandCount:
      return "number of operands";
    case Code::kBadType:
      return "element types";
    case Code::kBadShape:
      return "shapes";
    case Code::kBadAttribute:
      return "attributes";
    case Code::kBadLayout:
      return "layouts";
    case Code::kBadScratch:
      return "scratch";
    case Code::kIndexOutOfRange:
      return "an index outside its axis";
    default:
      return "code " + std::to_string(static_cast<unsigned>(code));
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
