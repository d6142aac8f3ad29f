// Product of integer matrices: sixteen columns at a time.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/quantized.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_block.h"
#include "portable_fallback/shared/integer_product_form.h"
#include "portable_fallback/shared/matmul_geometry.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

template <typename Sum>
struct QuantizedMatMul : MatMulGeometry {
  QuantizedMatMul(const Step& step, const QuantizedMatMulAttributes& attributes,
                  const IntegerLoops<Sum>& loops)
      : MatMulGeometry(step, step.serial()),
        sums(step, attributes.a_zero_point, attributes.b_zero_point, attributes.output, loops) {}

  void read_rows() {
    MatMulGeometry::read_rows();
    sums.read_blocks(b);
  }

  // The row of an operand of y's dims; null where it is left out.
  IntegerRow row_of(const Tensor& tensor, const MatMulItem& at) const {
    if (tensor.data == nullptr) return {};
    return {tensor, offset(tensor, at), tensor.strides[column()]};
  }

  IntegerSums<Sum> sums;
};

template <typename Sum>
void quantized_matmul_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const QuantizedMatMul<Sum>*>(argument);
  const IntegerSums<Sum>& sums = task.sums;
  for (uint32_t index = first; index < last; ++index) {
    const MatMulItem at = task.item(index);
    const IntegerProduct product = {.x_k = task.a.strides[task.column()],
                                    .x_n = 0,
                                    .w_k = task.b_k,
                                    .w_n = task.b_n,
                                    .k = task.inner(),
                                    .count = at.count};
    const IntegerEnds ends = {task.row_of(sums.bias, at), task.row_of(sums.multipliers, at),
                              task.row_of(sums.shifts, at), task.row_of(sums.w_zero_points, at)};
    const IntegerRow zero_points = task.row_of(sums.x_zero_points, at);
    const int32_t zero_point =
        zero_points.data == nullptr ? sums.x_zero_point : static_cast<int32_t>(zero_points[0]);
    Sum acc[kBlock];
    Sum moved[kBlock] = {};
    sums.start(ends, at.count, acc);
    sums.add(product, task.a.template read<std::byte>() + task.a_offset(at) * sums.x_bytes,
             sums.weights(task.b, task.b_offset(at)), zero_point, acc, moved);
    sums.finish(product, ends, acc, moved,
                task.y.template write<std::byte>() + task.offset(task.y, at) * sums.y_bytes,
                task.y.strides[task.column()]);
  }
}

template <typename Sum, LoopsOf<Sum> kLoopsOf, bool kInRows = false>
Status run_quantized_matmul(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  QuantizedMatMul<Sum> task(step, step.attributes<QuantizedMatMulAttributes>(), kLoopsOf(step));
  if constexpr (kInRows) task.read_rows();
  split(platform, task.items, task.work(), quantized_matmul_items<Sum>, &task);
  return ok_status();
}

uint64_t quantized_matmul_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  if (is_empty(step.output(0))) return 0;
  const MatMulGeometry task(step, true);
  return task.safe_distance(task.a, true);
}

}  // namespace

constexpr Form kQuantizedMatMulForm1 =
    integer_product_form(Op::kQuantizedMatMul, 1, quantized_matmul_distance,
                         run_quantized_matmul<uint32_t, stored_loops<uint32_t>>);
ARENITE_FORM_CODE(QuantizedMatMul, 1)
// For a of int16.
constexpr Form kQuantizedMatMulForm2 =
    integer_product_form(Op::kQuantizedMatMul, 2, quantized_matmul_distance,
                         run_quantized_matmul<uint64_t, stored_loops<uint64_t>>);
ARENITE_FORM_CODE(QuantizedMatMul, 2)
// For packed weights.
constexpr Form kQuantizedMatMulForm3 = of_packed_weights(
    kQuantizedMatMulForm1, 3, run_quantized_matmul<uint32_t, packed_loops<uint32_t>>);
ARENITE_FORM_CODE(QuantizedMatMul, 3)
constexpr Form kQuantizedMatMulForm4 = of_packed_weights(
    kQuantizedMatMulForm2, 4, run_quantized_matmul<uint64_t, packed_loops<uint64_t>>);
ARENITE_FORM_CODE(QuantizedMatMul, 4)
// For weights in blocks.
constexpr Form kQuantizedMatMulForm5 = of_blocked_weights(
    kQuantizedMatMulForm1, 5, run_quantized_matmul<uint32_t, blocked_loops<uint32_t>, true>);
ARENITE_FORM_CODE(QuantizedMatMul, 5)
constexpr Form kQuantizedMatMulForm6 = of_blocked_weights(
    kQuantizedMatMulForm2, 6, run_quantized_matmul<uint64_t, blocked_loops<uint64_t>, true>);
ARENITE_FORM_CODE(QuantizedMatMul, 6)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
