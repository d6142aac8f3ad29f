// Describes matrix products to a kernel of float products: rows are the places of one line, and
// matrices that go on evenly are one.
#include "portable_fallback/shared/float_matmul.h"

#include "ops/attributes.h"
#include "ops/check.h"
#include "portable_fallback/shared/activation.h"
#include "portable_fallback/shared/float_work.h"
#include "portable_fallback/shared/matmul_geometry.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

struct MatMulWork : FloatWork {
  MatMulWork(const Step& step, const FloatKernel& of, const FloatProducts& each,
             const MatMulGeometry& of_step, const Platform& platform, uint32_t parts_of)
      : FloatWork(step, of, each, each.out_w, parts_of, platform),
        geometry(of_step),
        attributes(step.attributes<MatMulAttributes>()) {}

  const MatMulGeometry& geometry;
  MatMulAttributes attributes;
  uint32_t joined = 1;  // matrices whose rows are a part's
  Tensor c;             // added over a finished range; without data: nothing
  bool one_row_of_c = false;
  bool scales = false;  // by alpha, over a finished range
};

// What the kernel left of a finished range: scale, c and activation.
void finish_range(const MatMulWork& work, const FloatProducts& p, const FloatRange& range,
                  uint32_t part) {
  const float alpha = work.attributes.alpha;
  const float beta = work.attributes.beta;
  const Tensor& c = work.c;
  for_lines(p, range, [&](float* y, uint32_t row, uint32_t column, uint32_t count) {
    for (uint32_t j = 0; j < count; ++j) y[j] *= alpha;
    const float* sums = y;
    if (c.data == nullptr) return activate(work.attributes.activation, sums, y, count);
    MatMulItem at = {0, 0, column, count};
    if (!work.one_row_of_c) {
      at.batch = part;
      at.m = row;
    }
    const float* from = floats(c) + work.geometry.offset(c, at);
    const size_t c_n = c.strides[work.geometry.column()];
    for (uint32_t j = 0; j < count; ++j) y[j] += beta * from[j * c_n];
    activate(work.attributes.activation, sums, y, count);
  });
}

void matmul_ranges(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const MatMulWork*>(argument);
  const MatMulGeometry& geometry = work.geometry;
  for (uint32_t item = first; item < last; ++item) {
    FloatProducts p = work.products_of(thread);
    const uint32_t part = work.part_of(item);
    const MatMulItem at = {part * work.joined, 0, 0, 0};
    p.x += geometry.a_offset(at);
    move_weights(p, geometry.b_offset(at));
    const size_t to_part = geometry.offset(geometry.y, at);
    p.y += to_part;
    if (p.residual != nullptr) p.residual += to_part;
    const FloatRange range = work.range_of(item);
    work.kernel.add(p, range);
    if (work.scales || work.c.data != nullptr) finish_range(work, p, range, part);
  }
}

// The rows of y, with those of leading dims that go on evenly in a and in y and take the same b.
struct Rows {
  uint32_t count;
  size_t a, y;            // elements between them
  uint32_t matrices = 1;  // joined
};

Rows join_rows(const MatMulGeometry& geometry, bool one_row_of_c) {
  const Tensor& a = geometry.a;
  const Tensor& b = geometry.b;
  const OutTensor& y = geometry.y;
  const uint32_t row = geometry.row();
  Rows rows = {y.dims[row], a.strides[row], y.strides[row]};
  for (uint32_t d = row; d-- > 0 && one_row_of_c;) {
    if (y.dims[d] == 1) continue;
    if (b.layout() != Layout::kPanel16 && b.strides[d] != 0) break;
    if (rows.count == 1) {
      rows.a = a.strides[d];
      rows.y = y.strides[d];
    } else if (a.strides[d] != rows.count * rows.a || y.strides[d] != rows.count * rows.y) {
      break;
    }
    rows.count *= y.dims[d];
    rows.matrices *= y.dims[d];
  }
  return rows;
}

// Whether all rows are added the same row of c.
bool has_one_row(const Tensor& c, const MatMulGeometry& geometry) {
  bool one = true;
  for (uint32_t d = 0; c.data != nullptr && d < geometry.column(); ++d) {
    one = one && (geometry.y.dims[d] == 1 || c.strides[d] == 0);
  }
  return one;
}

// Whether sums can start at c.
bool starts_at_c(const Step& step, const MatMulGeometry& geometry) {
  const auto attributes = step.attributes<MatMulAttributes>();
  if (attributes.alpha != 1) return false;
  if (!step.has_input(2)) return true;
  const Tensor c = step.input(2);
  const uint32_t column = geometry.column();
  return attributes.beta == 1 && has_one_row(c, geometry) &&
         (geometry.y.dims[column] == 1 || c.strides[column] == 1);
}

// The products of one part.
FloatProducts products_of(const MatMulGeometry& geometry, const Rows& rows) {
  const uint32_t column = geometry.column();
  FloatProducts p = matrix_products(rows.count, geometry.inner(), geometry.y.dims[column]);
  p.x = floats(geometry.a);
  p.x_c = geometry.a.strides[column];
  p.x_w = rows.a;
  set_weights(geometry.b, geometry.b_n, geometry.b_k, geometry.inner(), p);
  p.y = floats(geometry.y);
  p.y_w = rows.y;
  p.y_c = geometry.y.strides[column];
  return p;
}

}  // namespace

bool takes_float_matmul(const Step& step) {
  if (is_empty(step.input(0)) || is_empty(step.input(1))) return false;
  const MatMulGeometry geometry(step, false);
  // Sums that start at a residual are not scaled.
  if (step.has_input(kResidualInput) && !starts_at_c(step, geometry)) return false;
  const uint64_t rows = join_rows(geometry, true).count;
  return gains(rows * geometry.inner() * geometry.y.dims[geometry.column()]);
}

ScratchNeed float_matmul_scratch(const Step& step) {
  const MatMulGeometry geometry(step, false);
  const Rows rows = join_rows(geometry, true);
  return scratch_of(products_of(geometry, rows), rows.count, geometry.work());
}

Status run_float_matmul(const Step& step, const Platform& platform, const FloatKernel& kernel) {
  if (is_empty(step.output(0))) return ok_status();
  const auto attributes = step.attributes<MatMulAttributes>();
  const MatMulGeometry geometry(step, false);
  Tensor c;
  if (step.has_input(2)) c = step.input(2);
  const bool one_row_of_c = has_one_row(c, geometry);
  const Rows rows = join_rows(geometry, one_row_of_c);
  const uint32_t matrices = geometry.items / (geometry.blocks * geometry.y.dims[geometry.row()]);
  FloatProducts p = products_of(geometry, rows);
  const bool scales = attributes.alpha != 1;
  p.residual = residual_of(step, platform);
  if (c.data != nullptr && starts_at_c(step, geometry)) {
    p.bias = floats(c);
    c = {};
  }
  const bool later = scales || c.data != nullptr;
  if (!later) set_end(attributes.activation, p);
  MatMulWork work(step, kernel, p, geometry, platform, matrices / rows.matrices);
  work.joined = rows.matrices;
  work.one_row_of_c = one_row_of_c;
  work.c = c;
  work.scales = scales;
  split(platform, work.items(), geometry.work(), matmul_ranges, &work);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
