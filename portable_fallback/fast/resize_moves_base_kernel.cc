// Makes two places of each column of a vector where all columns are doubled, and else moves
// elements one by one.
#include "portable_fallback/fast/resize_moves_base_kernel.h"

namespace arenite {
namespace {

constexpr uint32_t kVectorBytes = 16;

template <typename T>
struct Elements;
template <>
struct Elements<uint8_t> {
  using Vector __attribute__((vector_size(kVectorBytes))) = uint8_t;
  static Vector low_twice(Vector v) {
    return __builtin_shufflevector(v, v, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
  }
  static Vector high_twice(Vector v) {
    return __builtin_shufflevector(v, v, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15,
                                   15);
  }
};
template <>
struct Elements<uint32_t> {
  using Vector __attribute__((vector_size(kVectorBytes))) = uint32_t;
  static Vector low_twice(Vector v) { return __builtin_shufflevector(v, v, 0, 0, 1, 1); }
  static Vector high_twice(Vector v) { return __builtin_shufflevector(v, v, 2, 2, 3, 3); }
};

template <typename T>
void put_vector(Dst<T> y, typename Elements<T>::Vector v) {
  constexpr uint32_t kLanes = kVectorBytes / sizeof(T);
  T numbers[kLanes];
  std::memcpy(numbers, &v, kVectorBytes);
  put(y, static_cast<const T*>(numbers), kLanes);
}

// Returns how many places it has written.
template <typename T>
uint32_t double_columns(const ResizeMoves& line) {
  using Of = Elements<T>;
  constexpr uint32_t kLanes = kVectorBytes / sizeof(T);
  Src<T> x = as<T>(line.x);
  Dst<T> y = as<T>(line.y);
  uint32_t place = 0;
  for (; place + 2 * kLanes <= line.places; place += 2 * kLanes, x += kLanes, y += 2 * kLanes) {
    T numbers[kLanes];
    take(numbers, x, kLanes);
    typename Of::Vector v;
    std::memcpy(&v, numbers, kVectorBytes);
    put_vector<T>(y, Of::low_twice(v));
    put_vector<T>(y + kLanes, Of::high_twice(v));
  }
  return place;
}

template <typename T>
void move_line(const ResizeMoves& line) {
  uint32_t place = line.doubles ? double_columns<T>(line) : 0;
  Src<T> x = as<T>(line.x);
  Dst<T> y = as<T>(line.y);
  const auto outside = static_cast<T>(line.outside);
  for (; place < line.places; ++place) {
    const int32_t column = line.firsts[place];
    T moved = outside;
    if (column >= 0) moved = x[static_cast<uint32_t>(column) * line.x_column];
    y[place] = moved;
  }
}

}  // namespace

void move_bytes_base(const ResizeMoves& line) { move_line<uint8_t>(line); }

void move_words_base(const ResizeMoves& line) { move_line<uint32_t>(line); }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
