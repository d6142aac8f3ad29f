// A view of a table's records, in place.
//
// std::span would do, but its instantiations for twelve types of records take 0.2 of the 0.5 s that
// core/program.h needs to compile, and each firmware project compiles core's files.
#pragma once

#include <cstddef>

namespace arenite {

template <typename T>
class Records {
 public:
  using value_type = T;
  constexpr Records() = default;
  constexpr Records(const T* first, size_t count) : data_(first), size_(count) {}
  template <size_t n>
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Records(const T (&all)[n]) : data_(all), size_(n) {}
  template <typename C>
  requires requires(const C& all) { all.data(), all.size(); }
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Records(const C& all) : data_(all.data()), size_(all.size()) {}
  constexpr const T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T* begin() const { return data_; }
  constexpr const T* end() const { return data_ + size_; }
  constexpr const T& operator[](size_t i) const { return data_[i]; }
  constexpr const T& back() const { return data_[size_ - 1]; }

 private:
  const T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
