// Copies that exchange rows and columns of elements of 8, 16 or 32 bits, as those between planes
// and pixels and shuffles of channels do, by blocks for which every 64-bit x86 and Arm has vectors.
#include "core/access.h"
#include "ops/check.h"
#include "portable_fallback/fast/word_transpose_base_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/loop.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

constexpr uint32_t kColumnsOfItem = 64;

// The loop of a copy without the dims that are rows and columns of its matrices.
struct Matrices {
  ElementTranspose each = {};
  NestedLoop rest;  // operands y, x
  ptrdiff_t bytes;  // of an element

  // Null rows: there is nothing to exchange.
  explicit Matrices(const Step& step)
      : bytes(static_cast<ptrdiff_t>(element_bytes(step.dtype(0)))) {
    const Tensor x = step.input(0);
    const OutTensor y = step.output(0);
    NestedLoop loop;
    for (uint32_t d = 0; d < y.rank(); ++d) {
      loop.add(y.dims[d], signed_stride(y, d), signed_stride(x, d));
    }
    loop.sort();
    loop.merge();
    const uint32_t inner = loop.rank - 1;
    if (loop.strides[0][inner] != 1 || loop.strides[1][inner] <= 1) return;
    for (uint32_t d = 0; d < inner; ++d) {
      if (loop.strides[1][d] != 1) {
        rest.add(loop.dims[d], loop.strides[0][d], loop.strides[1][d]);
        continue;
      }
      each.rows = loop.dims[inner];
      each.columns = loop.dims[d];
      each.x_row = loop.strides[1][inner];
      each.y_row = loop.strides[0][d];
    }
    rest.merge();
  }

  uint32_t strips() const { return blocks_over(each.columns, kColumnsOfItem); }
};

bool takes_transpose(const Step& step) {
  const uint32_t bytes = element_bytes(step.dtype(0));
  if (bytes > sizeof(float) || is_empty(step.output(0))) return false;
  const Matrices matrices(step);
  const ElementTranspose& each = matrices.each;
  if (bytes == sizeof(float)) {
    return (each.rows >= 2 && each.columns >= 4) || (each.rows >= 4 && each.columns == 2);
  }
  const uint32_t all = 16 / bytes;
  if (each.rows == 2 && each.y_row == 2) return each.columns >= all;
  if (each.columns == 2 && each.x_row == 2) return each.rows >= all;
  // Blocks are half as large as vectors, or as large.
  return each.rows >= all / 2 && each.columns >= all / 2;
}

#if defined(__SSE2__) || defined(__aarch64__)
void transpose_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& matrices = *static_cast<const Matrices*>(argument);
  const uint32_t strips = matrices.strips();
  RowCursor at(matrices.rest, 1, first / strips);
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t strip = item % strips;
    if (strip == 0 && item != first) at.next();
    const uint32_t column = strip * kColumnsOfItem;
    const uint32_t left = matrices.each.columns - column;
    ElementTranspose part = matrices.each;
    part.x += (at.offset(1) + ptrdiff_t{column}) * matrices.bytes;
    part.y += (at.offset(0) + column * part.y_row) * matrices.bytes;
    part.columns = left < kColumnsOfItem ? left : kColumnsOfItem;
    if (matrices.bytes == 1) {
      byte_transpose_base(part);
    } else if (matrices.bytes == 2) {
      half_transpose_base(part);
    } else {
      word_transpose_base(part);
    }
  }
}

Status run_transpose(const Step& step, const Platform& platform) {
  Matrices matrices(step);
  matrices.each.x = static_cast<const std::byte*>(step.input(0).data);
  matrices.each.y = static_cast<std::byte*>(step.output(0).out);
  split(platform, RowCursor::rows(matrices.rest, 1) * matrices.strips(),
        element_count(step.output(0)), transpose_items, &matrices);
  return ok_status();
}
#else
constexpr decltype(Form::run) run_transpose = nullptr;
#endif

}  // namespace

constexpr Form kCopyForm40 =
    make_form(Op::kCopy, 40,
              {.parallel = true, .alignment = 1, .accepts = takes_transpose, .run = run_transpose});
ARENITE_FORM_CODE(Copy, 40)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
