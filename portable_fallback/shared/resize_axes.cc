// Reads the attributes of a resize and the table of its places.
#include "portable_fallback/shared/resize_axes.h"

#include "ops/attributes.h"

namespace arenite {

Resize::Resize(const Step& step) : x(step.input(0)), firsts(step.input(1)), y(step.output(0)) {
  if (step.has_input(2)) weights = step.input(2);
  const auto attributes = step.attributes<ResizeAttributes>();
  outside_bits[0] = attributes.outside_bits[0];
  outside_bits[1] = attributes.outside_bits[1];
  fraction_bits = attributes.fraction_bits;
  uint32_t resized = 0;
  size_t first = 0;
  size_t weight = 0;
  for (uint32_t k = 0; k < kAxes; ++k) {
    if (attributes.taps[k] == 0) continue;
    const uint32_t d = attributes.axis[k];
    axes[k] = {y.dims[d], attributes.taps[k], x.strides[d], y.strides[d], first, weight, true};
    first += y.dims[d];
    weight += size_t{y.dims[d]} * attributes.taps[k];
    places *= y.dims[d];
    resized |= 1u << d;
  }
  for (uint32_t d = 0; d < y.rank(); ++d) {
    if ((resized >> d & 1u) == 0) rest.add(y.dims[d], signed_stride(y, d), signed_stride(x, d));
  }
  rest.sort();
  rest.merge();
}

bool Resize::leads_inside(const Step& step) const {
  const auto attributes = step.attributes<ResizeAttributes>();
  for (uint32_t k = 0; k < kAxes; ++k) {
    const ResizedAxis& axis = axes[k];
    if (!axis.there) continue;
    const int64_t highest = int64_t{x.dims[attributes.axis[k]]} - axis.taps;
    for (uint32_t place = 0; place < axis.places; ++place) {
      const int32_t first = first_of(axis, place);
      if (first < kOutside || first > highest) return false;
    }
  }
  return true;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
