// Tensors as plain lists of numbers: what oracles compute with, and their bytes in any type.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "core/types.h"

namespace arenite::ops_test {

// Holds every 64-bit integer and every double exactly.
using Number = long double;
static_assert(__LDBL_MANT_DIG__ >= 64);

// Row-major elements.
struct Numbers {
  DType dtype = DType::kNone;
  std::vector<uint32_t> dims;
  std::vector<Number> values;
};

// A number for each dim. Oracles make one for each product, so that it needs no heap.
class Index {
 public:
  explicit Index(size_t rank) : rank_(rank) {}
  Index(std::initializer_list<uint32_t> numbers) : rank_(numbers.size()) {
    std::copy(numbers.begin(), numbers.end(), numbers_.begin());
  }

  size_t size() const { return rank_; }
  uint32_t& operator[](size_t d) { return numbers_[d]; }
  uint32_t operator[](size_t d) const { return numbers_[d]; }
  const uint32_t* data() const { return numbers_.data(); }
  const uint32_t* begin() const { return data(); }
  const uint32_t* end() const { return data() + rank_; }

 private:
  size_t rank_;
  std::array<uint32_t, kMaxRank> numbers_ = {};
};

uint64_t count_of(std::span<const uint32_t> dims);

// Row-major position of `index`, and the other way round.
uint64_t position_of(std::span<const uint32_t> dims, std::span<const uint32_t> index);
Index index_of(std::span<const uint32_t> dims, uint64_t position);

// Calls visit(position, index) for each element, in row-major order.
template <typename F>
void for_each_index(std::span<const uint32_t> dims, F visit) {
  Index index(dims.size());
  const uint64_t count = count_of(dims);
  for (uint64_t position = 0; position < count; ++position) {
    visit(position, index);
    for (size_t d = dims.size(); d-- > 0;) {
      if (++index[d] < dims[d]) break;
      index[d] = 0;
    }
  }
}

Number decode(DType type, const std::byte* from);
// The value must be one of the type's (floats are rounded to it).
void encode(DType type, Number value, std::byte* to);

bool is_float(DType type);
// The float of `type` nearest to value, ties to even, infinite beyond its range.
Number nearest(DType type, Number value);
// Half a unit of the last place of 1 in a type of 16-bit floats, whose results are computed in 32
// bits and rounded; 0 for others.
double half_unit(DType type);
// Least and greatest of an integer type.
Number lowest_of(DType type);
Number highest_of(DType type);

// Names the first place at which `got` is further from `expected` than tolerance * max(1,
// |expected|); empty if there is none. NaN agrees with NaN, an infinity with itself.
std::string difference(const Numbers& got, const Numbers& expected, double tolerance);
// The same, to the bit (of values: any NaN agrees with any NaN, but 0 not with -0).
std::string bit_difference(const Numbers& got, const Numbers& expected);

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
