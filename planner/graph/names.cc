// Turns types, dims, operators and names into the words of messages.
#include "planner/graph/names.h"

namespace arenite::planner {
namespace {

using std::to_string;
std::string to_string(const Dim& dim) { return dim_text(dim); }

template <typename T>
std::string list_text(const T& numbers) {
  std::string text = "[";
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i != 0) text += ", ";
    text += to_string(numbers[i]);
  }
  return text + "]";
}

}  // namespace

std::string dtype_name(DType type) {
  if (element_bytes(type) == 0) return "type " + std::to_string(static_cast<unsigned>(type));
  return text_of(type);
}

std::string dims_text(std::span<const uint32_t> dims) { return list_text(dims); }
std::string dims_text(std::span<const int64_t> dims) { return list_text(dims); }
template <>
std::string dims_text(const Dims& dims) {
  return list_text(dims);
}

std::string op_name(Op op) {
  switch (op) {
#define ARENITE_OP(number, name, Type, family, set) \
  case Op::k##Type:                                 \
    return #name;
#include "schema/ops.def"
  }
  return "op " + std::to_string(static_cast<unsigned>(op));
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
