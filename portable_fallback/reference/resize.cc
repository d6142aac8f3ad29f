// Sums of neighbors along up to three axes, as tables say: at each place of the resized axes the
// same taps for all else, sixteen elements at a time.
#include <limits>
#include <type_traits>

#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/block.h"
#include "portable_fallback/shared/resize_axes.h"
#include "portable_fallback/shared/row_start.h"
#include "portable_fallback/shared/split.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

// One place of the resized axes: each axis's weights, the stride between them, and the first
// element of x.
struct Taps {
  size_t x = 0, y = 0;                 // elements from the tensors' starts
  size_t weights[Resize::kAxes] = {};  // of the first tap
  bool outside = false;
};

Taps taps_of(const Resize& task, uint32_t place) {
  Taps taps;
  for (uint32_t k = Resize::kAxes; k-- > 0;) {
    const ResizedAxis& axis = task.axes[k];
    const uint32_t at = place % axis.places;
    place /= axis.places;
    if (!axis.there) continue;
    const int32_t first = task.first_of(axis, at);
    taps.y += at * axis.y_stride;
    taps.weights[k] = axis.weights + size_t{at} * axis.taps;
    if (first == Resize::kOutside) {
      taps.outside = true;
      continue;
    }
    taps.x += static_cast<uint32_t>(first) * axis.x_stride;
  }
  return taps;
}

// Calls row(y offset, x offset, count) for up to 16 elements of all else at a time.
template <typename F>
void for_rows(const Resize& task, const Taps& taps, F row) {
  const NestedLoop& rest = task.rest;
  const uint32_t rows = rows_of(rest), inner = rest.inner_dim();
  for (uint32_t i = 0; i < rows; ++i) {
    const RowStart start(rest, i);
    size_t y = taps.y + static_cast<size_t>(start.y), x = taps.x + static_cast<size_t>(start.x);
    for (uint32_t left = inner; left != 0;) {
      const uint32_t count = left < kBlock ? left : kBlock;
      row(y, x, count);
      y += count * static_cast<size_t>(rest.inner_stride(0));
      x += count * static_cast<size_t>(rest.inner_stride(1));
      left -= count;
    }
  }
}

// T: elements as bits.
template <typename T>
void move_place(const Resize& task, const Taps& taps) {
  const ptrdiff_t ys = task.rest.inner_stride(0);
  const ptrdiff_t xs = task.rest.inner_stride(1);
  const auto outside = static_cast<T>(task.outside_bits[0] | uint64_t{task.outside_bits[1]} << 32);
  for_rows(task, taps, [&](size_t y_at, size_t x_at, uint32_t count) {
    Dst<T> y = task.y.write<T>() + y_at;
    Src<T> x = task.x.read<T>() + x_at;
    for (uint32_t j = 0; j < count; ++j, y += ys, x += xs) *y = taps.outside ? outside : T{*x};
  });
}

// The types of sums and weights of elements of type T, and the result of a sum.
template <typename T>
struct Weighing {
  using Sum = Computed<T>;
  using Weight = Sum;
  static Sum widened(Weight weight) { return weight; }
  static T finished(Sum sum, uint32_t) { return T(sum); }
};

// Sums of integers wrap.
template <typename T>
requires std::is_integral_v<T>
struct Weighing<T> {
  using Sum = std::conditional_t<sizeof(T) == 1, uint32_t, uint64_t>;
  using Signed = std::make_signed_t<Sum>;
  using Weight = int16_t;
  static Sum widened(Signed number) { return static_cast<Sum>(number); }
  static T finished(Sum sum, uint32_t fraction_bits) {
    const bool negative = static_cast<Signed>(sum) < 0;
    const Sum magnitude = negative ? Sum{0} - sum : sum;
    const Sum half = fraction_bits == 0 ? 0 : Sum{1} << (fraction_bits - 1);
    const Sum whole = (magnitude + half) >> fraction_bits;
    using Limits = std::numeric_limits<T>;
    constexpr auto kMost = static_cast<Sum>(Limits::max());
    constexpr auto kLeast = Sum{0} - static_cast<Sum>(Signed{Limits::lowest()});
    if (negative) return whole >= kLeast ? Limits::lowest() : static_cast<T>(Sum{0} - whole);
    return whole >= kMost ? Limits::max() : static_cast<T>(whole);
  }
};

