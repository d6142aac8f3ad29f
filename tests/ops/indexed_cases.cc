// Cases of family indexed: tuples and single indices, batches, reductions, both index types.
#include <cmath>

#include "ops/indexed.h"
#include "tests/ops/cases.h"
#include "tests/ops/moved_types.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

uint32_t reduction_of(const OpCase& c) { return attributes_of<IndexedAttributes>(c).reduction; }

// Random places over the whole of `whole`, of which each tuple counts negatively from its end.
Operand tuples(const Dims& whole, uint32_t batch, const Dims& outer, uint32_t tuple) {
  Dims dims = outer;
  dims.push_back(tuple);
  double least = 1000;
  for (uint32_t i = 0; i < tuple; ++i) least = std::fmin(least, whole[batch + i]);
  return ranged(tensor(dims, DType::kInt64), -least, least - 1);
}

// Each place once: of several updates of one a device may take any.
Operand distinct(Operand indices, uint32_t places, uint32_t first_stride) {
  std::vector<Number> values;
  const auto tuple = indices.dims.back();
  for (uint64_t i = 0; i < count_of(indices.dims) / tuple; ++i) {
    const uint64_t place = (i * 5 + 3) % places;
    if (tuple == 1) {
      values.push_back(static_cast<Number>(place));
      continue;
    }
    values.push_back(static_cast<Number>(place / first_stride) -
                     (i % 2 == 0 ? 0 : static_cast<Number>(places / first_stride)));
    values.push_back(static_cast<Number>(place % first_stride));
  }
  return with_values(std::move(indices), values);
}

OpCase gather_nd(const char* name, const Dims& data, const Dims& outer, uint32_t tuple,
                 uint32_t batch = 0) {
  OpCase c;
  c.name = name;
  c.attributes = words(IndexedAttributes{0, batch, 0});
  Dims y = outer;
  y.insert(y.end(), data.begin() + batch + tuple, data.end());
  c.inputs = {tensor(data), tuples(data, batch, outer, tuple)};
  c.outputs = {tensor(y)};
  return c;
}

OpCase gather_elements(const char* name, const Dims& data, const Dims& indices, uint32_t axis,
                       DType index_type = DType::kInt64) {
  OpCase c;
  c.name = name;
  c.attributes = words(IndexedAttributes{axis, 0, 0});
  const double size = data[axis];
  c.inputs = {tensor(data), ranged(tensor(indices, index_type), -size, size - 1)};
  c.outputs = {tensor(indices)};
  return c;
}

OpCase scatter_nd(const char* name, const Dims& data, const Dims& outer, uint32_t tuple,
                  IndexedReduction reduction = IndexedReduction::kNone) {
  OpCase c;
  c.name = name;
  c.attributes = words(IndexedAttributes{0, 0, static_cast<uint32_t>(reduction)});
  Dims updates = outer;
  updates.insert(updates.end(), data.begin() + tuple, data.end());
  Operand indices = tuples(data, 0, outer, tuple);
  if (reduction == IndexedReduction::kNone) {
    const uint32_t width = tuple == 1 ? 1 : data[1];
    indices = distinct(indices, data[0] * width, width);
  }
  c.tolerance = 1e-5;
  c.inputs = {tensor(data), indices, tensor(updates)};
  c.outputs = {tensor(data)};
  return c;
}

OpCase scatter_elements(const char* name, const Dims& data, const Dims& indices, uint32_t axis,
                        IndexedReduction reduction = IndexedReduction::kNone) {
  OpCase c;
  c.name = name;
  c.attributes = words(IndexedAttributes{axis, 0, static_cast<uint32_t>(reduction)});
  const double size = data[axis];
  Operand where = ranged(tensor(indices, DType::kInt64), -size, size - 1);
  if (reduction == IndexedReduction::kNone) {
    // Along the axis one after another.
    std::vector<Number> values;
    for (uint64_t i = 0; i < count_of(indices); ++i) {
      const uint32_t k = index_of(indices, i)[axis];
      values.push_back(static_cast<Number>(k) - (k % 2 == 0 ? 0 : static_cast<Number>(data[axis])));
    }
    where = with_values(where, values);
  }
  c.tolerance = 1e-5;
  c.inputs = {tensor(data), where, tensor(indices)};
  c.outputs = {tensor(data)};
  return c;
}

