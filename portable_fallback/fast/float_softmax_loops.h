// Softmax of neighboring floats; compiled for each instruction set like float_tiles.h.
#pragma once

#include "portable_fallback/fast/float_functions.h"
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

void softmax_row(const FloatSoftmaxRow& row) {
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
    put_piece(row.y + i, results, count_at(i));
  }
  float sum = 0;
  for (uint32_t j = 0; j < kLanes; ++j) sum += sums[j];

  const float factor = 1.0f / sum;
  const Src<float> powers = row.y;
  for (uint32_t i = 0; i < row.count; i += kPiece) {
    const float* from = piece_of(powers + i, count_at(i), 0, room);
    for (uint32_t j = 0; j < kPiece; j += kLanes) store(results + j, load(from + j) * factor);
    put_piece(row.y + i, results, count_at(i));
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
