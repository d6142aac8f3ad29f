// Softmax of neighboring floats and of rows side by side in vectors; compiled for each instruction
// set like float_tiles.h.
#pragma once

#include "portable_fallback/fast/float_powers.h"
#include "portable_fallback/fast/float_softmax.h"

namespace arenite {
namespace {

// The floats at `from`, in `room` with `rest` behind them where fewer than a piece are left.
inline const float* piece_of(Src<float> from, uint32_t left, float rest, float* room) {
  if (left >= kSoftmaxPiece) return from;
  for (uint32_t j = 0; j < kSoftmaxPiece; ++j) room[j] = rest;
  take(room, from, left);
  return room;
}

// Whole pieces apart from others: GCC copies a number of floats that it does not know by one
// instruction (rep movs), which takes longer than their results.
inline void put_piece(Dst<float> to, const float* results, uint32_t count) {
  if (count == kSoftmaxPiece) [[likely]] {
    put(to, results, kSoftmaxPiece);
  } else {
    put(to, results, count);
  }
}

template <bool kLogarithm>
inline void softmax_row(const FloatSoftmaxRow& row) {
  constexpr uint32_t kPiece = kSoftmaxPiece;
  constexpr float kLeast = -__builtin_inff();
  float room[kPiece];
  const auto count_at = [&](uint32_t i) { return row.count - i < kPiece ? row.count - i : kPiece; };

  Vector most = Vector{} + kLeast;
  for (uint32_t i = 0; i < row.count; i += kPiece) {
    const float* from = piece_of(row.x + i, count_at(i), kLeast, room);
    for (uint32_t j = 0; j < kPiece; j += kLanes) most = greater_of(load(from + j), most);
  }
  float greatest = most[0];
  for (uint32_t j = 1; j < kLanes; ++j) greatest = most[j] > greatest ? most[j] : greatest;

  float results[kPiece];
  Vector sums = {};
  for (uint32_t i = 0; i < row.count; i += kPiece) {
    const float* from = piece_of(row.x + i, count_at(i), kLeast, room);
    for (uint32_t j = 0; j < kPiece; j += kLanes) {
      const Vector power = power_of_e(load(from + j) - greatest);
      store(results + j, power);
      sums += power;
    }
    if (!kLogarithm) put_piece(row.y + i, results, count_at(i));
  }
  float sum = 0;
  for (uint32_t j = 0; j < kLanes; ++j) sum += sums[j];

  if (kLogarithm) {
    const float log = Log::of(Vector{} + sum, 0, 0)[0];
    for (uint32_t i = 0; i < row.count; i += kPiece) {
      const float* from = piece_of(row.x + i, count_at(i), 0, room);
      for (uint32_t j = 0; j < kPiece; j += kLanes) {
        store(results + j, (load(from + j) - greatest) - log);
      }
      put_piece(row.y + i, results, count_at(i));
    }
    return;
  }
  const float factor = 1.0f / sum;
  const Src<float> powers = row.y;
  for (uint32_t i = 0; i < row.count; i += kPiece) {
    const float* from = piece_of(powers + i, count_at(i), 0, room);
    for (uint32_t j = 0; j < kPiece; j += kLanes) store(results + j, load(from + j) * factor);
    put_piece(row.y + i, results, count_at(i));
  }
}

void softmax_row(const FloatSoftmaxRow& row) {
  row.logarithm ? softmax_row<true>(row) : softmax_row<false>(row);
}

// Returns one element of each row: in place where they fill the vectors, else copied to `room`.
inline const float* elements_of(Src<float> from, ptrdiff_t row, uint32_t rows, float* room) {
  if (row == 1 && rows == kSoftmaxRows) return from;
  for (uint32_t r = 0; r < rows; ++r, from += row) room[r] = *from;
  return room;
}

inline void put_elements(Dst<float> to, ptrdiff_t row, const float* results, uint32_t rows) {
  if (row == 1) return put_piece(to, results, rows);
  for (uint32_t r = 0; r < rows; ++r, to += row) *to = results[r];
}

template <bool kLogarithm>
inline void softmax_rows(const FloatSoftmaxRows& all) {
  constexpr uint32_t kVectors = kSoftmaxRows / kLanes;
  float room[kSoftmaxRows] = {};
  Vector most[kVectors], sums[kVectors] = {};
  for (Vector& of : most) of = Vector{} - __builtin_inff();
  Src<float> x = all.x;
  for (uint32_t k = 0; k < all.count; ++k, x += all.x_step) {
    const float* from = elements_of(x, all.x_row, all.rows, room);
    for (uint32_t v = 0; v < kVectors; ++v) most[v] = greater_of(load(from + v * kLanes), most[v]);
  }

  float results[kSoftmaxRows];
  x = all.x;
  Dst<float> y = all.y;
  for (uint32_t k = 0; k < all.count; ++k, x += all.x_step, y += all.y_step) {
    const float* from = elements_of(x, all.x_row, all.rows, room);
    for (uint32_t v = 0; v < kVectors; ++v) {
      const Vector power = power_of_e(load(from + v * kLanes) - most[v]);
      store(results + v * kLanes, power);
      sums[v] += power;
    }
    if (!kLogarithm) put_elements(y, all.y_row, results, all.rows);
  }

  y = all.y;
  if (kLogarithm) {
    for (Vector& of : sums) of = Log::of(of, 0, 0);
    x = all.x;
    for (uint32_t k = 0; k < all.count; ++k, x += all.x_step, y += all.y_step) {
      const float* from = elements_of(x, all.x_row, all.rows, room);
      for (uint32_t v = 0; v < kVectors; ++v) {
        store(results + v * kLanes, (load(from + v * kLanes) - most[v]) - sums[v]);
      }
      put_elements(y, all.y_row, results, all.rows);
    }
    return;
  }
  for (Vector& of : sums) of = 1.0f / of;
  for (uint32_t k = 0; k < all.count; ++k, y += all.y_step) {
    const float* from = elements_of(y, all.y_row, all.rows, room);
    for (uint32_t v = 0; v < kVectors; ++v) {
      store(results + v * kLanes, load(from + v * kLanes) * sums[v]);
    }
    put_elements(y, all.y_row, results, all.rows);
  }
}

void softmax_rows(const FloatSoftmaxRows& all) {
  all.logarithm ? softmax_rows<true>(all) : softmax_rows<false>(all);
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
