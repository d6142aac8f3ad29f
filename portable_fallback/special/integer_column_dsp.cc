// Convolution of int8 to a single output, by windows of one tap, with Arm's DSP extension.
#include "portable_fallback/fast/integer_column_dsp_kernel.h"

#include "portable_fallback/shared/dsp_products.h"

namespace arenite {
namespace {

constexpr Blocks kRows = {.n = 1, .k = 1, .bits = 8};

template <void (&compute)(const IntegerProducts&, uint32_t, uint32_t, uint32_t)>
void column_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  for_pieces(*static_cast<const ProductWork*>(argument), first, last, thread, compute);
}

// The form of a kernel of DspProducts.
template <typename Kernel>
struct ColumnForm {
  static bool takes(const Step& step) {
    QuantizedConvAttributes room;
    const QuantizedConvAttributes& attributes = step.attributes(room);
    if (rounds_once(attributes.output) != Kernel::kRoundsOnce) return false;
    if (step.dtype(0) != DType::kInt8 || !takes_conv_products(step, kRows)) return false;
    const Tensor x = step.input(0), w = step.input(1);
    bool one_tap = w.dims[0] == 1 && x.strides[1] == 1;
    for (uint32_t i = 0; i < 2; ++i) {
      one_tap = one_tap && w.dims[2 + i] == 1 && attributes.stride[i] == 1 &&
                attributes.pad_begin[i] == 0 && step.output(0).dims[2 + i] == x.dims[2 + i];
    }
    return one_tap;
  }

  // All threads read the same words.
  static ScratchNeed scratch(const Step& step) {
    return rows_scratch(0, column_dsp_words(step.input(1).dims[1]));
  }

  static uint64_t distance(const Step& step, uint32_t input) {
    return conv_products_distance(step, input, column_dsp_places_at_once);
  }

  static Status run(const Step& step, const Platform& platform) {
    const OutTensor y = step.output(0);
    if (is_empty(y)) return ok_status();
    const auto attributes = step.attributes<QuantizedConvAttributes>();
    ProductWork work = {line_products(step), step.input(0).strides[0], y.strides[0], 1, 1};
    IntegerProducts& p = work.products;
    DspProducts<Kernel>::set_results(step, attributes.output, p.channels, p);
    widen_column_dsp(p);
    if (!p.one_pixel) work.lines = y.dims[2];
    work.piece = places_of_piece(p, p.channels);
    split(platform, y.dims[0] * work.lines * work.pieces(),
          element_count(y) * work_of_result(p.channels), Kernel::items, &work);
    return ok_status();
  }

  static constexpr Form form(uint8_t number) {
    return make_form(Op::kQuantizedConv, number,
                     {.parallel = true,
                      .packings = {layout_bit(Layout::kBlocked), kRows},
                      .scratch = scratch,
                      .safe_distance = distance,
                      .accepts = takes,
                      .run = run});
  }
};

struct Kernel {
  static constexpr bool kRoundsOnce = false;
  static constexpr auto& items = column_items<add_column_dsp>;
};

struct OnceKernel {
  static constexpr bool kRoundsOnce = true;
  static constexpr auto& items = column_items<add_column_once_dsp>;
};

}  // namespace

constexpr Form kQuantizedConvForm48 = ColumnForm<Kernel>::form(48);
ARENITE_FORM_CODE(QuantizedConv, 48)
constexpr Form kQuantizedConvForm49 = ColumnForm<OnceKernel>::form(49);
ARENITE_FORM_CODE(QuantizedConv, 49)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
