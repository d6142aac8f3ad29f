// y = x by a scale and zero point that the range of x gives, along axes: a pass that finds the
// range, and one that rounds.
#include <bit>
#include <limits>

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/axis_rows.h"
#include "portable_fallback/shared/quantize.h"
#include "portable_fallback/shared/split.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

struct DynamicQuantize {
  explicit DynamicQuantize(const Step& step);

  AxisRows rows;
  Src<float> x;
  OutTensor y;
  Dst<float> scale = nullptr;           // null: not wanted
  Dst<std::byte> zero_point = nullptr;  // likewise
  DynamicRange range;
};

// The ends of a range that has 0 in it.
struct Range {
  float low = 0.0f, high = 0.0f;
};

// Elements become x * factor, or x / scale if the factor is 0, plus the zero point.
struct Quantizer {
  float scale = 1.0f;
  int32_t zero_point = 0;
  float factor = 0.0f;
};

// Neighbors that are read before any of them is written, so that they can be computed as vectors.
constexpr uint32_t kPiece = 16;

bool has_neighbors(const AxisRows& rows) {
  const NestedLoop& axes = rows.axes;
  return !rows.empty && axes.rank == 1 && axes.inner_stride(0) == 1 && axes.inner_stride(1) == 1;
}

// Calls visit(the first element's number, the elements, their count) for the pieces of a row.
template <typename Visit>
void for_pieces(Src<float> x, uint32_t count, Visit visit) {
  float piece[kPiece];
  uint32_t i = 0;
  for (; i + kPiece <= count; i += kPiece) {
    take(piece, x + i, kPiece);
    visit(i, piece, kPiece);
  }
  if (i == count) return;
  for (float& element : piece) element = 0.0f;
  take(piece, x + i, count - i);
  visit(i, piece, count - i);
}

Range range_of_neighbors(Src<float> x, uint32_t count) {
  float lows[kPiece] = {}, highs[kPiece] = {};
  for_pieces(x, count, [&](uint32_t, const float(&piece)[kPiece], uint32_t) {
    for (uint32_t j = 0; j < kPiece; ++j) {
      lows[j] = piece[j] < lows[j] ? piece[j] : lows[j];
      highs[j] = piece[j] > highs[j] ? piece[j] : highs[j];
    }
  });
  Range range;
  for (const float low : lows) range.low = low < range.low ? low : range.low;
  for (const float high : highs) range.high = high > range.high ? high : range.high;
  return range;
}

Range range_of_row(const DynamicQuantize& task, Src<float> x) {
  Range range;
  if (task.rows.empty) return range;
  if (has_neighbors(task.rows)) return range_of_neighbors(x, task.rows.axes.inner_dim());
  const ptrdiff_t xs = task.rows.axes.inner_stride(1);
  for_rows(task.rows.axes, [&](const RowCursor& at) {
    Src<float> from = x + at.offset(1);
    for (uint32_t left = at.count(); left != 0; --left, from += xs) {
      const float value = *from;
      range.low = value < range.low ? value : range.low;
      range.high = value > range.high ? value : range.high;
    }
  });
  return range;
}

template <typename T>
Quantizer onnx_quantizer(const Range& range) {
  using Limits = std::numeric_limits<T>;
  Quantizer quantizer;
  if (range.low < range.high) quantizer.scale = (range.high - range.low) / 255.0f;
  const float zero = static_cast<float>(Limits::lowest()) - range.low / quantizer.scale;
  quantizer.zero_point = quantized<T>(zero, 0, Rounding::kHalfEven);
  return quantizer;
}

Quantizer symmetric_quantizer(const Range& range) {
  const float magnitude = range.high > -range.low ? range.high : -range.low;
  if (magnitude == 0.0f) return {};
  return {magnitude / 127.0f, 0, 127.0f / magnitude};
}

