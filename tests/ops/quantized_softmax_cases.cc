// Cases of quantized_softmax: TensorFlow Lite's of 8 and 16 bits, and that by a table.
#include <cmath>
#include <cstdlib>
#include <map>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"
#include "tests/ops/quantized_cases.h"
#include "tests/ops/wide.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

OpCase softmax(std::string name, const Operand& x, DType to, uint32_t axes) {
  OpCase c;
  c.name = std::move(name);
  QuantizedSoftmaxAttributes by = {};
  by.axes = axes;
  by.output = whole_range(Rounding::kTfliteDouble, to,
                          x.dtype == DType::kInt16 ? 0 : static_cast<int32_t>(lowest_of(to)));
  c.attributes = words(by);
  c.inputs = {x};
  c.outputs = {tensor(x.dims, to)};
  c.outputs[0].order = x.order;
  return c;
}

// A scale of 0.08: of 5 integer bits, 2^26 * 0.08 = 0x51eb851f * 2^(22 - 31).
OpCase fixed_point(OpCase c, int32_t diff_min = -400) {
  auto by = attributes_of<QuantizedSoftmaxAttributes>(c);
  by.multiplier = 0x51eb851f;
  by.shift = 23;
  by.diff_min = diff_min;
  c.attributes = words(by);
  return c;
}

// A scale of 0.1, results in units of 1 / 256.
OpCase tabled(OpCase c) {
  auto by = attributes_of<QuantizedSoftmaxAttributes>(c);
  by.output.rounding = Rounding::kHalfEven;
  c.attributes = words(by);
  std::vector<Number> table;
  for (const Number unit : {Number{1u << 30}, Number{1u << 22}}) {
    for (int d = 0; d < 256; ++d) table.push_back(std::round(std::exp(-0.1L * d) * unit));
  }
  c.inputs.push_back(with_values(tensor({2, 256}, DType::kUint32), table));
  return c;
}

OpCase interpolated(OpCase c) {
  auto by = attributes_of<QuantizedSoftmaxAttributes>(c);
  by.multiplier = 0x51eb851f;
  by.shift = 0;
  c.attributes = words(by);
  std::vector<Number> exps;
  std::vector<Number> reciprocals;
  for (int i = 0; i <= 512; ++i) {
    exps.push_back(std::min(std::round(std::exp(-10 + i / 51.2L) * 32768), 32767.0L));
    reciprocals.push_back(std::min(std::round(32768 / (1 + i / 512.0L)), 32767.0L));
  }
  c.inputs.push_back(with_values(tensor({513}, DType::kInt16), exps));
  c.inputs.push_back(with_values(tensor({513}, DType::kInt16), reciprocals));
  return c;
}

// Rows in which every d is different, and most are near the greatest.
Operand near_the_top(Operand x) { return ranged(std::move(x), 60, 110); }

// --- The oracle: gemmlowp's fixed-point functions, as their definitions say.

Wide product(Wide a, Wide b) { return to_int32(scaled(a * b, 31, Halves::kUp)); }

// e^d, d of 5 integer bits; of none.
Wide exp_by_definition(int32_t d) {
  if (d == 0) return INT32_MAX;
  const Wide quarter = 1 << 24;
  const Wide quarters = (-Wide{d} + quarter - 1) / quarter - 1;  // whole ones beyond the first
  const Wide rest = Wide{d} + quarters * quarter;                // in [-1/4, 0)
  const Wide x = rest * 32 + (Wide{1} << 28);                    // about -1/8
  const Wide x2 = product(x, x);
  const Wide x3 = product(x2, x);
  const Wide x4 = product(x2, x2);
  const Wide inner = product(scaled(x4, 2, Halves::kAway) + x3, 715827883) + x2;
  Wide result = 1895147668 + product(1895147668, x + scaled(inner, 1, Halves::kAway));
  const Wide powers[] = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  for (uint32_t k = 0; k < 7; ++k) {
    if ((quarters >> k & 1) != 0) result = product(result, powers[k]);
  }
  return result;
}

// 1 / (1 + x), x in [0, 1).
Wide reciprocal_by_definition(Wide x) {
  const Wide half = (x + (Wide{1} << 31)) / 2;
  Wide y = 1515870810 + product(half, -1010580540);
  for (uint32_t i = 0; i < 3; ++i) y += product(y, (1 << 29) - product(half, y)) * 4;
  return to_int32(y * 2);
}

struct Row {
  std::vector<uint64_t> places;
  Number most = -1e9L;
};

