// y = x / (bias + alpha / size * sum of squares around the channel)^beta: sixteen channels of a
// place at a time where these are neighbors, else sixteen places; the channels of a window in their
// order.
#include <type_traits>

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/block.h"
#include "portable_fallback/shared/double_math.h"
#include "portable_fallback/shared/loop.h"
#include "portable_fallback/shared/math.h"
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

// Raises the first `count` to `exponent`; all to those that networks have, by square roots in a
// tenth of the time.
template <typename C>
void raise(C (&bases)[kBlock], uint32_t count, float exponent) {
  if constexpr (std::is_same_v<C, float>) {
    if (exponent == 0.75f || exponent == 0.5f) {
      for (C& base : bases) {
        const C half = sqrt_f32(base);
        base = exponent == 0.5f ? half : half * sqrt_f32(half);
      }
      return;
    }
  }
  for (uint32_t j = 0; j < count; ++j) bases[j] = power(bases[j], C{exponent});
}

// The channels of a window: begin to end - 1.
struct Around {
  uint32_t begin, end;
};

Around channels_around(uint32_t c, uint32_t size, uint32_t channels) {
  const uint32_t before = (size - 1) / 2;
  const uint32_t end = c + size / 2 + 1;
  return {c < before ? 0 : c - before, end < channels ? end : channels};
}

// y[j] = x[j] / (bias + factor * sums[j])^beta for `count` elements; overwrites the sums of
// squares.
template <typename T>
void write(const LrnAttributes& by, Computed<T> (&sums)[kBlock], Dst<T> y, ptrdiff_t y_step,
           Src<T> x, ptrdiff_t x_step, uint32_t count) {
  using C = Computed<T>;
  const C factor = C{by.alpha} / static_cast<C>(by.size);
  for (C& sum : sums) sum = C{by.bias} + factor * sum;
  raise(sums, count, by.beta);
  for (uint32_t j = 0; j < count; ++j, y += y_step, x += x_step) *y = T(C{*x} / sums[j]);
}

// Normalizes `count` neighboring places, channel by channel.
template <typename T>
void normalize_places(const Lrn& task, Dst<T> y, Src<T> x, uint32_t count) {
  using C = Computed<T>;
  const ptrdiff_t ys = task.places.inner_stride(0);
  const ptrdiff_t xs = task.places.inner_stride(1);
  const ptrdiff_t y_c = signed_stride(task.y, 1);
  const ptrdiff_t x_c = signed_stride(task.x, 1);
  const uint32_t channels = task.y.dims[1];
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
    const auto at = static_cast<ptrdiff_t>(c);
    write<T>(task.attributes, sums, y + at * y_c, ys, x + at * x_c, xs, count);
  }
}

// Normalizes one place. Its channels are neighbors in x and in y.
void normalize_channels(const Lrn& task, Dst<float> y, Src<float> x) {
  const uint32_t size = task.attributes.size;
  const uint32_t before = (size - 1) / 2;
  const uint32_t channels = task.y.dims[1];
  for (uint32_t c = 0; c < channels; c += kBlock) {
    const uint32_t count = channels - c < kBlock ? channels - c : kBlock;
    float sums[kBlock] = {};
    // The window's first channel of each of them, then its second, and so on, of those inside.
    const uint64_t inside = uint64_t{before} + (channels - c);
    const uint32_t windows_end = size < inside ? size : static_cast<uint32_t>(inside);
    const uint32_t last_of_all = c + count - 1;
    for (uint32_t k = before > last_of_all ? before - last_of_all : 0; k < windows_end; ++k) {
      const uint32_t outside = c + k < before ? before - c - k : 0;
      const uint32_t begin = c + k < before ? 0 : c + k - before;
      const uint32_t left = channels - begin;
      const uint32_t last = left < count - outside ? outside + left : count;
      Src<float> from = x + begin;
      if (outside == 0 && last == kBlock) {
        for (uint32_t j = 0; j < kBlock; ++j) {
          const float value = from[j];
          sums[j] += value * value;
        }
        continue;
      }
      for (uint32_t j = outside; j < last; ++j, ++from) {
        const float value = *from;
        sums[j] += value * value;
      }
    }
    write<float>(task.attributes, sums, y + c, 1, x + c, 1, count);
  }
}

// Items: sixteen neighboring places each.
template <TypeSet kTypes>
void lrn_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Lrn*>(argument);
  for_number<kTypes>(task.y.dtype(), [&]<typename T>() {
    constexpr bool kIsFloat = std::is_same_v<T, float>;
    const bool are_neighbors = kIsFloat && task.y.strides[1] == 1 && task.x.strides[1] == 1;
    RowCursor at(task.places, kBlock, first);
    for (uint32_t item = first; item < last; ++item, at.next()) {
      Dst<T> y = task.y.write<T>() + at.offset(0);
      Src<T> x = task.x.read<T>() + at.offset(1);
      if (!are_neighbors) {
        normalize_places<T>(task, y, x, at.count());
        continue;
      }
      if constexpr (kIsFloat) {
        for (uint32_t left = at.count(); left != 0; --left) {
          normalize_channels(task, y, x);
          y += task.places.inner_stride(0);
          x += task.places.inner_stride(1);
        }
      }
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
