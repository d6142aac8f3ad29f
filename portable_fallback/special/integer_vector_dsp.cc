// Matrix product of a single row of 8-bit integers with Arm's DSP extension, which fully connected
// layers are: its own form, so that models without other products link no more.
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

struct VectorWork {
  VectorSource source;
  uint32_t* pairs;
  VectorProducts products;
  int32_t w_zero_point;
  IntegerResults results;
};

void vector_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  if (first == last) return;
  auto& work = *static_cast<VectorWork*>(argument);
  copy_vector_dsp(work.source, work.pairs);
  if (work.w_zero_point != 0) {
    const auto sum = static_cast<uint32_t>(sum_vector_dsp(work.pairs, work.products.depth));
    work.products.added = static_cast<int32_t>(static_cast<uint32_t>(-work.w_zero_point) * sum);
  }
  multiply_vector_dsp(work.products, work.results);
}

bool takes_vector(const Step& step) {
  const OutTensor y = step.output(0);
  for (uint32_t d = 0; d + 1 < y.rank(); ++d) {
    if (y.dims[d] != 1) return false;
  }
  return takes_matmul_products(step, kColumnPairs);
}

uint32_t depth_of_vector(const Tensor& x) { return x.dims[x.rank() - 1]; }

ScratchNeed vector_scratch(const Step& step) {
  return rows_scratch(blocks_over(depth_of_vector(step.input(0)), 2));
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
  const uint32_t sum_products = products_of(depth, attributes.b_zero_point);
  const bool is_unsigned = x.dtype() == DType::kUint8;
  uint32_t* const pairs = rows_of(step);
  VectorWork work = {
      {x.read<std::byte>(), x.strides[last], depth, is_unsigned ? 0x80808080 : 0,
       (is_unsigned ? 128 : 0) - attributes.a_zero_point},
      pairs,
      {pairs, step.input(1).data, depth, y.dims[last], 0, y.write<int8_t>(), y.strides[last]},
      attributes.b_zero_point,
      integer_results(step, attributes.output, sum_products)};
  find_small_outputs(work.results, y.dims[last], sum_products);
  split(platform, 1, y.dims[last] * work_of_result(depth), vector_items, &work);
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
