// Transposed convolution over up to three spatial dims: the taps that reach an output, of those
// that stride and dilation let through.
#include "ops/attributes.h"
#include "ops/contracts.h"
#include "portable_fallback/shared/conv_volume.h"

namespace arenite {
namespace {

template <typename W>
Status run_conv_transpose_of(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  const auto a = step.attributes<ConvTransposeAttributes>();
  VolumeConv<TransposedWindow> conv(step, transposed_geometry(step, a), a.activation);
  run_volume_conv<W>(conv, transposed_work(conv), platform);
  return ok_status();
}

Status run_conv_transpose(const Step& step, const Platform& platform) {
  return run_conv_transpose_of<float>(step, platform);
}

Status run_conv_transpose_of_halves(const Step& step, const Platform& platform) {
  return for_half_weights(step.input(1).dtype(),
                          [&]<typename W>() { return run_conv_transpose_of<W>(step, platform); });
}

Status run_conv_transpose_in_blocks(const Step& step, const Platform& platform) {
  return run_conv_transpose_of<InBlocks>(step, platform);
}

}  // namespace

constexpr Form kConvTransposeForm0 = make_form(Op::kConvTranspose, 0,
                                               {
                                                   .parallel = true,
                                                   .packings = kPanelPackings,
                                                   .accepts = reads_float32_weights,
                                                   .run = run_conv_transpose,
                                               });
ARENITE_FORM_CODE(ConvTranspose, 0)
// Weights of 16 bits.
constexpr Form kConvTransposeForm2 = make_form(Op::kConvTranspose, 2,
                                               {
                                                   .parallel = true,
                                                   .packings = kPanelPackings,
                                                   .accepts = reads_half_weights,
                                                   .run = run_conv_transpose_of_halves,
                                               });
ARENITE_FORM_CODE(ConvTranspose, 2)
// Weights in blocks of any size.
constexpr Form kConvTransposeForm5 = make_form(Op::kConvTranspose, 5,
                                               {
                                                   .parallel = true,
                                                   .packings = kAnyBlocks,
                                                   .accepts = takes_any_blocks,
                                                   .run = run_conv_transpose_in_blocks,
                                               });
ARENITE_FORM_CODE(ConvTranspose, 5)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