int32_t rounded_zero_point(double zero_point) {
  if (is_nan(zero_point)) return 0;
  if (zero_point <= -128.0) return -128;
  if (zero_point >= 127.0) return 127;
  return static_cast<int32_t>(zero_point + (zero_point < 0.0 ? -0.5 : 0.5));
}

Quantizer asymmetric_quantizer(const Range& range) {
  const double low = static_cast<double>(range.low);
  const double high = static_cast<double>(range.high);
  if (!(low < high)) return {};
  const double scale = (high - low) / 255.0;
  // Both ends lie on no side of 0 but their own.
  const double from_low = -128.0 - low / scale;
  const double from_high = 127.0 - high / scale;
  const bool low_is_better = 128.0 + -low / scale < 127.0 + high / scale;
  Quantizer quantizer;
  quantizer.scale = static_cast<float>(scale);
  quantizer.zero_point = rounded_zero_point(low_is_better ? from_low : from_high);
  quantizer.factor = 1.0f / quantizer.scale;
  return quantizer;
}

template <typename T>
Quantizer quantizer_of(DynamicRange kind, const Range& range) {
  switch (kind) {
    case DynamicRange::kTfliteSymmetric:
      return symmetric_quantizer(range);
    case DynamicRange::kTfliteAsymmetric:
      return asymmetric_quantizer(range);
    default:
      return onnx_quantizer<T>(range);
  }
}

template <typename T>
T quantized_element(DynamicRange kind, const Quantizer& by, float x) {
  if (kind == DynamicRange::kOnnx) {
    return quantized<T>(x / by.scale, by.zero_point, Rounding::kHalfEven);
  }
  const float number = static_cast<float>(by.zero_point) + x * by.factor;
  if (is_nan(number)) return static_cast<T>(by.zero_point);
  const T value = quantized<T>(number, 0, Rounding::kTfliteDouble);
  // -128 has no counterpart.
  return kind == DynamicRange::kTfliteSymmetric && value == -128 ? T(-127) : value;
}

// The same numbers as quantized() makes of quotients and halves to even. Quotients are limited
// before they are rounded, which is the same where limits are whole numbers.
template <typename T>
struct OnnxPiece {
  using Limits = std::numeric_limits<T>;
  static constexpr float kRounder = 12582912.0f;  // 1.5 * 2^23: whole numbers lie in the low bits

  explicit OnnxPiece(const Quantizer& by)
      : scale(by.scale),
        low(static_cast<float>(int32_t{Limits::lowest()} - by.zero_point)),
        high(static_cast<float>(int32_t{Limits::max()} - by.zero_point)),
        moved(static_cast<uint32_t>(by.zero_point) - std::bit_cast<uint32_t>(kRounder)) {}

  T operator()(float x) const {
    float quotient = x / scale;
    quotient = is_nan(quotient) ? 0.0f : quotient;
    quotient = quotient < low ? low : quotient;
    quotient = quotient > high ? high : quotient;
    return static_cast<T>(std::bit_cast<uint32_t>(quotient + kRounder) + moved);
  }

  float scale, low, high;
  uint32_t moved;
};

// Gives what quantized_element() gives for TensorFlow Lite: a symmetric range has no -128.
template <typename T>
struct TflitePiece {
  using Limits = std::numeric_limits<T>;

  // The sums are exact, and compilers do not see that they are constants: those became branches
  // instead of vectors.
  TflitePiece(DynamicRange kind, const Quantizer& by)
      : factor(by.factor), zero_point(static_cast<float>(by.zero_point)) {
    const float lowest = kind == DynamicRange::kTfliteSymmetric ? -127.0f : Limits::lowest();
    low = (lowest - zero_point) + zero_point;
    high = (float{Limits::max()} - zero_point) + zero_point;
  }

  T operator()(float x) const {
    float number = zero_point + x * factor;
    number = is_nan(number) ? zero_point : number;
    number = number < low ? low : number;
    number = number > high ? high : number;
    return static_cast<T>(nearest_away(number));
  }

