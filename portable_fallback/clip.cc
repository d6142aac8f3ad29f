// y = min(max(x, low), high), with bounds from operands or attributes; NaN stays.
#include <limits>
#include <type_traits>

#include "core/attributes.h"
#include "core/kernel.h"
#include "portable_fallback/binary.h"
#include "portable_fallback/check.h"
#include "portable_fallback/kernels.h"
#include "portable_fallback/unary.h"

namespace arenite {
namespace {

Status check_clip(const Step& step) {
  ARENITE_TRY(check_attributes<ClipAttributes>(step));
  ARENITE_TRY(check_unary(step, 3));
  const DType type = step.output(0).dtype;
  if (type == DType::kBool || type == DType::kFloat16 || type == DType::kBfloat16) {
    return output_error(step, Code::kBadType);
  }
  for (uint32_t i = 1; i < step.input_count(); ++i) {
    if (step.has_input(i) && bounded_count(step.input(i)) != 1) {
      return input_error(step, Code::kBadShape, i);
    }
  }
  return ok_status();
}

// The bound in operand `i`, or the attribute; integers have no bound without an operand.
template <typename T>
T bound(const Step& step, uint32_t i, float attribute, T none) {
  if (step.has_input(i)) return *step.input(i).read<T>();
  return std::is_floating_point_v<T> ? static_cast<T>(attribute) : none;
}

template <typename T>
void clip_rows(const Step& step, const NestedLoop& loop) {
  using Limits = std::numeric_limits<T>;
  const auto attributes = step.attributes<ClipAttributes>();
  const T low = bound<T>(step, 1, attributes.min, Limits::lowest());
  const T high = bound<T>(step, 2, attributes.max, Limits::max());
  const ptrdiff_t y_step = loop.inner_stride(0);
  const ptrdiff_t x_step = loop.inner_stride(1);
  RowCursor row(loop, kRowPiece, 0);
  for (uint32_t left = RowCursor::rows(loop, kRowPiece); left != 0; --left, row.next()) {
    Dst<T> y = step.output(0).write<T>() + row.offset(0);
    Src<T> x = step.input(0).read<T>() + row.offset(1);
    for (uint32_t j = 0; j < row.count(); ++j, y += y_step, x += x_step) {
      const T from = *x;
      const T v = from < low ? low : from;
      *y = v > high ? high : v;
    }
  }
}

Status run_clip(const Step& step, const Platform& platform) {
  const DType type = step.output(0).dtype;
  if (type == DType::kFloat32) {
    const auto attributes = step.attributes<ClipAttributes>();
    return run_unary(step, platform,
                     {ActivationKind::kClip, bound<float>(step, 1, attributes.min, 0.0f),
                      bound<float>(step, 2, attributes.max, 0.0f)});
  }
  const NestedLoop loop = unary_loop(step);
  if (loop.rank == 0) return ok_status();
  switch (type) {
    case DType::kFloat64:
      clip_rows<double>(step, loop);
      break;
    case DType::kUint8:
      clip_rows<uint8_t>(step, loop);
      break;
    case DType::kInt8:
      clip_rows<int8_t>(step, loop);
      break;
    case DType::kUint16:
      clip_rows<uint16_t>(step, loop);
      break;
    case DType::kInt16:
      clip_rows<int16_t>(step, loop);
      break;
    case DType::kUint32:
      clip_rows<uint32_t>(step, loop);
      break;
    case DType::kInt32:
      clip_rows<int32_t>(step, loop);
      break;
    case DType::kUint64:
      clip_rows<uint64_t>(step, loop);
      break;
    default:
      clip_rows<int64_t>(step, loop);
      break;
  }
  return ok_status();
}

}  // namespace

constexpr Kernel kClipKernel = {
    .op = Op::kClip,
    .check = check_clip,
    .run = run_clip,
    .scratch_bytes = nullptr,
    .weight_layouts = 1u << static_cast<uint32_t>(Layout::kStrided),
    .alignment = 1,
    .tail_bytes = 0,
    .parallel = true,
    .lead_bytes = unary_lead,
    .in_place = InPlace::kAnywhere,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
