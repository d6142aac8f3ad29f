// Transposed convolution of integers over up to three spatial dims: sixteen output channels at a
// time, each output position adding up the taps that reach it.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/quantized.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_block.h"
#include "portable_fallback/shared/integer_product_form.h"
#include "portable_fallback/shared/split.h"
#include "portable_fallback/shared/volume_geometry.h"

namespace arenite {
namespace {

template <typename Sum>
struct QuantizedConvTranspose : TransposedGeometry {
  QuantizedConvTranspose(const Step& step, const QuantizedConvTransposeAttributes& attributes,
                         const IntegerLoops<Sum>& loops)
      : TransposedGeometry(transposed_geometry(step, attributes)),
        sums(step, attributes.x_zero_point, attributes.w_zero_point, attributes.output, loops) {
    x_zero_point = attributes.x_zero_point;
    if (sums.x_zero_points.data != nullptr) {
      x_zero_point = static_cast<int32_t>(IntegerRow(sums.x_zero_points, 0, 0)[0]);
    }
  }

  void read_rows() {
    TransposedGeometry::read_rows();
    sums.read_blocks(w);
  }

  IntegerSums<Sum> sums;
  int32_t x_zero_point;
};

template <typename Sum>
void quantized_conv_transpose_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& conv = *static_cast<const QuantizedConvTranspose<Sum>*>(argument);
  const IntegerSums<Sum>& sums = conv.sums;
  for (uint32_t index = first; index < last; ++index) {
    const VolumeItem at = conv.item(index);
    const IntegerProduct product = {.x_k = conv.x.strides[1],
                                    .x_n = conv.depthwise ? conv.x.strides[1] : size_t{0},
                                    .w_k = conv.w_i,
                                    .w_n = conv.w_o,
                                    .k = conv.w.dims[1],
                                    .count = at.count};
    const IntegerEnds ends = sums.ends_of_channels(at.o);
    Src<std::byte> x = conv.x.template read<std::byte>() + conv.x_offset(at) * sums.x_bytes;
    const IntegerWeights w = sums.weights(conv.w, conv.w_offset(at));
    Dst<std::byte> y = conv.y.template write<std::byte>() + conv.y_offset(at) * sums.y_bytes;
    ReachingTaps taps[3] = {conv.axes[0].taps(at.od), conv.axes[1].taps(at.oh), {}};
    for (uint32_t ow = 0; ow < conv.y.dims[4]; ++ow) {
      taps[2] = conv.axes[2].taps(ow);
      Sum acc[kBlock];
      Sum moved[kBlock] = {};
      sums.start(ends, product.count, acc);
      conv.for_taps(taps, [&](size_t x_at, size_t w_at) {
        sums.add(product, x + x_at * sums.x_bytes, w + w_at, conv.x_zero_point, acc, moved);
      });
      sums.finish(product, ends, acc, moved, y, conv.y.strides[1]);
      y += size_t{conv.y.strides[4]} * sums.y_bytes;
    }
  }
}

template <typename Sum, LoopsOf<Sum> kLoopsOf, bool kInRows = false>
Status run_quantized_conv_transpose(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  QuantizedConvTranspose<Sum> conv(step, step.attributes<QuantizedConvTransposeAttributes>(),
                                   kLoopsOf(step));
  if constexpr (kInRows) conv.read_rows();
  split(platform, conv.items(), transposed_work(conv), quantized_conv_transpose_items<Sum>, &conv);
  return ok_status();
}

}  // namespace

constexpr Form kQuantizedConvTransposeForm1 =
    integer_product_form(Op::kQuantizedConvTranspose, 1, nullptr,
                         run_quantized_conv_transpose<uint32_t, stored_loops<uint32_t>>);
ARENITE_FORM_CODE(QuantizedConvTranspose, 1)
// For x of int16.
constexpr Form kQuantizedConvTransposeForm2 =
    integer_product_form(Op::kQuantizedConvTranspose, 2, nullptr,
                         run_quantized_conv_transpose<uint64_t, stored_loops<uint64_t>>);
ARENITE_FORM_CODE(QuantizedConvTranspose, 2)
// For packed weights.
constexpr Form kQuantizedConvTransposeForm3 =
    of_packed_weights(kQuantizedConvTransposeForm1, 3,
                      run_quantized_conv_transpose<uint32_t, packed_loops<uint32_t>>);
ARENITE_FORM_CODE(QuantizedConvTranspose, 3)
constexpr Form kQuantizedConvTransposeForm4 =
    of_packed_weights(kQuantizedConvTransposeForm2, 4,
                      run_quantized_conv_transpose<uint64_t, packed_loops<uint64_t>>);
ARENITE_FORM_CODE(QuantizedConvTranspose, 4)
// For weights in blocks.
constexpr Form kQuantizedConvTransposeForm5 =
    of_blocked_weights(kQuantizedConvTransposeForm1, 5,
                       run_quantized_conv_transpose<uint32_t, blocked_loops<uint32_t>, true>);
ARENITE_FORM_CODE(QuantizedConvTranspose, 5)
constexpr Form kQuantizedConvTransposeForm6 =
    of_blocked_weights(kQuantizedConvTransposeForm2, 6,
                       run_quantized_conv_transpose<uint64_t, blocked_loops<uint64_t>, true>);
ARENITE_FORM_CODE(QuantizedConvTranspose, 6)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
