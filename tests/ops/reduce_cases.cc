// Cases of family reduce: axes in every combination that matters; and what each member computes: a
// row for each.
#include <algorithm>
#include <cmath>

#include "core/contract.h"
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"
#include "tests/ops/quantized.h"

namespace arenite::ops_test {
namespace {

struct Reduce {
  Number start;
  Number (*add)(Number so_far, Number element);
  Number (*finish)(Number result, Number count);
  // In place of `add` for integers, modulo 2^64; null where that does for them.
  uint64_t (*integers)(uint64_t so_far, Number element) = nullptr;
  double tolerance = 1e-5;
  double low = -1, high = 1;  // of the numbers in all cases
};

uint64_t modular(Number n) {
  return n < 0 ? static_cast<uint64_t>(static_cast<int64_t>(n)) : static_cast<uint64_t>(n);
}

const Reduce kReduceMean = {
    .start = 0,
    .add = [](Number sum, Number element) { return sum + element; },
    .finish = [](Number sum, Number count) { return sum / count; },
    .integers = [](uint64_t sum, Number element) { return sum + modular(element); },
};

const Reduce kReduceSum = {
    .start = 0,
    .add = [](Number sum, Number element) { return sum + element; },
    .finish = [](Number sum, Number) { return sum; },
    .integers = [](uint64_t sum, Number element) { return sum + modular(element); },
    .tolerance = 1e-4,
};

const Reduce kReduceProd = {
    .start = 1,
    .add = [](Number product, Number element) { return product * element; },
    .finish = [](Number product, Number) { return product; },
    .integers = [](uint64_t product, Number element) { return product * modular(element); },
};

const Reduce kReduceL1 = {
    .start = 0,
    .add = [](Number sum, Number element) { return sum + std::fabs(element); },
    .finish = [](Number sum, Number) { return sum; },
    .integers = [](uint64_t sum, Number element) { return sum + modular(std::fabs(element)); },
};

const Reduce kReduceSumSquare = {
    .start = 0,
    .add = [](Number sum, Number element) { return sum + element * element; },
    .finish = [](Number sum, Number) { return sum; },
    .integers = [](uint64_t sum,
                   Number element) { return sum + modular(element) * modular(element); },
};

const Reduce kReduceL2 = {
    .start = 0,
    .add = [](Number sum, Number element) { return sum + element * element; },
    .finish = [](Number sum, Number) { return std::sqrt(sum); },
};

const Reduce kReduceLogSum = {
    .start = 0,
    .add = [](Number sum, Number element) { return sum + element; },
    .finish = [](Number sum, Number) { return std::log(sum); },
    .low = 0.1,
};

const Reduce kReduceMax = {
    .start = -__builtin_infl(),
    .add = [](Number most,
              Number element) { return std::isnan(element) || element > most ? element : most; },
    .finish = [](Number most, Number) { return most; },
    .tolerance = 0,
};

const Reduce kReduceMin = {
    .start = __builtin_infl(),
    .add = [](Number least,
              Number element) { return std::isnan(element) || element < least ? element : least; },
    .finish = [](Number least, Number) { return least; },
    .tolerance = 0,
};

// Whether `a` is a better greatest element than `b`.
struct Arg {
  bool (*beats)(Number a, Number b);
};
const Arg kArgMax = {[](Number a, Number b) { return a > b; }};
const Arg kArgMin = {[](Number a, Number b) { return a < b; }};

OpCase reduce(const char* name, Operand x, uint32_t axes) {
  OpCase c;
  c.name = name;
  c.attributes = words(ReduceAttributes{axes});
  Operand y = x;
  for (size_t d = 0; d < y.dims.size(); ++d) y.dims[d] = (axes >> d & 1u) != 0 ? 1 : y.dims[d];
  y.specials.clear();
  c.inputs = {std::move(x)};
  c.outputs = {std::move(y)};
  return c;
}

OpCase of_type(const NamedType& type, const char* suffix = "",
               const std::vector<uint32_t>& dims = {4, 3, 7}) {
  Operand x = tensor(dims, type.dtype);
  if (!is_float(type.dtype)) x.specials = {lowest_of(type.dtype), highest_of(type.dtype)};
  return reduce((std::string(type.name) + suffix).c_str(), std::move(x), 0b010);
}

OpCase of_nothing(const NamedType& type) {
  OpCase c = reduce("of_nothing_", tensor({3, 0}, type.dtype), 0b10);
  c.name += type.name;
  return c;
}

std::vector<OpCase> float_cases() {
  return {
      reduce("global_pool", channels_last(tensor({2, 20, 7, 7})), 0b1100),
      reduce("global_pool_row_major", tensor({2, 20, 7, 7}), 0b1100),
      reduce("channels", channels_last(tensor({2, 5, 3, 4})), 0b0010),
      reduce("inner", tensor({3, 17}), 0b10),
      reduce("outer", tensor({13, 33}), 0b01),
      reduce("everything", tensor({3, 5, 4}), 0b111),
      reduce("outer_and_inner", tensor({3, 18, 4}), 0b101),
      reduce("nothing", tensor({3, 5}), 0),
      reduce("scalar", tensor({}), 0),
      reduce("rank_8", tensor({2, 1, 3, 2, 1, 2, 3, 2}), 0b01010101),
      reduce("specials", with_specials(tensor({4, 9}), {__builtin_nanl(""), __builtin_infl()}),
             0b10),
      reduce("large", channels_last(tensor({1, 70, 24, 25})), 0b1100),
      reduce("large_rows", tensor({50, 900}), 0b10),
      reduce("empty_result", tensor({0, 3}), 0b10),
  };
}

std::vector<OpCase> reduce_cases(const Reduce& member, TypeSet types) {
  std::vector<OpCase> cases = float_cases();
  for (const NamedType& type : kAllTypes) {
    if (!has(types, type.dtype)) continue;
    if (type.dtype != DType::kFloat32) {
      cases.push_back(of_type(type));
      cases.push_back(of_type(type, "_long", {5, 300}));
      cases.push_back(of_type(type, "_of_one", {3, 1, 5}));
    }
    cases.push_back(of_nothing(type));
  }
  for (OpCase& c : cases) {
    Operand& x = c.inputs[0];
    const bool has_signs = is_float(x.dtype) || lowest_of(x.dtype) < 0;
    x = ranged(x, has_signs ? member.low : 0, member.high);
    if (!is_float(x.dtype) || member.tolerance == 0) continue;
    c.tolerance = x.dtype == DType::kFloat64 ? std::min(member.tolerance, 1e-14)
                                             : member.tolerance + half_unit(x.dtype);
  }
  return cases;
}

std::vector<Numbers> reduce_oracle(const Reduce& member, const OpCase& c, const Numbers& x) {
  const uint32_t axes = attributes_of<ReduceAttributes>(c).axes;
  Numbers y = blank_output(c, 0);
  Number start = member.start;
  if (!is_float(y.dtype) && std::isinf(start)) {
    start = start < 0 ? lowest_of(y.dtype) : highest_of(y.dtype);
  }
  for (Number& value : y.values) value = start;
  std::vector<uint64_t> counts(y.values.size());
  for (uint64_t p = 0; p < x.values.size(); ++p) {
    Index index = index_of(x.dims, p);
    for (size_t d = 0; d < index.size(); ++d) index[d] = (axes >> d & 1u) != 0 ? 0 : index[d];
    const uint64_t to = position_of(y.dims, index);
    if (is_float(y.dtype) || member.integers == nullptr) {
      y.values[to] = member.add(y.values[to], x.values[p]);
    } else {
      const uint64_t result = member.integers(modular(y.values[to]), x.values[p]);
      y.values[to] = wrapped(y.dtype, static_cast<Number>(result));
    }
    ++counts[to];
  }
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Number result = member.finish(y.values[p], static_cast<Number>(counts[p]));
    // The mean of no integers is 0.
    y.values[p] = is_float(y.dtype) ? result : std::isnan(result) ? 0 : std::trunc(result);
  }
  return {y};
}

OpCase places(OpCase c, bool select_last) {
  c.attributes =
      words(ArgAttributes{attributes_of<ReduceAttributes>(c).axes, select_last ? 1u : 0u});
  c.outputs[0].dtype = DType::kInt64;
  c.name += select_last ? "_last" : "";
  return c;
}

std::vector<OpCase> reduce_cases(const Arg&, TypeSet types) {
  std::vector<OpCase> all = float_cases();
  // Equal ones, zeros of both signs among them, in short rows and in long ones.
  for (const uint32_t length : {9u, 300u, 1000u}) {
    const Operand x = ranged(tensor({5, length}), -0.0, -0.0);
    const std::string name = "ties_" + std::to_string(length);
    all.push_back(reduce(name.c_str(), with_specials(x, {0.0L, -0.0L}), 0b10));
    all.push_back(reduce((name + "_two").c_str(), with_specials(x, {1.0L, -1.0L}), 0b10));
  }
  all.push_back(reduce("subnormal", with_specials(tensor({3, 5}), {1e-40L, -1e-40L, 0.0L}), 0b10));
  all.back().inputs[0] = ranged(all.back().inputs[0], 0, 0);
  all.push_back(reduce("nan_in_a_long_row",
                       with_specials(tensor({3, 700}), {__builtin_nanl(""), 7, -7, 1, 2, 3}),
                       0b10));
  // Searches side by side: whole blocks of them and a rest, infinities and NaN among few elements,
  // classes of each pixel and as planes, and equal ones in several places.
  const std::vector<Number> ends = {__builtin_nanl(""), __builtin_infl(), -__builtin_infl()};
  all.push_back(reduce("side_by_side", with_specials(tensor({6, 77}), ends), 0b01));
  all.push_back(reduce("planes", tensor({1, 5, 9, 40}), 0b0010));
  all.push_back(reduce("pixels", channels_last(tensor({1, 21, 7, 9})), 0b0010));
  all.push_back(
      reduce("ties_side_by_side", with_specials(tensor({7, 45}), {0.5L, 0.5L, -0.5L}), 0b01));
  all.push_back(reduce("rows_of_16", with_specials(tensor({35, 16}), {0.5L, -0.5L}), 0b10));
  all.push_back(reduce("rows_of_19", with_specials(tensor({5, 19}), ends), 0b10));
  all.push_back(
      reduce("lowest", with_values(tensor({2, 2}), {ends[2], ends[2], 1, ends[2]}), 0b10));
  all.push_back(reduce("logits", tensor({1, 1000}), 0b10));
  for (const NamedType& type : kAllTypes) {
    if (type.dtype == DType::kFloat32 || !has(types, type.dtype)) continue;
    all.push_back(of_type(type));
    all.push_back(
        reduce((std::string(type.name) + "_long").c_str(), tensor({2, 400}, type.dtype), 2));
  }
  std::vector<OpCase> cases;
  for (const OpCase& c : all) {
    cases.push_back(places(c, false));
    cases.push_back(places(c, true));
    if (!is_float(c.inputs[0].dtype)) {
      for (OpCase* typed : {&cases[cases.size() - 2], &cases.back()}) {
        typed->inputs[0] = ranged(typed->inputs[0], 0, 3);
      }
    }
  }
  // Numbers of all 8 bits: as classes of each pixel, as planes of classes, and along two axes.
  for (const NamedType& type : kAllTypes) {
    if (type.dtype != DType::kInt8 && type.dtype != DType::kUint8) continue;
    for (const auto& [suffix, axes] :
         {std::pair("_classes", 0b1000u), {"_planes", 0b0010u}, {"_planes_and_classes", 0b1010u}}) {
      Operand x = whole_range(tensor({2, 7, 73, 67}, type.dtype));
      const OpCase c = reduce((std::string(type.name) + suffix).c_str(), std::move(x), axes);
      cases.push_back(places(c, false));
      cases.push_back(places(c, true));
    }
    // Few classes and equal ones, in rows that fill one vector and more, or none.
    for (const uint32_t count : {7u, 8u, 13u, 16u, 21u, 256u, 261u}) {
      const std::string name = std::string(type.name) + "_of_" + std::to_string(count);
      OpCase c = reduce(name.c_str(), ranged(tensor({19, count}, type.dtype), 0, 5), 0b10);
      cases.push_back(places(c, false));
      cases.push_back(places(std::move(c), true));
    }
  }
  return cases;
}

std::vector<Numbers> reduce_oracle(const Arg& member, const OpCase& c, const Numbers& x) {
  const auto [axes, select_last] = attributes_of<ArgAttributes>(c);
  Numbers y = blank_output(c, 0);
  std::vector<uint64_t> counts(y.values.size());
  std::vector<Number> best(y.values.size());
  const auto beats = [&](Number a, Number b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && !std::isnan(b);
    return member.beats(a, b);
  };
  for (uint64_t p = 0; p < x.values.size(); ++p) {
    Index index = index_of(x.dims, p);
    for (size_t d = 0; d < index.size(); ++d) index[d] = (axes >> d & 1u) != 0 ? 0 : index[d];
    const uint64_t to = position_of(y.dims, index);
    const Number v = x.values[p];
    const bool equal = !beats(v, best[to]) && !beats(best[to], v);
    if (counts[to] == 0 || beats(v, best[to]) || (equal && select_last != 0)) {
      best[to] = v;
      y.values[to] = static_cast<Number>(counts[to]);
    }
    ++counts[to];
  }
  return {y};
}

}  // namespace

#define ARENITE_OP_reduce(number, name, Type, set)                                          \
  std::vector<OpCase> name##_cases() { return reduce_cases(k##Type, types::k##set); }       \
  std::vector<Numbers> name##_oracle(const OpCase& c, const std::vector<Numbers>& inputs) { \
    return reduce_oracle(k##Type, c, inputs[0]);                                            \
  }
#include "schema/ops.def"

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
