// Every number type to every other: rounding to nearest even, truncating to integers, saturating
// where a float leaves their range.
#include <limits>
#include <type_traits>

#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/map.h"
#include "portable_fallback/shared/small_float.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

// A number between two types: every source is exactly one of these.
struct Number {
  enum class Kind : uint8_t { kSigned, kUnsigned, kFloat } kind;
  uint64_t integer;  // two's complement when signed
  double real;
};

template <typename T>
T load(Src<std::byte> from) {
  T value;
  take(reinterpret_cast<std::byte*>(&value), from, sizeof(T));
  return value;
}

template <typename T>
void store(Dst<std::byte> to, T value) {
  put(to, reinterpret_cast<const std::byte*>(&value), sizeof(T));
}

Number integer_number(int64_t value) {
  return {Number::Kind::kSigned, static_cast<uint64_t>(value), 0.0};
}
Number unsigned_number(uint64_t value) { return {Number::Kind::kUnsigned, value, 0.0}; }
Number real_number(double value) { return {Number::Kind::kFloat, 0, value}; }

// Both for the types of a set: what else there is takes no code.
template <TypeSet kTypes>
Number read_number(Src<std::byte> from, DType type) {
#define ARENITE_CASE(dtype, number)            \
  case DType::dtype:                           \
    if constexpr (has(kTypes, DType::dtype)) { \
      return number;                           \
    }                                          \
    break;
  switch (type) {
    ARENITE_CASE(kUint8, unsigned_number(load<uint8_t>(from)))
    ARENITE_CASE(kUint16, unsigned_number(load<uint16_t>(from)))
    ARENITE_CASE(kUint32, unsigned_number(load<uint32_t>(from)))
    ARENITE_CASE(kUint64, unsigned_number(load<uint64_t>(from)))
    ARENITE_CASE(kInt8, integer_number(load<int8_t>(from)))
    ARENITE_CASE(kInt16, integer_number(load<int16_t>(from)))
    ARENITE_CASE(kInt32, integer_number(load<int32_t>(from)))
    ARENITE_CASE(kInt64, integer_number(load<int64_t>(from)))
    ARENITE_CASE(kFloat16, real_number(small_to_double<kFloat16Format>(load<uint16_t>(from))))
    ARENITE_CASE(kBfloat16, real_number(small_to_double<kBfloat16Format>(load<uint16_t>(from))))
    ARENITE_CASE(kFloat32, real_number(static_cast<double>(load<float>(from))))
    ARENITE_CASE(kFloat64, real_number(load<double>(from)))
    ARENITE_CASE(kBool, unsigned_number(load<uint8_t>(from) != 0 ? 1 : 0))
    case DType::kNone:
      break;
  }
#undef ARENITE_CASE
  return unsigned_number(0);
}

// Floats saturate, and NaN becomes 0.
template <typename T, typename Real>
T truncated(Real real) {
  using Limits = std::numeric_limits<T>;
  // Both are powers of two or 0, exact in every float. What truncates to the lowest saturates to
  // it.
  constexpr auto kLowest = static_cast<Real>(Limits::lowest());
  constexpr T kHalf = Limits::max() / 2 + 1;
  constexpr Real kBeyond = Real{2} * static_cast<Real>(kHalf);
  if (real >= kBeyond) return Limits::max();
  if (real > kLowest) return static_cast<T>(real);
  return real != real ? T{0} : Limits::lowest();
}

// Integers wrap to narrower ones.
template <typename T>
T to_integer(const Number& number) {
  if (number.kind != Number::Kind::kFloat) return static_cast<T>(number.integer);
  return truncated<T>(number.real);
}

// Rounded once: a double keeps 53 bits, so what is cut from a longer integer stays as an odd bit,
// which any narrower format needs to round right.
double to_odd_double(const Number& number) {
  if (number.kind == Number::Kind::kFloat) return number.real;
  uint64_t magnitude = number.integer;
  const bool negative = number.kind == Number::Kind::kSigned && static_cast<int64_t>(magnitude) < 0;
  if (negative) magnitude = uint64_t{0} - magnitude;
  if (magnitude >> 53 != 0) {
    constexpr uint64_t kCut = 0x7ff;
    magnitude = (magnitude & ~kCut) | ((magnitude & kCut) != 0 ? kCut + 1 : 0);
  }
  const auto real = static_cast<double>(magnitude);
  return negative ? -real : real;
}

double to_double(const Number& number) {
  switch (number.kind) {
    case Number::Kind::kSigned:
      return static_cast<double>(static_cast<int64_t>(number.integer));
    case Number::Kind::kUnsigned:
      return static_cast<double>(number.integer);
    case Number::Kind::kFloat:
      break;
  }
  return number.real;
}

// A whole number of 32 bits is rounded by one instruction of most machines.
float to_float(const Number& number) {
  const auto whole = static_cast<int32_t>(number.integer);
  const bool fits = number.kind != Number::Kind::kFloat &&
                    static_cast<uint64_t>(int64_t{whole}) == number.integer &&
                    (whole >= 0 || number.kind == Number::Kind::kSigned);
  return fits ? static_cast<float>(whole) : static_cast<float>(to_odd_double(number));
}

uint8_t to_bool(const Number& number) {
  return number.kind == Number::Kind::kFloat ? number.real != 0.0 : number.integer != 0;
}

