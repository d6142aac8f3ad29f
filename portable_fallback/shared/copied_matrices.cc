// Reads matrix products of two activations from their steps.
#include "portable_fallback/shared/copied_matrices.h"

#include "portable_fallback/shared/blocked_rows.h"

namespace arenite {
namespace {

// Copies of a matrix for fewer rows would take a good part of their products.
constexpr uint32_t kRowsOfPiece = 16;

// Beyond, scratch would not be a number of 32 bits.
constexpr uint64_t kMatrixMax = 1 << 24;

}  // namespace

bool takes_copied_matrices(const Step& step) {
  const uint32_t rank = step.elements(step.input_count()).rank;
  const uint32_t* y = step.dims(step.input_count());
  uint32_t batches = 0;
  for (uint32_t d = 0; d + 2 < rank; ++d) batches += y[d] != 1;
  return batches <= 1 && !is_empty(step, 0) && !is_empty(step, 1) &&
         uint64_t{step.dims(0)[rank - 1]} * (uint64_t{y[rank - 1]} + 1) < kMatrixMax &&
         takes_integer_results<true>(step);
}

int32_t right_zero_point(const Step& step) {
  QuantizedMatMulAttributes room;
  const int32_t of_int8 = step.dtype(1) == DType::kUint8 ? 128 : 0;
  return step.attributes(room).b_zero_point - of_int8;
}

MatrixWork matrix_work(const Step& step) {
  const MatMulGeometry geometry(step, false);
  const uint32_t d = batch_dim(geometry.y);
  MatrixWork work = {};
  IntegerProducts& p = work.products = matmul_products(step, geometry);
  p.w_zero_point = right_zero_point(step);
  p.rows = rows_of(step);
  work.x_part = geometry.a.strides[d];
  work.y_part = geometry.y.strides[d];
  work.lines = 1;
  const uint32_t piece = places_of_piece(p, p.channels);
  work.piece = piece < kRowsOfPiece ? kRowsOfPiece : piece;
  const bool flips = step.dtype(1) == DType::kUint8;
  work.matrix = {geometry.b.read<std::byte>(), geometry.b_k, geometry.b_n, p.channels, p.columns,
                 flips ? 0x80808080 : 0};
  work.b_part = batches_of(geometry.y) == 1 ? 0 : geometry.b.strides[d];
  return work;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
