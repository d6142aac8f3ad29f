// Checks that the contracts of convolutions share: filters must fit what they are laid over.
#pragma once

#include <cstdint>

#include "core/step.h"

namespace arenite {

// Inputs 0 and 1, and output 0, of a step.
struct Filtered {
  const Tensor& x;
  const Tensor& w;
  const OutTensor& y;
};

// x [N, C, ...], w [O, C/groups, ...], y [N, O, ...], each of `spatial` dims more; elements of x
// and of w that is in no blocks have bytes of their own.
Status check_filter_dims(const Step& step, const Filtered& operands, uint32_t spatial,
                         uint32_t groups);

// The same, and an optional bias [O] (input 2).
Status check_filters(const Step& step, const Filtered& operands, uint32_t spatial, uint32_t groups);

// Checks w in panels: one group, and all panels are there.
Status check_filter_panels(const Step& step, uint32_t groups);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