  float factor, zero_point, low, high;
};

template <typename T, typename Piece>
void quantize_neighbors(Piece quantize, Src<float> x, uint32_t count, Dst<T> y) {
  for_pieces(x, count, [&](uint32_t first, const float(&piece)[kPiece], uint32_t some) {
    T results[kPiece];
    for (uint32_t j = 0; j < kPiece; ++j) results[j] = quantize(piece[j]);
    // Compilers copy a number of bytes that they know by one instruction.
    if (some == kPiece) {
      put(y + first, static_cast<const T*>(results), kPiece);
    } else {
      put(y + first, static_cast<const T*>(results), some);
    }
  });
}

template <typename T>
void dynamic_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const DynamicQuantize*>(argument);
  const NestedLoop& axes = task.rows.axes;
  RowCursor item(task.rows.kept, 1, first);
  for (uint32_t i = first; i < last; ++i, item.next()) {
    Src<float> x = task.x + item.offset(1);
    Dst<T> y = task.y.template write<T>() + item.offset(0);
    const Quantizer by = quantizer_of<T>(task.range, range_of_row(task, x));
    if (task.scale != nullptr) task.scale[item.offset(2)] = by.scale;
    if (task.zero_point != nullptr) {
      as<T>(task.zero_point)[item.offset(3)] = static_cast<T>(by.zero_point);
    }
    if (task.rows.empty) continue;
    if (has_neighbors(task.rows)) {
      if (task.range == DynamicRange::kOnnx) {
        quantize_neighbors<T>(OnnxPiece<T>(by), x, axes.inner_dim(), y);
      } else {
        quantize_neighbors<T>(TflitePiece<T>(task.range, by), x, axes.inner_dim(), y);
      }
      continue;
    }
    const ptrdiff_t ys = axes.inner_stride(0);
    const ptrdiff_t xs = axes.inner_stride(1);
    for_rows(axes, [&](const RowCursor& at) {
      Src<float> from = x + at.offset(1);
      Dst<T> to = y + at.offset(0);
      for (uint32_t left = at.count(); left != 0; --left, from += xs, to += ys) {
        *to = quantized_element<T>(task.range, by, *from);
      }
    });
  }
}

DynamicQuantize::DynamicQuantize(const Step& step)
    : rows(step, step.attributes<DynamicQuantizeAttributes>().axes),
      x(step.input(0).read<float>()),
      y(step.output(0)),
      range(step.attributes<DynamicQuantizeAttributes>().range) {
  if (step.output_count() > 1) scale = step.output(1).write<float>();
  if (step.output_count() > 2) zero_point = step.output(2).write<std::byte>();
}

Status run_dynamic_quantize(const Step& step, const Platform& platform) {
  DynamicQuantize task(step);
  if (task.rows.count() == 0) return ok_status();
  for_type<kDynamicQuantizeTypes>(task.y.dtype(), [&]<typename T>() {
    split(platform, task.rows.count(), element_count(task.y) * 8, dynamic_items<T>, &task);
  });
  return ok_status();
}

// Apart, so that its loops are no part of the stack below the distance.
[[gnu::noinline]] bool reads_pieces(const Step& step) {
  return has_neighbors(AxisRows(step, step.attributes<DynamicQuantizeAttributes>().axes));
}

uint64_t dynamic_quantize_distance(const Step& step, uint32_t) {
  return axis_rows_distance(step, step.attributes<DynamicQuantizeAttributes>().axes,
                            reads_pieces(step) ? kPiece : 1);
}

}  // namespace

constexpr Form kDynamicQuantizeForm1 = make_form(Op::kDynamicQuantize, 1,
                                                 {
                                                     .parallel = true,
                                                     .safe_distance = dynamic_quantize_distance,
                                                     .run = run_dynamic_quantize,
                                                 });
ARENITE_FORM_CODE(DynamicQuantize, 1)

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0
