// Matrix product of a single row of 8-bit integers with Arm's DSP extension, which fully connected
// layers are: its own form, so that models without other products link no more. Results are rounded
// as TensorFlow Lite rounds those of int8.
#include "portable_fallback/fast/integer_vector_dsp_kernel.h"

#include "ops/attributes.h"
#include "ops/packings.h"
#include "ops/quantized.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

constexpr Blocks kColumnPairs = {.n = 2, .k = 1, .bits = 8};

// Numbers of a part of a long vector, where parts take less memory: the sum of each column is then
// kept.
uint32_t part_of(uint32_t depth) {
  constexpr uint32_t kLeast = 64, kParts = 8;
  return depth / kParts < kLeast ? kLeast : depth / kParts / 4 * 4;
}

struct VectorWork {
  VectorSource source;
  uint32_t* pairs;
  int32_t* sums;  // null where the vector is one part
  VectorProducts products;
  int32_t w_zero_point;
  IntegerResults results;
};

uint32_t depth_of_vector(const Tensor& x) { return x.dims[x.rank() - 1]; }

bool in_parts(uint32_t depth, uint32_t columns) {
  const uint32_t part = part_of(depth);
  return depth > part && blocks_over(depth - part, 2) > columns;
}

// Makes pairs of a part; returns the sum of its numbers, where that is asked for.
uint32_t widen(VectorWork& work) {
  const uint32_t count = work.products.count;
  work.source.count = count;
  copy_vector_dsp(work.source, work.pairs);
  return work.w_zero_point != 0 ? static_cast<uint32_t>(sum_vector_dsp(work.pairs, count)) : 0;
}

// Adds all parts but the last, whose biases are then the sums.
void add_parts(VectorWork& work, uint32_t& sum_of_numbers) {
  VectorProducts& p = work.products;
  IntegerResults& results = work.results;
  for (uint32_t i = 0; i < p.columns; ++i) work.sums[i] = results.bias[i * results.bias_step];
  results.bias = work.sums;
  results.bias_step = 1;
  const uint32_t part = p.count = part_of(p.depth);
  uint32_t left = p.depth;
  for (; left > part; left -= part) {
    sum_of_numbers += widen(work);
    add_vector_dsp(p, work.sums);
    work.source.x += part * work.source.step;
    p.w += size_t{2} * part;
  }
  p.count = left;
}

void vector_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  if (first == last) return;
  auto& work = *static_cast<VectorWork*>(argument);
  uint32_t sum_of_numbers = 0;
  if (work.sums != nullptr) add_parts(work, sum_of_numbers);
  sum_of_numbers += widen(work);
  work.products.added =
      static_cast<int32_t>(static_cast<uint32_t>(-work.w_zero_point) * sum_of_numbers);
  multiply_vector_dsp(work.products, work.results);
}

bool takes_vector(const Step& step) {
  const uint32_t* y = step.dims(step.input_count());
  for (uint32_t left = step.elements(step.input_count()).rank; left > 1; --left) {
    if (*y++ != 1) return false;
  }
  return !rounds_once<QuantizedMatMulAttributes>(step) && takes_matmul_products(step, kColumnPairs);
}

ScratchNeed vector_scratch(const Step& step) {
  const OutTensor y = step.output(0);
  const uint32_t depth = depth_of_vector(step.input(0));
  const uint32_t columns = y.dims[y.rank() - 1];
  return rows_scratch(in_parts(depth, columns) ? part_of(depth) / 2 + columns
                                               : blocks_over(depth, 2));
}

// All of the vector is read, then y is written.
uint64_t vector_distance(const Step&, uint32_t input) { return input == 0 ? 0 : kNoOverlap; }

Status run_vector(const Step& step, const Platform& platform) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  const uint32_t last = y.rank() - 1;
  const uint32_t depth = depth_of_vector(x);
  QuantizedMatMulAttributes room;
  const QuantizedMatMulAttributes& attributes = step.attributes(room);
  const uint32_t columns = y.dims[last];
  const uint32_t sum_products = products_of(depth, attributes.b_zero_point);
  const bool is_unsigned = x.dtype() == DType::kUint8;
  uint32_t* const rows = rows_of(step);
  auto* const sums = static_cast<int32_t*>(static_cast<void*>(rows + part_of(depth) / 2));
  VectorWork work = {
      {x.read<std::byte>(), x.strides[last], 0, is_unsigned ? 0x80808080 : 0,
       (is_unsigned ? 128 : 0) - attributes.a_zero_point},
      rows,
      in_parts(depth, columns) ? sums : nullptr,
      {rows, step.input(1).data, depth, depth, columns, 0, y.write<int8_t>(), y.strides[last]},
      attributes.b_zero_point,
      twice_rounded_results(step, attributes.output, sum_products)};
  find_small_outputs(work.results, columns, sum_products);
  split(platform, 1, columns * work_of_result(depth), vector_items, &work);
  return ok_status();
}

}  // namespace

constexpr Form kQuantizedMatMulForm12 =
    make_form(Op::kQuantizedMatMul, 12,
              {
                  .packings = {layout_bit(Layout::kBlocked), kColumnPairs},
                  .scratch = vector_scratch,
                  .safe_distance = vector_distance,
                  .accepts = takes_vector,
                  .run = run_vector,
              });
ARENITE_FORM_CODE(QuantizedMatMul, 12)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
