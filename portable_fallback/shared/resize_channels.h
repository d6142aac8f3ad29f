// Serves the forms that resize images of floats and bytes along one or two axes by vectors of
// neighboring channels. All have the same facts, so that a program runs with the best that its
// machine has.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "portable_fallback/fast/resize_channels.h"

namespace arenite {

using ResizeChannelsKernel = void (*)(const ResizeChannels& line);

bool takes_resize_channels(const Step& step);
ScratchNeed resize_channels_scratch(const Step& step);
uint64_t resize_channels_distance(const Step& step, uint32_t input);
Status run_resize_channels(const Step& step, const Platform& platform, ResizeChannelsKernel kernel);

template <ResizeChannelsKernel kKernel>
Status run_resize_channels(const Step& step, const Platform& platform) {
  return run_resize_channels(step, platform, kKernel);
}

// The facts by the number of the plainest kin, without what runs.
constexpr Form resize_channels_facts(uint8_t plainest) {
  return {.parallel = true,
          .kin = plainest,
          .scratch = resize_channels_scratch,
          .safe_distance = resize_channels_distance,
          .accepts = takes_resize_channels};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
