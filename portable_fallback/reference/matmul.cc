// Matrix product: sixteen columns at a time, each sum in the order of k.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/packings.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/activation.h"
#include "portable_fallback/shared/block.h"
#include "portable_fallback/shared/blocked_rows.h"
#include "portable_fallback/shared/matmul_geometry.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

struct MatMul : MatMulGeometry {
  MatMul(const Step& step, bool serial)
      : MatMulGeometry(step, serial), attributes(step.attributes<MatMulAttributes>()) {
    if (step.has_input(2)) c = step.input(2);
    if (step.has_input(kResidualInput)) r = step.input(kResidualInput);
  }

  Tensor c, r;
  MatMulAttributes attributes;
};

template <typename W>
void matmul_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const MatMul*>(argument);
  const uint32_t column = task.column();
  const bool panels = task.b.layout() == Layout::kPanel16;
  for (uint32_t item = first; item < last; ++item) {
    const MatMulItem at = task.item(item);
    BlockProduct product;
    product.count = at.count;
    product.full = panels || (task.b_n == 1 && at.count == kBlock);
    product.x_k = task.a.strides[column];
    product.w_k = task.b_k;
    product.w_n = task.b_n;
    product.k = task.inner();
    Src<float> a = task.a.read<float>() + task.a_offset(at);
    Weights<W> b = WeightsOf<W>::from(task.b, task.b_offset(at));
    float acc[kBlock] = {};
    add_products(product, a, b, acc);
    for (float& sum : acc) sum *= task.attributes.alpha;
    if (task.c.data != nullptr) {
      Src<float> c = task.c.read<float>() + task.offset(task.c, at);
      for (uint32_t j = 0; j < product.count; ++j) {
        acc[j] += task.attributes.beta * c[j * size_t{task.c.strides[column]}];
      }
    }
    if (task.r.data != nullptr) {
      Src<float> r = task.r.read<float>() + task.offset(task.r, at);
      for (uint32_t j = 0; j < product.count; ++j) acc[j] += r[j * size_t{task.r.strides[column]}];
    }
    activate(task.attributes.activation, acc, acc, product.count);
    Dst<float> y = task.y.write<float>() + task.offset(task.y, at);
    for (uint32_t j = 0; j < product.count; ++j) y[j * size_t{task.y.strides[column]}] = acc[j];
  }
}

template <typename W>
Status run_matmul_of(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  MatMul task(step, step.serial());
  if constexpr (WeightsOf<W>::kInRows) task.read_rows();
  split(platform, task.items, task.work(), matmul_items<W>, &task);
  return ok_status();
}

Status run_matmul(const Step& step, const Platform& platform) {
  return run_matmul_of<float>(step, platform);
}

Status run_matmul_of_halves(const Step& step, const Platform& platform) {
  return for_half_weights(step.input(1).dtype(),
                          [&]<typename W>() { return run_matmul_of<W>(step, platform); });
}

Status run_matmul_in_blocks(const Step& step, const Platform& platform) {
  return run_matmul_of<InBlocks>(step, platform);
}

uint64_t matmul_distance(const Step& step, uint32_t input) {
  if (input == 1) return kNoOverlap;
  if (is_empty(step.output(0))) return 0;
  const MatMul task(step, true);
  if (input == 0) return task.safe_distance(task.a, true);
  return task.safe_distance(input == kResidualInput ? task.r : task.c, false);
}

}  // namespace

constexpr Form kMatMulForm0 = make_form(Op::kMatMul, 0,
                                        {
                                            .parallel = true,
                                            .in_place = in_place_of(kResidualInput),
                                            .packings = kPanelPackings,
                                            .safe_distance = matmul_distance,
                                            .accepts = reads_float32_weights,
                                            .run = run_matmul,
                                        });
ARENITE_FORM_CODE(MatMul, 0)
// A right side of 16 bits.
constexpr Form kMatMulForm2 = make_form(Op::kMatMul, 2,
                                        {
                                            .parallel = true,
                                            .in_place = in_place_of(kResidualInput),
                                            .packings = kPanelPackings,
                                            .safe_distance = matmul_distance,
                                            .accepts = reads_half_weights,
                                            .run = run_matmul_of_halves,
                                        });
ARENITE_FORM_CODE(MatMul, 2)
// Weights in blocks of any size.
constexpr Form kMatMulForm5 = make_form(Op::kMatMul, 5,
                                        {
                                            .parallel = true,
                                            .in_place = in_place_of(kResidualInput),
                                            .packings = kAnyBlocks,
                                            .safe_distance = matmul_distance,
                                            .accepts = takes_any_blocks,
                                            .run = run_matmul_in_blocks,
                                        });
ARENITE_FORM_CODE(MatMul, 5)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