std::vector<OpCase> of_all_types(const std::vector<OpCase>& written) {
  std::vector<OpCase> cases;
  for (const MovedType& type : kMovedTypes) {
    for (const OpCase& c : written) {
      if (reduction_of(c) != 0 && type.dtype == DType::kBool) continue;
      cases.push_back(of_type(c, type, 0b10));
      if (type.dtype == DType::kFloat16) cases.back().tolerance = 2e-3;
    }
  }
  return cases;
}

// Numbers of int32 and double too, and NaN.
void add_reductions(std::vector<OpCase>& cases, const OpCase& base) {
  const MovedType more[] = {{DType::kInt32, "_int32"}, {DType::kFloat64, "_float64"}};
  for (const uint32_t reduction : {1u, 2u, 3u, 4u}) {
    for (const MovedType& type : more) {
      OpCase c = of_type(base, type, 0b10);
      c.name += "_" + std::to_string(reduction);
      c.attributes.back() = reduction;
      cases.push_back(c);
    }
    if (reduction < 3) continue;
    OpCase c = base;
    c.name += "_nan_" + std::to_string(reduction);
    c.attributes.back() = reduction;
    c.inputs[2].specials = {__builtin_nanl(""), 2.0L, -2.0L};
    cases.push_back(c);
  }
}

Number combined(uint32_t reduction, DType type, Number before, Number update) {
  Number result = update;
  if (reduction == 1) result = before + update;
  if (reduction == 2) result = before * update;
  if (reduction > 2) {
    if (std::isnan(before)) return before;
    const bool takes = std::isnan(update) || (reduction == 3 ? update < before : update > before);
    result = takes ? update : before;
  }
  return is_float(type) ? nearest(type, result) : wrapped(type, result);
}

// The place in the whole of the item at `index`.
Dims place_of(const OpCase& c, const Numbers& indices, const Dims& whole, const Index& index) {
  const auto attributes = attributes_of<IndexedAttributes>(c);
  const auto resolve = [](Number given, uint32_t size) {
    return static_cast<uint32_t>(given < 0 ? given + static_cast<Number>(size) : given);
  };
  if (is_by_element(c.op)) {
    Dims place(index.begin(), index.end());
    place[attributes.axis] = resolve(at(indices, index), whole[attributes.axis]);
    return place;
  }
  const size_t outer = indices.dims.size() - 1;
  const auto batch = static_cast<std::ptrdiff_t>(attributes.batch_dims);
  Dims place(index.begin(), index.begin() + batch);
  Dims tuple(index.begin(), index.begin() + static_cast<std::ptrdiff_t>(outer));
  tuple.push_back(0);
  for (uint32_t i = 0; i < indices.dims.back(); ++i) {
    tuple.back() = i;
    place.push_back(resolve(at(indices, tuple), whole[attributes.batch_dims + i]));
  }
  place.insert(place.end(), index.begin() + static_cast<std::ptrdiff_t>(outer), index.end());
  return place;
}

std::vector<Numbers> indexed_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  Numbers y = blank_output(c, 0);
  if (!is_scatter(c.op)) {
    for (uint64_t p = 0; p < y.values.size(); ++p) {
      y.values[p] = at(inputs[0], place_of(c, inputs[1], inputs[0].dims, index_of(y.dims, p)));
    }
    return {y};
  }
  y.values = inputs[0].values;
  const Numbers& updates = inputs[2];
  for (uint64_t p = 0; p < updates.values.size(); ++p) {
    const Dims place = place_of(c, inputs[1], y.dims, index_of(updates.dims, p));
    Number& element = y.values[position_of(y.dims, place)];
    element = combined(reduction_of(c), y.dtype, element, updates.values[p]);
  }
  return {y};
}

}  // namespace

