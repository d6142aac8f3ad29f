// Powers whose base or exponent is no float32. Of integers: exact for whole exponents, wrapping; of
// others towards zero, saturating. A power that is no number is 0.
#include "portable_fallback/reference/pow.h"

#include <limits>

#include "portable_fallback/shared/double_math.h"
#include "portable_fallback/shared/modular.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

// An exponent of any type.
struct Exponent {
  double real;         // nearest to it
  uint64_t magnitude;  // of a whole one below 2^64
  bool whole, negative;
};

template <typename T>
Exponent exponent_of(T y) {
  Exponent exponent = {static_cast<double>(y), 0, true, y < 0};
  if constexpr (std::is_integral_v<T>) {
    const auto bits = static_cast<uint64_t>(y);
    exponent.magnitude = exponent.negative ? uint64_t{0} - bits : bits;
  } else {
    const double real = exponent.negative ? -exponent.real : exponent.real;
    // Whole from 2^53 on; of those that are too large only that they are even counts.
    constexpr double kBeyond = 0x1p63;
    exponent.magnitude = real < kBeyond ? static_cast<uint64_t>(real) : uint64_t{1} << 63;
    exponent.whole =
        real >= kBeyond ? real < __builtin_inf() : static_cast<double>(exponent.magnitude) == real;
  }
  return exponent;
}

template <TypeSet kTypes>
Exponent read_exponent(Src<std::byte> from, DType type) {
  Exponent exponent = {};
  for_number<kTypes>(type, [&]<typename T>() {
    exponent = exponent_of(static_cast<Computed<T>>(T(*as<T>(from))));
  });
  return exponent;
}

// Towards zero; NaN becomes 0.
template <typename T>
T saturated(double value) {
  // A power of two, exact in a double.
  constexpr double kBeyond = -static_cast<double>(std::numeric_limits<T>::lowest());
  if (value >= kBeyond) return std::numeric_limits<T>::max();
  if (value <= -kBeyond) return std::numeric_limits<T>::lowest();
  return value != value ? T{0} : static_cast<T>(value);
}

template <typename T>
T power(T x, const Exponent& y) {
  if constexpr (std::is_floating_point_v<T>) {
    const bool odd = (y.magnitude & 1) != 0;
    return static_cast<T>(pow_f64(static_cast<double>(x), y.real, y.whole, odd));
  } else {
    if (!y.whole) return saturated<T>(pow_f64(static_cast<double>(x), y.real));
    // One over what is neither 1 nor -1 is below 1.
    if (y.negative && x != 1 && x != -1) return 0;
    Modular<T> result = 1;
    auto square = static_cast<Modular<T>>(x);
    for (uint64_t left = y.magnitude; left != 0; left >>= 1) {
      if ((left & 1) != 0) result *= square;
      square *= square;
    }
    return static_cast<T>(result);
  }
}

template <typename T, TypeSet kExponents>
void pow_row(const BinaryRow& row) {
  Dst<T> y = as<T>(row.y);
  Src<T> a = as<T>(row.a);
  Src<std::byte> b = row.b;
  const ptrdiff_t b_step = row.b_step * static_cast<ptrdiff_t>(element_bytes(row.b_type));
  for (uint32_t j = 0; j < row.count; ++j, y += row.y_step, a += row.a_step, b += b_step) {
    *y = power(static_cast<Computed<T>>(T(*a)), read_exponent<kExponents>(b, row.b_type));
  }
}

template <TypeSet kBases, TypeSet kExponents>
Status run_pow(const Step& step, const Platform& platform) {
  Binary task(step);
  for_number<kBases>(task.a_type, [&]<typename T>() { task.row = pow_row<T, kExponents>; });
  return run_rows(task, platform);
}

}  // namespace

Status run_pow_of_integers(const Step& step, const Platform& platform) {
  return run_pow<types::kPower & kPowIntegers, kPowIntegers>(step, platform);
}

Status run_pow_of_any(const Step& step, const Platform& platform) {
  return run_pow<types::kPower, types::kAnyNumber>(step, platform);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