std::map<uint64_t, Row> rows_of(const Numbers& x, uint32_t axes) {
  std::map<uint64_t, Row> rows;
  for (uint64_t p = 0; p < x.values.size(); ++p) {
    Index index = index_of(x.dims, p);
    for (uint32_t d = 0; d < index.size(); ++d) {
      if ((axes >> d & 1u) != 0) index[d] = 0;
    }
    Row& row = rows[position_of(x.dims, index)];
    row.places.push_back(p);
    row.most = std::max(row.most, x.values[p]);
  }
  return rows;
}

// Shares of the elements whose differences to the greatest are these.
std::vector<Wide> fixed_point_shares(const QuantizedSoftmaxAttributes& by, DType to,
                                     const std::vector<int32_t>& differences) {
  std::vector<Wide> exps;
  Wide sum = 0;
  for (const int32_t d : differences) {
    exps.push_back(d < by.diff_min ? Wide{0}
                                   : exp_by_definition(requantized_by_definition(
                                         d, by.multiplier, by.shift, Rounding::kTfliteDouble)));
    sum += scaled(exps.back(), 12, Halves::kAway);
  }
  sum = limited(sum, 0, UINT32_MAX);
  int32_t bits = 0;  // of the sum
  while ((sum >> bits) != 0) ++bits;
  const Wide reciprocal = reciprocal_by_definition((sum << (32 - bits)) - (Wide{1} << 31));
  const int32_t exponent = bits - 20 + 31 - (element_bytes(to) == 2 ? 16 : 8);
  for (Wide& exp : exps) exp = scaled(product(reciprocal, exp), exponent, Halves::kAway);
  return exps;
}

std::vector<Wide> tabled_shares(const std::vector<Number>& table,
                                const std::vector<int32_t>& differences) {
  Wide sum = 0;
  for (const int32_t d : differences)
    sum += static_cast<int64_t>(table[256u - static_cast<size_t>(d)]);
  sum = limited(sum, 1, UINT32_MAX);
  std::vector<Wide> shares;
  for (const int32_t d : differences) {
    const auto numerator = static_cast<int64_t>(table[static_cast<size_t>(-d)]);
    shares.push_back(quotient(numerator, sum, Halves::kEven));
  }
  return shares;
}

Wide interpolated_by_definition(const std::vector<Number>& table, Wide x) {
  x = limited(x, -32768, 32767) + 32768;
  const auto below = static_cast<size_t>(x / 128);
  const auto value = static_cast<int64_t>(table[below]);
  const auto slope = static_cast<int64_t>(table[below + 1]) - value;
  return value + scaled(slope * (x % 128), 7, Halves::kUp);
}

std::vector<Wide> interpolated_shares(const QuantizedSoftmaxAttributes& by,
                                      const std::vector<Numbers>& inputs,
                                      const std::vector<int32_t>& differences) {
  std::vector<Wide> exps;
  Wide sum = 0;
  for (const int32_t d : differences) {
    const int32_t x =
        requantized_by_definition(d, by.multiplier, by.shift, Rounding::kTfliteDouble);
    exps.push_back(interpolated_by_definition(inputs[1].values, Wide{x} + 32767));
    sum += exps.back();
  }
  sum = limited(sum, 1, INT32_MAX);
  int32_t bits = 0;
  while ((sum >> bits) != 0) ++bits;
  const Wide normal = scaled(sum << (31 - bits), 14, Halves::kUp);  // 65536 to 131072
  const Wide reciprocal = interpolated_by_definition(inputs[2].values, normal - 65536 - 32768);
  for (Wide& exp : exps) exp = limited(scaled(exp * reciprocal, bits - 1, Halves::kUp), 0, 32767);
  return exps;
}

}  // namespace

