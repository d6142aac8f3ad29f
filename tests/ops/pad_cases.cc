// Cases of pad: growing, cropping, both; the value as an attribute and as an operand.
#include "tests/ops/cases.h"
#include "tests/ops/movement_cases.h"

namespace arenite::ops_test {
namespace {

using Pads = std::vector<int32_t>;

OpCase pad(const char* name, Operand x, const Pads& begin, const Pads& end) {
  OpCase c;
  c.name = name;
  PadAttributes a = {};
  Operand y = x;
  y.repeated = 0;
  for (size_t d = 0; d < begin.size(); ++d) {
    a.begin[d] = begin[d];
    const int64_t dim = int64_t{x.dims[d]} + begin[d] + end[d];
    y.dims[d] = dim > 0 ? static_cast<uint32_t>(dim) : 0;
  }
  c.attributes = words(a);
  c.inputs = {std::move(x)};
  c.outputs = {std::move(y)};
  return c;
}

// Any bits will do for the value, short of a float's NaN.
OpCase with_bits(OpCase c, uint32_t low, uint32_t high) {
  auto a = attributes_of<PadAttributes>(c);
  a.value_bits[0] = low;
  a.value_bits[1] = high;
  c.attributes = words(a);
  c.name += "_bits";
  return c;
}

OpCase with_operand(OpCase c) {
  const Operand& x = c.inputs[0];
  c.inputs.push_back(ranged(tensor({}, x.dtype), x.low, x.high));
  c.name += "_operand";
  return c;
}

}  // namespace

std::vector<OpCase> pad_cases() {
  std::vector<OpCase> cases;
  for (const MovedType& type : kMovedTypes) {
    for (const OpCase& c : {
             pad("image", tensor({1, 3, 4, 5}), {0, 0, 1, 2}, {0, 0, 2, 1}),
             pad("channels_last", channels_last(tensor({2, 3, 4, 5})), {0, 1, 0, 2}, {0, 2, 1, 0}),
             pad("crop", tensor({5, 7}), {-1, -2}, {-1, -3}),
             pad("crop_and_grow", tensor({5, 7}), {-2, 3}, {4, -6}),
             pad("nothing", tensor({3, 4}), {0, 0}, {0, 0}),
             pad("scalar", tensor({}), {}, {}),
             pad("shifted_outside", tensor({3, 4}), {5, 0}, {-5, 0}),
             pad("cropped_outside", tensor({3, 4}), {-4, 0}, {6, 0}),
             pad("empty_input", tensor({0, 4}), {2, 1}, {1, 0}),
             pad("empty_result", tensor({3, 4}), {-3, 0}, {0, 0}),
             pad("repeated_input", repeated(tensor({3, 4}), 2), {1, 1}, {1, 1}),
             pad("rank_8", tensor({1, 2, 1, 2, 3, 2, 1, 2}), {1, 0, 0, -1, 1, 0, 1, 0},
                 {0, 0, 1, 1, -1, 0, 0, 1}),
             pad("large", tensor({1, 4, 93, 91}), {0, 0, 3, 3}, {0, 0, 3, 3}),
         }) {
      const OpCase typed = of_type(c, type);
      cases.push_back(typed);
      cases.push_back(with_operand(typed));
    }
  }
  const OpCase c = pad("value", tensor({3, 4}), {1, 0}, {0, 2});
  cases.push_back(with_bits(c, 0x3fc00000, 0x12345678));                           // 1.5f
  cases.push_back(with_bits(of_type(c, kMovedTypes[1]), 0x12345681, 0x9));         // -127
  cases.push_back(with_bits(of_type(c, kMovedTypes[2]), 0xffffc500, 0));           // -5
  cases.push_back(with_bits(of_type(c, kMovedTypes[3]), 0x89abcdef, 0x81234567));  // all of it
  return cases;
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
