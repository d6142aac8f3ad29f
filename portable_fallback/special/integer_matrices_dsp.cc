// Matrix product of two activations of 8-bit integers with Arm's DSP extension.
#include "portable_fallback/fast/integer_matrices_dsp_kernel.h"

#include "portable_fallback/fast/integer_once_dsp_kernel.h"
#include "portable_fallback/shared/copied_matrices.h"
#include "portable_fallback/shared/dsp_products.h"

namespace arenite {
namespace {

struct Kernel {
  static constexpr bool kRoundsOnce = false;
  static constexpr auto& compute = add_products_dsp;
};

struct OnceKernel {
  static constexpr bool kRoundsOnce = true;
  static constexpr auto& compute = add_products_once_dsp;
};

template <typename Kernel>
struct Matrices {
  static bool takes(const Step& step) {
    return rounds_once<QuantizedMatMulAttributes>(step) == Kernel::kRoundsOnce &&
           takes_copied_matrices(step);
  }

  static ScratchNeed scratch(const Step& step) {
    const MatMulGeometry geometry(step, false);
    const uint32_t depth = geometry.inner();
    return rows_scratch(dsp_matrix_words(depth, geometry.y.dims[geometry.column()]) +
                        DspProducts<Kernel>::row_words(geometry.y.dims[geometry.row()], depth));
  }

  static void items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
    for_matrices(*static_cast<const MatrixWork*>(argument), first, last, thread,
                 [](const IntegerMatrix& matrix, bool copies, uint32_t* memory, IntegerProducts& p,
                    uint32_t place, uint32_t end) {
                   if (copies) copy_matrix_dsp(matrix, memory);
                   p.w = static_cast<const std::byte*>(static_cast<const void*>(memory));
                   Kernel::compute(p, 0, place, end);
                 });
  }

  static Status run(const Step& step, const Platform& platform) {
    const OutTensor y = step.output(0);
    if (is_empty(y)) return ok_status();
    MatrixWork work = matrix_work(step);
    IntegerProducts& p = work.products;
    DspProducts<Kernel>::set_results(step, step.attributes<QuantizedMatMulAttributes>().output,
                                     p.channels, p);
    work.matrix_words = dsp_matrix_words(p.channels, p.columns);
    work.row_words = DspProducts<Kernel>::row_words(p.out_w, p.channels);
    split(platform, batches_of(y) * work.pieces(), element_count(y) * work_of_result(p.channels),
          items, &work);
    return ok_status();
  }

  static constexpr Form form(uint8_t number) {
    return make_form(Op::kQuantizedMatMul, number,
                     {.parallel = true,
                      .scratch = scratch,
                      .safe_distance = DspProducts<Kernel>::matmul_distance,
                      .accepts = takes,
                      .run = run});
  }
};

}  // namespace

constexpr Form kQuantizedMatMulForm13 = Matrices<Kernel>::form(13);
ARENITE_FORM_CODE(QuantizedMatMul, 13)
constexpr Form kQuantizedMatMulForm14 = Matrices<OnceKernel>::form(14);
ARENITE_FORM_CODE(QuantizedMatMul, 14)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
