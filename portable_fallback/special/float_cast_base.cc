// Casts to and from float32 with vectors of four floats, which every 64-bit x86 and Arm has: of
// images of bytes and of halves, as inputs of networks are, and to images and indices.
#include "portable_fallback/fast/float_cast_base_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/map.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

// Their numbers become floats by one rounding at most.
constexpr TypeSet kFrom = type_set(DType::kBool, DType::kUint8, DType::kInt8, DType::kUint16,
                                   DType::kInt16, DType::kInt32, DType::kFloat16, DType::kBfloat16);

// Elements of x lie side by side along the innermost dim, as where planes become pixels.
NestedLoop cast_loop(const Step& step) {
  NestedLoop loop = map_loop(step);
  if (loop.rank != 0) loop.lengthen_rows();
  return loop;
}

bool takes_cast(const Step& step) {
  if (step.output(0).dtype() != DType::kFloat32) return false;
  if (!has(kFrom, step.input(0).dtype())) return false;
  const NestedLoop loop = cast_loop(step);
  return loop.rank != 0 && loop.inner_stride(1) == 1;
}

uint64_t cast_distance(const Step& step, uint32_t input) {
  const NestedLoop loop = cast_loop(step);
  DistanceWalk walk;
  if (loop.rank != 0 && input == 0) {
    if (loop.inner_stride(0) != 1) return kNoOverlap;
    walk_loop(walk, loop, 1,
              {.y_bytes = element_bytes(step.output(0).dtype()),
               .x_bytes = element_bytes(step.input(0).dtype())},
              kFloatCastPiece);
  }
  return walk.bytes();
}

constexpr TypeSet kTo = type_set(DType::kBool, DType::kUint8, DType::kInt8, DType::kUint16,
                                 DType::kInt16, DType::kInt32, DType::kInt64);

bool takes_truncation(const Step& step) {
  if (step.input(0).dtype() != DType::kFloat32) return false;
  if (!has(kTo, step.output(0).dtype())) return false;
  const NestedLoop loop = map_loop(step);
  return loop.rank != 0 && loop.inner_stride(0) == 1 && loop.inner_stride(1) == 1;
}

uint64_t truncation_distance(const Step& step, uint32_t input) {
  const NestedLoop loop = map_loop(step);
  DistanceWalk walk;
  if (loop.rank != 0 && input == 0) {
    const uint32_t bytes = element_bytes(step.output(0).dtype());
    walk_loop(walk, loop, 1, {.y_bytes = bytes, .x_bytes = sizeof(float)}, kFloatCastPiece);
  }
  return walk.bytes();
}

#if defined(__SSE2__) || defined(__aarch64__)
// Takes a type in kTo.
CastTarget target_of(DType type) {
  switch (type) {
    case DType::kBool:
      return CastTarget::kBool;
    case DType::kUint8:
      return CastTarget::kUint8;
    case DType::kInt8:
      return CastTarget::kInt8;
    case DType::kUint16:
      return CastTarget::kUint16;
    case DType::kInt16:
      return CastTarget::kInt16;
    case DType::kInt32:
      return CastTarget::kInt32;
    default:
      return CastTarget::kInt64;
  }
}

void truncation_row(const void* context, Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  float_truncation_base({as<float>(x), y, count, *static_cast<const CastTarget*>(context)});
}

Status run_truncation(const Step& step, const Platform& platform) {
  static_assert(kRowPiece % kFloatCastPiece == 0);
  const CastTarget target = target_of(step.output(0).dtype());
  return run_map(step, platform, {truncation_row, &target, 2});
}

struct CastTask {
  NestedLoop loop;  // operands y, x
  Src<std::byte> x;
  Dst<float> y;
  DType from;
};

// Takes a type in kFrom.
CastSource source_of(DType type) {
  switch (type) {
    case DType::kBool:
      return CastSource::kBool;
    case DType::kUint8:
      return CastSource::kUint8;
    case DType::kInt8:
      return CastSource::kInt8;
    case DType::kUint16:
      return CastSource::kUint16;
    case DType::kInt16:
      return CastSource::kInt16;
    case DType::kInt32:
      return CastSource::kInt32;
    case DType::kFloat16:
      return CastSource::kFloat16;
    default:
      return CastSource::kBfloat16;
  }
}

void cast_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const CastTask*>(argument);
  const auto bytes = static_cast<ptrdiff_t>(element_bytes(task.from));
  const CastSource source = source_of(task.from);
  static_assert(kRowPiece % kFloatCastPiece == 0);
  RowCursor row(task.loop, kRowPiece, first);
  for (uint32_t item = first; item < last; ++item, row.next()) {
    float_cast_base({task.x + row.offset(1) * bytes, task.y + row.offset(0),
                     task.loop.inner_stride(0), row.count(), source});
  }
}

Status run_cast(const Step& step, const Platform& platform) {
  const Tensor x = step.input(0);
  CastTask task = {cast_loop(step), x.read<std::byte>(), step.output(0).write<float>(), x.dtype()};
  split(platform, RowCursor::rows(task.loop, kRowPiece), uint64_t{task.loop.size()} * 2, cast_items,
        &task);
  return ok_status();
}
#else
constexpr decltype(Form::run) run_cast = nullptr, run_truncation = nullptr;
#endif

}  // namespace

constexpr Form kCastForm40 = make_form(
    Op::kCast, 40,
    {.parallel = true, .safe_distance = cast_distance, .accepts = takes_cast, .run = run_cast});
ARENITE_FORM_CODE(Cast, 40)
constexpr Form kCastForm41 = make_form(Op::kCast, 41,
                                       {.parallel = true,
                                        .safe_distance = truncation_distance,
                                        .accepts = takes_truncation,
                                        .run = run_truncation});
ARENITE_FORM_CODE(Cast, 41)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
