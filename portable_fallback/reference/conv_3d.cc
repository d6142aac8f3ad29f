// Convolution over three spatial dims.
#include "ops/attributes.h"
#include "ops/contracts.h"
#include "portable_fallback/shared/conv_volume.h"
#include "portable_fallback/shared/safe_distance.h"

namespace arenite {
namespace {

// One axis: neighboring taps take inputs a dilation apart, counted down as ReachingTaps are.
struct ForwardAxis : Window {
  explicit ForwardAxis(const Window& window) : Window(window), input_step(0u - window.dilation) {}

  static constexpr uint32_t tap_step = 1;
  uint32_t input_step;

  ReachingTaps taps(uint32_t output) const {
    const Taps inside = Window::taps(output);
    return {inside.begin, inside.end - inside.begin,
            static_cast<uint32_t>(start(output)) + inside.begin * dilation};
  }
};

using Conv3d = VolumeConv<ForwardAxis>;

Conv3d conv_of(const Step& step) {
  const auto a = step.attributes<Conv3dAttributes>();
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const VolumeGeometry<ForwardAxis> geometry = {
      step,
      a.groups,
      {ForwardAxis(conv_window(a, x, w, 0)), ForwardAxis(conv_window(a, x, w, 1)),
       ForwardAxis(conv_window(a, x, w, 2))}};
  return {step, geometry, a.activation};
}

template <typename W>
Status run_conv_3d_of(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  Conv3d conv = conv_of(step);
  const uint64_t taps = uint64_t{conv.w.dims[1]} * conv.w.dims[2] * conv.w.dims[3] * conv.w.dims[4];
  run_volume_conv<W>(conv, element_count(conv.y) * taps, platform);
  return ok_status();
}

Status run_conv_3d(const Step& step, const Platform& platform) {
  return run_conv_3d_of<float>(step, platform);
}

Status run_conv_3d_of_halves(const Step& step, const Platform& platform) {
  return for_half_weights(step.input(1).dtype(),
                          [&]<typename W>() { return run_conv_3d_of<W>(step, platform); });
}

Status run_conv_3d_in_blocks(const Step& step, const Platform& platform) {
  return run_conv_3d_of<InBlocks>(step, platform);
}

// Each output position reads its window, then writes its channels.
uint64_t conv_3d_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  if (is_empty(step.output(0))) return 0;
  const Conv3d conv = conv_of(step);
  constexpr int64_t kBytes = sizeof(float);
  const auto x = [&](uint32_t d) { return conv.x.strides[d] * kBytes; };
  const auto y = [&](uint32_t d) { return conv.y.strides[d] * kBytes; };
  DistanceNest nest(kBytes);
  for (uint32_t axis = 3; axis-- > 0;) {
    const uint32_t d = 2 + axis;
    nest.add(DistanceLoop::window(conv.axes[axis], conv.y.dims[d], y(d), x(d)));
  }
  nest.add(DistanceLoop::blocks(conv.group_outputs, kBlock, y(1), conv.depthwise ? x(1) : 0));
  nest.add(DistanceLoop::even(conv.loop_groups, conv.group_outputs * y(1), conv.w.dims[1] * x(1)));
  nest.add(DistanceLoop::even(conv.y.dims[0], y(0), x(0)));
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

}  // namespace

constexpr Form kConv3dForm0 = make_form(Op::kConv3d, 0,
                                        {
                                            .parallel = true,
                                            .packings = kPanelPackings,
                                            .safe_distance = conv_3d_distance,
                                            .accepts = reads_float32_weights,
                                            .run = run_conv_3d,
                                        });
ARENITE_FORM_CODE(Conv3d, 0)
// Weights of 16 bits.
constexpr Form kConv3dForm2 = make_form(Op::kConv3d, 2,
                                        {
                                            .parallel = true,
                                            .packings = kPanelPackings,
                                            .safe_distance = conv_3d_distance,
                                            .accepts = reads_half_weights,
                                            .run = run_conv_3d_of_halves,
                                        });
ARENITE_FORM_CODE(Conv3d, 2)
// Weights in blocks of any size.
constexpr Form kConv3dForm5 = make_form(Op::kConv3d, 5,
                                        {
                                            .parallel = true,
                                            .packings = kAnyBlocks,
                                            .safe_distance = conv_3d_distance,
                                            .accepts = takes_any_blocks,
                                            .run = run_conv_3d_in_blocks,
                                        });
ARENITE_FORM_CODE(Conv3d, 5)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
