// Matrix product of two activations of 8-bit integers with Arm's MVE.
#include "portable_fallback/fast/integer_matrices_mve_kernel.h"

#include "portable_fallback/fast/integer_bytes_mve_kernel.h"
#include "portable_fallback/shared/copied_matrices.h"
#include "portable_fallback/shared/mve_products.h"

namespace arenite {
namespace {

struct Kernel {
  static constexpr bool kRoundsOnce = false;
  static constexpr auto& compute = add_products_mve;
};

struct OnceKernel {
  static constexpr bool kRoundsOnce = true;
  static constexpr auto& compute = add_byte_products_mve;
};

// A thread's copy, then its biases.
constexpr uint32_t words_of(uint32_t depth, uint32_t columns) {
  return mve_matrix_words(depth, columns) + columns;
}

template <typename Kernel>
struct Matrices {
  static bool takes(const Step& step) {
    const bool plain = !rounds_once<QuantizedMatMulAttributes>(step) &&
                       step.dtype(0) == DType::kInt8 && right_zero_point(step) == 0;
    return plain != Kernel::kRoundsOnce && takes_copied_matrices(step);
  }

  static ScratchNeed scratch(const Step& step) {
    const MatMulGeometry geometry(step, false);
    const uint32_t depth = geometry.inner();
    return rows_scratch(words_of(depth, geometry.y.dims[geometry.column()]) +
                        mve_row_words(geometry.y.dims[geometry.row()], depth));
  }

  static uint64_t distance(const Step& step, uint32_t input) {
    return matmul_products_distance(step, input, mve_places_at_once);
  }

  static void items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
    for_matrices(*static_cast<const MatrixWork*>(argument), first, last, thread,
                 [](const IntegerMatrix& matrix, bool copies, uint32_t* memory, IntegerProducts& p,
                    uint32_t place, uint32_t end) {
                   uint32_t* words = memory + mve_matrix_words(matrix.depth, matrix.columns);
                   auto* biases = static_cast<int32_t*>(static_cast<void*>(words));
                   p.w = static_cast<const std::byte*>(static_cast<const void*>(memory));
                   if (copies) {
                     copy_matrix_mve(matrix, memory);
                     fold_products_mve(p, 0, p.columns, biases);
                   }
                   IntegerProducts with_biases = p;
                   with_biases.results.bias = biases;
                   with_biases.results.bias_step = 1;
                   Kernel::compute(with_biases, 0, place, end, false);
                 });
  }

  static Status run(const Step& step, const Platform& platform) {
    const OutTensor y = step.output(0);
    if (is_empty(y)) return ok_status();
    MatrixWork work = matrix_work(step);
    IntegerProducts& p = work.products;
    const Requantization output = step.attributes<QuantizedMatMulAttributes>().output;
    if constexpr (Kernel::kRoundsOnce) {
      p.results = integer_results(step, output, p.channels);
      find_single_roundings(p.results, p.columns, products_of(p.channels, p.w_zero_point));
    } else {
      p.results = twice_rounded_results(step, output, p.channels);
    }
    p.results.rounds_twice = p.results.rounds_twice && only_divides(p.results, p.columns);
    work.matrix_words = words_of(p.channels, p.columns);
    work.row_words = mve_row_words(p.out_w, p.channels);
    split(platform, batches_of(y) * work.pieces(), element_count(y) * work_of_result(p.channels),
          items, &work);
    return ok_status();
  }

  static constexpr Form form(uint8_t number) {
    return make_form(Op::kQuantizedMatMul, number,
                     {.parallel = true,
                      .scratch = scratch,
                      .safe_distance = distance,
                      .accepts = takes,
                      .run = run});
  }
};

}  // namespace

constexpr Form kQuantizedMatMulForm15 = Matrices<Kernel>::form(15);
ARENITE_FORM_CODE(QuantizedMatMul, 15)
constexpr Form kQuantizedMatMulForm16 = Matrices<OnceKernel>::form(16);
ARENITE_FORM_CODE(QuantizedMatMul, 16)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