template <TypeSet kTypes>
void write_number(Dst<std::byte> to, DType type, const Number& number) {
#define ARENITE_CASE(dtype, value)             \
  case DType::dtype:                           \
    if constexpr (has(kTypes, DType::dtype)) { \
      store(to, value);                        \
    }                                          \
    break;
  switch (type) {
    ARENITE_CASE(kUint8, to_integer<uint8_t>(number))
    ARENITE_CASE(kUint16, to_integer<uint16_t>(number))
    ARENITE_CASE(kUint32, to_integer<uint32_t>(number))
    ARENITE_CASE(kUint64, to_integer<uint64_t>(number))
    ARENITE_CASE(kInt8, to_integer<int8_t>(number))
    ARENITE_CASE(kInt16, to_integer<int16_t>(number))
    ARENITE_CASE(kInt32, to_integer<int32_t>(number))
    ARENITE_CASE(kInt64, to_integer<int64_t>(number))
    ARENITE_CASE(kFloat16, double_to_small<kFloat16Format>(to_odd_double(number)))
    ARENITE_CASE(kBfloat16, double_to_small<kBfloat16Format>(to_odd_double(number)))
    ARENITE_CASE(kFloat32, to_float(number))
    ARENITE_CASE(kFloat64, to_double(number))
    ARENITE_CASE(kBool, to_bool(number))
    case DType::kNone:
      break;
  }
#undef ARENITE_CASE
}

// Types whose numbers become each other by code for the two. Others, which are rarer, go through
// Number: so many pairs would be much code.
constexpr TypeSet kPlainTypes = type_set(DType::kFloat32, DType::kInt8, DType::kUint8,
                                         DType::kInt16, DType::kInt32, DType::kInt64, DType::kBool);

struct Bool {
  uint8_t byte;
};

template <typename T>
T number_of(T element) {
  return element;
}
uint8_t number_of(Bool element) { return element.byte != 0 ? 1 : 0; }

template <typename To, typename From>
To converted(From number) {
  if constexpr (std::is_same_v<To, Bool>) {
    return {static_cast<uint8_t>(number != 0 ? 1 : 0)};
  } else if constexpr (std::is_integral_v<To> && !std::is_integral_v<From>) {
    return truncated<To>(number);
  } else if constexpr (std::is_same_v<From, int64_t> && !std::is_integral_v<To>) {
    return to_float(integer_number(number));
  } else {
    return static_cast<To>(number);
  }
}

template <typename From, typename To>
void cast_plain(const void*, Src<std::byte> x_bytes, Dst<std::byte> y_bytes, uint32_t count) {
  Src<From> x = as<From>(x_bytes);
  Dst<To> y = as<To>(y_bytes);
  for (; count != 0; --count, x += 1, y += 1) *y = converted<To>(number_of(From{*x}));
}

// Integers share code where signs make no difference.
template <typename From, typename To>
constexpr MapRow plain_row_of() {
  if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
    using Lower = std::make_unsigned_t<From>;
    return cast_plain<std::conditional_t<sizeof(To) <= sizeof(From), Lower, From>,
                      std::make_unsigned_t<To>>;
  } else {
    return cast_plain<From, To>;
  }
}

template <TypeSet kTypes, typename F>
void for_plain_type(DType type, F visit) {
  constexpr TypeSet kBool = type_set(DType::kBool);
  if constexpr ((kTypes & kBool) != 0) {
    if (type == DType::kBool) return visit.template operator()<Bool>();
  }
  for_type<kTypes & kPlainTypes & ~kBool>(type, visit);
}

struct Types {
  DType from, to;
};

// Null where one of the types is not plain.
template <TypeSet kTypes>
MapRow plain_row(const Types& types) {
  MapRow row = nullptr;
  for_plain_type<kTypes>(types.from, [&]<typename From>() {
    for_plain_type<kTypes>(types.to, [&]<typename To>() { row = plain_row_of<From, To>(); });
  });
  return row;
}

template <TypeSet kTypes>
void cast_row(const void* context, Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  const auto [from, to] = *static_cast<const Types*>(context);
  for (; count != 0; --count, x += element_bytes(from), y += element_bytes(to)) {
    write_number<kTypes>(y, to, read_number<kTypes>(x, from));
  }
}

template <TypeSet kTypes>
Status run_cast(const Step& step, const Platform& platform) {
  const Types types = {step.input(0).dtype(), step.output(0).dtype()};
  MapRow row = plain_row<kTypes>(types);
  if constexpr ((kTypes & ~kPlainTypes) != 0) {
    if (row == nullptr) row = cast_row<kTypes>;
  }
  return run_map(step, platform, {row, &types, 8});
}

// Both ends must be of the set.
template <TypeSet kTypes>
constexpr Form cast_form(uint8_t number) {
  return make_form(Op::kCast, number,
                   {.parallel = true,
                    .safe_distance = map_distance,
                    .accepts = [](const Step& step) { return has(kTypes, step.output(0).dtype()); },
                    .run = run_cast<kTypes>});
}

}  // namespace

constexpr Form kCastForm0 = cast_form<form_types(Op::kCast, 0)>(0);
ARENITE_FORM_CODE(Cast, 0)
constexpr Form kCastForm2 = cast_form<form_types(Op::kCast, 2)>(2);
ARENITE_FORM_CODE(Cast, 2)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