// T: elements as numbers.
template <typename T>
void weigh_place(const Resize& task, const Taps& taps) {
  using By = Weighing<T>;
  using Sum = typename By::Sum;
  const ptrdiff_t ys = task.rest.inner_stride(0);
  const ptrdiff_t xs = task.rest.inner_stride(1);
  const Src<typename By::Weight> weights = task.weights.template read<typename By::Weight>();
  const size_t w_s = task.weights.strides[0];
  const auto weight = [&](uint32_t k, uint32_t t) -> Sum {
    if (!task.axes[k].there) return Sum{1};
    return By::widened(typename By::Weight{weights[(taps.weights[k] + t) * w_s]});
  };
  for_rows(task, taps, [&](size_t y_at, size_t x_at, uint32_t count) {
    Sum sums[kBlock] = {};
    Src<T> from = task.x.read<T>() + x_at;
    for (uint32_t a = 0; a < task.axes[0].taps; ++a) {
      for (uint32_t b = 0; b < task.axes[1].taps; ++b) {
        const Sum outer = weight(0, a) * weight(1, b);
        for (uint32_t c = 0; c < task.axes[2].taps; ++c) {
          const Sum factor = outer * weight(2, c);
          Src<T> x = from + (a * task.axes[0].x_stride + b * task.axes[1].x_stride +
                             c * task.axes[2].x_stride);
          for (uint32_t j = 0; j < count; ++j, x += xs) {
            sums[j] += factor * By::widened(Computed<T>{*x});
          }
        }
      }
    }
    Dst<T> y = task.y.write<T>() + y_at;
    for (uint32_t j = 0; j < count; ++j, y += ys) *y = By::finished(sums[j], task.fraction_bits);
  });
}

template <TypeSet kTypes>
void resize_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Resize*>(argument);
  for (uint32_t place = first; place < last; ++place) {
    const Taps taps = taps_of(task, place);
    if (task.weights.data != nullptr && !taps.outside) {
      for_number<kTypes&(types::kFloatOrDouble | types::kQuantizedFactor)>(
          task.y.dtype(), [&]<typename T>() { weigh_place<T>(task, taps); });
    } else {
      for_type<kTypes>(task.y.dtype(), [&]<typename T>() {
        if constexpr (sizeof(T) == 8) {
          move_place<uint64_t>(task, taps);
        } else if constexpr (sizeof(T) == 4) {
          move_place<uint32_t>(task, taps);
        } else {
          move_place<std::make_unsigned_t<T>>(task, taps);
        }
      });
    }
  }
}

template <TypeSet kTypes>
Status run_resize(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  Resize task(step);
  if (!task.leads_inside(step)) {
    return {Code::kIndexOutOfRange, step.index(), step.input_value(1)};
  }
  uint64_t work = element_count(task.y);
  for (const ResizedAxis& axis : task.axes) work *= axis.taps < 64 ? axis.taps : 64;
  split(platform, task.places, work, resize_items<kTypes>, &task);
  return ok_status();
}

template <TypeSet kTypes>
constexpr Form resize_form(uint8_t number) {
  return make_form(Op::kResize, number, {.parallel = true, .run = run_resize<kTypes>});
}

}  // namespace

constexpr Form kResizeForm0 = resize_form<form_types(Op::kResize, 0)>(0);
ARENITE_FORM_CODE(Resize, 0)
constexpr Form kResizeForm1 = resize_form<form_types(Op::kResize, 1)>(1);
ARENITE_FORM_CODE(Resize, 1)
constexpr Form kResizeForm2 = resize_form<form_types(Op::kResize, 2)>(2);
ARENITE_FORM_CODE(Resize, 2)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
