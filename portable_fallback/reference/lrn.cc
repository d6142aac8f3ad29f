// y = x / (bias + alpha / size * sum of squares around the channel)^beta: sixteen places at a time,
// the channels of a window in their order.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/block.h"
#include "portable_fallback/shared/double_math.h"
#include "portable_fallback/shared/loop.h"
#include "portable_fallback/shared/power.h"
#include "portable_fallback/shared/split.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

struct Lrn {
  explicit Lrn(const Step& step);

  Tensor x;
  OutTensor y;
  LrnAttributes attributes;
  NestedLoop places;  // operands y, x: all axes but the channels'
};

Lrn::Lrn(const Step& step)
    : x(step.input(0)), y(step.output(0)), attributes(step.attributes<LrnAttributes>()) {
  for (uint32_t d = 0; d < y.rank(); ++d) {
    if (d != 1) places.add(y.dims[d], signed_stride(y, d), signed_stride(x, d));
  }
  places.sort();
  places.merge();
}

float power(float x, float y) { return pow_f32(x, y); }
double power(double x, double y) { return pow_f64(x, y); }

// The channels of a window: begin to end - 1.
struct Around {
  uint32_t begin, end;
};

Around channels_around(uint32_t c, uint32_t size, uint32_t channels) {
  const uint32_t before = (size - 1) / 2;
  const uint32_t end = c + size / 2 + 1;
  return {c < before ? 0 : c - before, end < channels ? end : channels};
}

template <typename T>
void normalize(const Lrn& task, Dst<T> y, Src<T> x, uint32_t count) {
  using C = Computed<T>;
  const ptrdiff_t ys = task.places.inner_stride(0);
  const ptrdiff_t xs = task.places.inner_stride(1);
  const ptrdiff_t y_c = signed_stride(task.y, 1);
  const ptrdiff_t x_c = signed_stride(task.x, 1);
  const uint32_t channels = task.y.dims[1];
  const C factor = C{task.attributes.alpha} / static_cast<C>(task.attributes.size);
  for (uint32_t c = 0; c < channels; ++c) {
    const Around window = channels_around(c, task.attributes.size, channels);
    C sums[kBlock] = {};
    for (uint32_t k = window.begin; k < window.end; ++k) {
      Src<T> from = x + static_cast<ptrdiff_t>(k) * x_c;
      for (uint32_t j = 0; j < count; ++j, from += xs) {
        const C value = C{*from};
        sums[j] += value * value;
      }
    }
    Dst<T> to = y + static_cast<ptrdiff_t>(c) * y_c;
    Src<T> from = x + static_cast<ptrdiff_t>(c) * x_c;
    for (uint32_t j = 0; j < count; ++j, to += ys, from += xs) {
      const C base = C{task.attributes.bias} + factor * sums[j];
      *to = T(C{*from} / power(base, C{task.attributes.beta}));
    }
  }
}

// Items: sixteen neighboring places each.
template <TypeSet kTypes>
void lrn_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Lrn*>(argument);
  for_number<kTypes>(task.y.dtype(), [&]<typename T>() {
    RowCursor at(task.places, kBlock, first);
    for (uint32_t item = first; item < last; ++item, at.next()) {
      normalize<T>(task, task.y.write<T>() + at.offset(0), task.x.read<T>() + at.offset(1),
                   at.count());
    }
  });
}

template <TypeSet kTypes>
Status run_lrn(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  Lrn task(step);
  const uint32_t items = RowCursor::rows(task.places, kBlock);
  split(platform, items, element_count(task.y) * 16, lrn_items<kTypes>, &task);
  return ok_status();
}

template <TypeSet kTypes>
constexpr Form lrn_form(uint8_t number) {
  return make_form(Op::kLrn, number, {.parallel = true, .run = run_lrn<kTypes>});
}

}  // namespace

constexpr Form kLrnForm0 = lrn_form<form_types(Op::kLrn, 0)>(0);
ARENITE_FORM_CODE(Lrn, 0)
constexpr Form kLrnForm2 = lrn_form<form_types(Op::kLrn, 2)>(2);
ARENITE_FORM_CODE(Lrn, 2)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
