// Serves the forms of matrix products of two activations: a thread copies each right side to its
// scratch as kernels read weights, and computes rows by the kernels of products.
#pragma once

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/quantized.h"
#include "portable_fallback/fast/integer_matrix.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/matmul_geometry.h"
#include "portable_fallback/shared/split.h"

namespace arenite {

// Whether a and b are of 8 bits, b lies as it is, and batches follow each other evenly.
bool takes_copied_matrices(const Step& step);

// The zero point of b as int8.
int32_t right_zero_point(const Step& step);

struct MatrixWork : ProductWork {
  IntegerMatrix matrix;   // of the first batch
  size_t b_part;          // elements between batches
  uint32_t matrix_words;  // of a thread, before its rows
};

// All but the results, and the words of rows.
MatrixWork matrix_work(const Step& step);

// Calls compute(matrix, copies, memory, products of the batch, first place, end of places) for
// pieces [first, last), those of a batch that follow each other at once. `memory` is the thread's,
// for a copy; `copies` is false where it holds this one.
template <typename Compute>
void for_matrices(const MatrixWork& work, uint32_t first, uint32_t last, uint32_t thread,
                  const Compute& compute) {
  IntegerProducts p = work.products;
  uint32_t* memory = p.rows + size_t{thread} * (work.matrix_words + work.row_words);
  p.rows = memory + work.matrix_words;
  const uint32_t pieces = work.pieces();
  for (uint32_t item = first; item < last;) {
    const uint32_t part = item / pieces;
    const uint32_t piece = item - part * pieces;
    const uint32_t count = last - item < pieces - piece ? last - item : pieces - piece;
    IntegerMatrix matrix = work.matrix;
    matrix.b += part * work.b_part;
    p.x = work.products.x + part * work.x_part;
    p.y = work.products.y + part * work.y_part;
    const uint32_t end = piece + count == pieces ? p.out_w : (piece + count) * work.piece;
    const bool copies = item == first || work.b_part != 0;
    compute(matrix, copies, memory, p, piece * work.piece, end);
    item += count;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
