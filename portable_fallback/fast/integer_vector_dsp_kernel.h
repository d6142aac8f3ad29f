// Multiplies a vector of 8-bit integers by a matrix with Arm's DSP extension: the products of one
// place, all columns of them.
#pragma once

#include "core/access.h"
#include "portable_fallback/fast/integer_results.h"

namespace arenite {

// Numbers of 8 bits that become pairs of 16.
struct VectorSource {
  Src<std::byte> x;
  size_t step;  // elements
  uint32_t count;
  uint32_t flip;  // of uint8 the bits that make them int8: 0x80808080
  int32_t added;  // to each int8
};
// Writes the pairs, a word for two numbers; a last number without a partner gets 0.
void copy_vector_dsp(const VectorSource& source, uint32_t* pairs);

// A part of a vector: `count` of its `depth` numbers, which may be all of them.
struct VectorProducts {
  const uint32_t* pairs;  // of count numbers
  const std::byte* w;     // blocks of two columns, [columns / 2][depth][2], from the part on
  uint32_t depth, count, columns;
  int32_t added;  // to each sum
  Dst<int8_t> y;
  size_t y_step;  // elements
};
// The sum of the numbers.
int32_t sum_vector_dsp(const uint32_t* pairs, uint32_t count);
// Adds the products of the part to a sum for each column.
void add_vector_dsp(const VectorProducts& products, int32_t* sums);
// Adds them to the biases of `results`, and makes results of the sums.
void multiply_vector_dsp(const VectorProducts& products, const IntegerResults& results);

// The only result of an output that is constant.
int32_t result_of_bias_dsp(const IntegerResults& results, uint32_t output);

// Results of any kind of sums[count][places], one copy for all kernels: y_c and y_w elements lie
// between outputs and between places.
void finish_any_dsp(const IntegerResults& results, uint32_t output, uint32_t count,
                    const int32_t* sums, uint32_t places, Dst<int8_t> y, size_t y_c, size_t y_w);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
