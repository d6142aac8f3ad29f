// Determinants of square matrices by elimination with the greatest element of each column as pivot,
// on a copy.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/loop.h"
#include "portable_fallback/shared/split.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

struct Det {
  Tensor x;
  OutTensor y;
  NestedLoop matrices;  // operands y, x
};

template <typename C>
C magnitude(C value) {
  return value < 0 ? -value : value;
}

template <typename C>
C determinant(C (&m)[kMaxDetSize][kMaxDetSize], uint32_t n) {
  C result = 1;
  for (uint32_t k = 0; k < n; ++k) {
    uint32_t pivot = k;
    for (uint32_t r = k + 1; r < n; ++r) {
      if (magnitude(m[r][k]) > magnitude(m[pivot][k])) pivot = r;
    }
    if (m[pivot][k] == 0) return 0;
    if (pivot != k) {
      for (uint32_t c = k; c < n; ++c) {
        const C other = m[k][c];
        m[k][c] = m[pivot][c];
        m[pivot][c] = other;
      }
      result = -result;
    }
    result *= m[k][k];
    for (uint32_t r = k + 1; r < n; ++r) {
      const C factor = m[r][k] / m[k][k];
      for (uint32_t c = k + 1; c < n; ++c) m[r][c] -= factor * m[k][c];
    }
  }
  return result;
}

template <typename T>
void det_one(const Det& task, Dst<T> y, Src<T> x) {
  using C = Computed<T>;
  const uint32_t rank = task.x.rank();
  const uint32_t n = task.x.dims[rank - 1];
  C m[kMaxDetSize][kMaxDetSize];
  for (uint32_t r = 0; r < n; ++r) {
    for (uint32_t c = 0; c < n; ++c) {
      m[r][c] = C{x[r * size_t{task.x.strides[rank - 2]} + c * size_t{task.x.strides[rank - 1]}]};
    }
  }
  *y = T(determinant(m, n));
}

// Items: matrices.
template <TypeSet kTypes>
void det_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Det*>(argument);
  for_number<kTypes>(task.y.dtype(), [&]<typename T>() {
    RowCursor at(task.matrices, 1, first);
    for (uint32_t item = first; item < last; ++item, at.next()) {
      det_one<T>(task, task.y.write<T>() + at.offset(0), task.x.read<T>() + at.offset(1));
    }
  });
}

template <TypeSet kTypes>
Status run_det(const Step& step, const Platform& platform) {
  Det task = {step.input(0), step.output(0), {}};
  if (is_empty(task.y)) return ok_status();
  for (uint32_t d = 0; d < task.y.rank(); ++d) {
    task.matrices.add(task.y.dims[d], signed_stride(task.y, d), signed_stride(task.x, d));
  }
  task.matrices.merge();
  const uint64_t n = task.x.dims[task.x.rank() - 1];
  split(platform, task.matrices.size(), element_count(task.y) * n * n * n, det_items<kTypes>,
        &task);
  return ok_status();
}

template <TypeSet kTypes>
constexpr Form det_form(uint8_t number) {
  return make_form(Op::kDet, number, {.parallel = true, .run = run_det<kTypes>});
}

}  // namespace

constexpr Form kDetForm0 = det_form<form_types(Op::kDet, 0)>(0);
ARENITE_FORM_CODE(Det, 0)
constexpr Form kDetForm2 = det_form<form_types(Op::kDet, 2)>(2);
ARENITE_FORM_CODE(Det, 2)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