std::vector<OpCase> quantized_softmax_cases() {
  const DType int8 = DType::kInt8, uint8 = DType::kUint8, int16 = DType::kInt16;
  std::vector<OpCase> cases;
  for (const DType from : {int8, uint8}) {
    for (const NamedType& to : kActivationTypes) {
      const std::string name = std::string(from == int8 ? "int8_" : "uint8_") + to.name;
      cases.push_back(
          fixed_point(softmax(name, near_the_top(tensor({5, 41}, from)), to.dtype, 0b10)));
      cases.push_back(
          fixed_point(softmax(name + "_any", any_of_type({5, 41}, from), to.dtype, 0b10), -150));
      cases.push_back(
          tabled(softmax(name + "_tabled", near_the_top(tensor({5, 41}, from)), to.dtype, 0b10)));
    }
  }
  cases.push_back(
      interpolated(softmax("int16", ranged(tensor({5, 41}, int16), 20000, 32767), int16, 0b10)));
  cases.push_back(interpolated(softmax("int16_any", any_of_type({3, 7}, int16), int16, 0b10)));
  cases.push_back(fixed_point(softmax("outer", near_the_top(tensor({19, 3, 4}, int8)), int8, 0b1)));
  cases.push_back(fixed_point(
      softmax("channels", channels_last(near_the_top(tensor({2, 21, 3, 5}, int8))), int8, 0b10)));
  cases.push_back(
      tabled(softmax("together", near_the_top(tensor({4, 5, 6}, uint8)), uint8, 0b101)));
  cases.push_back(
      fixed_point(softmax("many", ranged(tensor({2, 700}, int8), 100, 101), int8, 0b10)));
  // Rows of which several are computed at once, and rows of just so many elements and one more.
  for (const uint32_t count : {2u, 3u, 5u, 12u, 32u, 33u, 65u}) {
    cases.push_back(fixed_point(softmax("rows_of_" + std::to_string(count),
                                        any_of_type({3, 7, count}, int8), int8, 0b100)));
  }
  // So many elements that exponentials are remembered.
  for (const uint32_t count : {2u, 5u, 12u, 16u, 17u, 33u, 64u, 130u}) {
    for (const DType type : {int8, uint8}) {
      const std::string name =
          (type == int8 ? "many_rows_of_" : "many_rows_of_uint8_") + std::to_string(count);
      cases.push_back(
          fixed_point(softmax(name, any_of_type({13, 10, count}, type), type, 0b100), -150));
      cases.push_back(fixed_point(
          softmax(name + "_channels", near_the_top(tensor({2, count, 9, 15}, type)), int8, 0b10)));
    }
  }
  for (const uint32_t count : {1u, 2u, 10u, 33u}) {
    const std::string name = "tabled_rows_of_" + std::to_string(count);
    for (const DType type : {int8, uint8}) {
      cases.push_back(tabled(softmax(name + (type == int8 ? "_int8" : "_uint8"),
                                     any_of_type({3, 11, count}, type), type, 0b100)));
    }
    cases.push_back(tabled(
        softmax(name + "_channels", near_the_top(tensor({2, count, 3, 5}, int8)), uint8, 0b10)));
    cases.push_back(
        tabled(softmax(name + "_channels_last",
                       channels_last(near_the_top(tensor({2, count, 3, 5}, int8))), int8, 0b10)));
  }
  cases.push_back(
      tabled(softmax("large_tabled", near_the_top(tensor({90, 40}, int8)), int8, 0b10)));
  // A factor that divides, and one that makes all exponentials but the greatest vanish.
  for (const int32_t shift : {31, 0, -7, -33}) {
    OpCase c =
        fixed_point(softmax((shift < 0 ? "divided_" : "shifted_") + std::to_string(std::abs(shift)),
                            any_of_type({3, 9}, int8), int8, 0b10));
    auto by = attributes_of<QuantizedSoftmaxAttributes>(c);
    by.shift = shift;
    c.attributes = words(by);
    cases.push_back(c);
  }
  cases.push_back(fixed_point(softmax("one", any_of_type({7, 1}, int8), int8, 0b10)));
  cases.push_back(fixed_point(softmax("none", any_of_type({3, 4}, int8), int8, 0)));
  cases.push_back(fixed_point(softmax("scalar", any_of_type({}, int8), int8, 0)));
  cases.push_back(fixed_point(softmax("empty", any_of_type({2, 0}, int8), int8, 0b10)));
  cases.push_back(fixed_point(softmax("large", near_the_top(tensor({30, 40}, int8)), int8, 0b10)));
  cases.push_back(interpolated(softmax("large_int16", any_of_type({30, 40}, int16), int16, 0b10)));
  return cases;
}

std::vector<Numbers> quantized_softmax_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto by = attributes_of<QuantizedSoftmaxAttributes>(c);
  Numbers y = blank_output(c, 0);
  for (const auto& [key, row] : rows_of(inputs[0], by.axes)) {
    std::vector<int32_t> differences;
    for (const uint64_t p : row.places) {
      differences.push_back(static_cast<int32_t>(inputs[0].values[p] - row.most));
    }
    const std::vector<Wide> shares =
        inputs.size() == 3   ? interpolated_shares(by, inputs, differences)
        : inputs.size() == 2 ? tabled_shares(inputs[1].values, differences)
                             : fixed_point_shares(by, c.outputs[0].dtype, differences);
    for (size_t i = 0; i < shares.size(); ++i) {
      y.values[row.places[i]] = moved_and_limited(shares[i], by.output);
    }
  }
  return {y};
}

}  // namespace arenite::ops_test

// SPDX-License-Identifier: Apache-2.0
