// Cases of family reduce: axes in every combination that matters; and what each member computes: a
// row for each.
#include <cmath>

#include "core/contract.h"
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

struct Reduce {
  Number start;
  Number (*add)(Number so_far, Number element);
  Number (*finish)(Number result, Number count);
  double tolerance = 1e-5;
  double low = -1, high = 1;  // of the numbers in all cases
};

const Reduce kReduceMean = {
    .start = 0,
    .add = [](Number sum, Number element) { return sum + element; },
    .finish = [](Number sum, Number count) { return sum / count; },
};

const Reduce kReduceSum = {
    .start = 0,
    .add = [](Number sum, Number element) { return sum + element; },
    .finish = [](Number sum, Number) { return sum; },
    .tolerance = 1e-4,
};

const Reduce kReduceProd = {
    .start = 1,
    .add = [](Number product, Number element) { return product * element; },
    .finish = [](Number product, Number) { return product; },
};

const Reduce kReduceL1 = {
    .start = 0,
    .add = [](Number sum, Number element) { return sum + std::fabs(element); },
    .finish = [](Number sum, Number) { return sum; },
};

const Reduce kReduceSumSquare = {
    .start = 0,
    .add = [](Number sum, Number element) { return sum + element * element; },
    .finish = [](Number sum, Number) { return sum; },
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

OpCase of_type(const NamedType& type) {
  Operand x = tensor({4, 3, 7}, type.dtype);
  if (!is_float(type.dtype)) x.specials = {lowest_of(type.dtype), highest_of(type.dtype)};
  OpCase c = reduce(type.name, std::move(x), 0b010);
  return c;
}

std::vector<OpCase> reduce_cases(const Reduce& member, TypeSet types) {
  std::vector<OpCase> cases = {
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
      reduce("of_nothing", tensor({3, 0}), 0b10),
      reduce("empty_result", tensor({0, 3}), 0b10),
  };
  for (const NamedType& type : kAllTypes) {
    if (type.dtype != DType::kFloat32 && has(types, type.dtype)) cases.push_back(of_type(type));
  }
  for (OpCase& c : cases) {
    Operand& x = c.inputs[0];
    const bool has_signs = is_float(x.dtype) || lowest_of(x.dtype) < 0;
    x = ranged(x, has_signs ? member.low : 0, member.high);
    c.tolerance = is_float(x.dtype) ? member.tolerance : 0;
  }
  return cases;
}

std::vector<Numbers> reduce_oracle(const Reduce& member, const OpCase& c, const Numbers& x) {
  const uint32_t axes = attributes_of<ReduceAttributes>(c).axes;
  Numbers y = blank_output(c, 0);
  for (Number& value : y.values) value = member.start;
  std::vector<uint64_t> counts(y.values.size());
  for (uint64_t p = 0; p < x.values.size(); ++p) {
    std::vector<uint32_t> index = index_of(x.dims, p);
    for (size_t d = 0; d < index.size(); ++d) index[d] = (axes >> d & 1u) != 0 ? 0 : index[d];
    const uint64_t to = position_of(y.dims, index);
    y.values[to] = member.add(y.values[to], x.values[p]);
    ++counts[to];
  }
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Number result = member.finish(y.values[p], static_cast<Number>(counts[p]));
    y.values[p] = is_float(y.dtype) ? result : wrapped(y.dtype, result);
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