std::vector<OpCase> gather_nd_cases() {
  OpCase layout = gather_nd("channels_last", {4, 9, 3, 5}, {6}, 2);
  layout.inputs[0] = channels_last(std::move(layout.inputs[0]));
  std::vector<OpCase> cases = of_all_types({
      gather_nd("elements", {5, 7}, {6}, 2),
      gather_nd("rows", {5, 7}, {6}, 1),
      gather_nd("matrix_of_slices", {4, 3, 5}, {2, 3}, 1),
      gather_nd("batch", {3, 4, 5}, {3, 2}, 1, 1),
      gather_nd("two_batches", {2, 3, 4, 5}, {2, 3, 2}, 1, 2),
      gather_nd("one", {5, 7}, {}, 2),
      gather_nd("one_slice", {5, 7}, {}, 1),
      gather_nd("rank_8", {2, 3, 2, 2, 1, 2, 2, 2}, {2}, 1),
      layout,
  });
  // A slice that is worth threads.
  cases.push_back(gather_nd("large", {2, 32801}, {2}, 1));
  return cases;
}

std::vector<OpCase> gather_elements_cases() {
  return of_all_types({
      gather_elements("vector", {9}, {4}, 0),
      gather_elements("rows", {4, 5}, {3, 5}, 0),
      gather_elements("columns", {4, 5}, {2, 7}, 1, DType::kInt32),
      gather_elements("middle", {3, 6, 4}, {2, 5, 3}, 1),
      gather_elements("long_rows", {3, 40}, {3, 71}, 1),
      gather_elements("rank_8", {2, 1, 2, 3, 1, 2, 2, 2}, {2, 1, 2, 2, 1, 2, 2, 2}, 3),
      gather_elements("none", {4, 5}, {0, 5}, 0),
  });
}

std::vector<OpCase> scatter_nd_cases() {
  using R = IndexedReduction;
  OpCase layout = scatter_nd("channels_last", {4, 3, 3, 5}, {5}, 2);
  layout.inputs[0] = channels_last(std::move(layout.inputs[0]));
  layout.outputs[0] = channels_last(std::move(layout.outputs[0]));
  std::vector<OpCase> cases = of_all_types({
      scatter_nd("elements", {5, 7}, {6}, 2),
      scatter_nd("rows", {7, 5}, {4}, 1),
      scatter_nd("matrix_of_slices", {7, 3, 5}, {2, 3}, 1),
      scatter_nd("one", {5, 7}, {}, 2),
      layout,
      scatter_nd("add", {5, 7}, {9}, 1, R::kAdd),
      scatter_nd("mul", {4, 3}, {9}, 2, R::kMul),
      scatter_nd("min", {5, 7}, {9}, 1, R::kMin),
      scatter_nd("max", {4, 3, 5}, {9}, 2, R::kMax),
  });
  cases.push_back(scatter_nd("large", {4, 8201}, {2}, 1));
  add_reductions(cases, scatter_nd("slices", {4, 5}, {9}, 1, R::kAdd));
  return cases;
}

std::vector<OpCase> scatter_elements_cases() {
  using R = IndexedReduction;
  std::vector<OpCase> cases = of_all_types({
      scatter_elements("vector", {9}, {4}, 0),
      scatter_elements("rows", {4, 5}, {3, 5}, 0),
      scatter_elements("columns", {4, 5}, {2, 4}, 1),
      scatter_elements("middle", {3, 6, 4}, {2, 5, 3}, 1),
      scatter_elements("long_rows", {3, 90}, {3, 71}, 1),
      scatter_elements("add", {4, 5}, {9, 4}, 0, R::kAdd),
      scatter_elements("mul", {4, 5}, {4, 9}, 1, R::kMul),
      scatter_elements("min", {4, 5}, {4, 9}, 1, R::kMin),
      scatter_elements("max", {4, 5}, {9, 4}, 0, R::kMax),
  });
  cases.push_back(scatter_elements("large", {1, 9, 61, 67}, {1, 2, 3, 4}, 3));
  add_reductions(cases, scatter_elements("same", {4, 5}, {9, 5}, 0, R::kAdd));
  return cases;
}

#define ARENITE_OP_indexed(number, name, Type, set)                                         \
  std::vector<Numbers> name##_oracle(const OpCase& c, const std::vector<Numbers>& inputs) { \
    return indexed_oracle(c, inputs);                                                       \
  }
#include "schema/ops.def"

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
