// Family binary: y = activation(f(a, b)) for each element. A member is a struct of the operator's
// Type with apply(a, b) -> y, a template over the element type, y being of it or bool; kSigned says
// whether signed integers differ from unsigned ones.
#include <cstdint>
#include <type_traits>

#include "ops/attributes.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/reference/pow.h"
#include "portable_fallback/shared/binary_rows.h"
#include "portable_fallback/shared/float_rest.h"
#include "portable_fallback/shared/is_nan.h"
#include "portable_fallback/shared/modular.h"
#include "portable_fallback/shared/power.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

// Integers wrap.
struct Add {
  static constexpr bool kSigned = false;
  template <typename T>
  static T apply(T a, T b) {
    return wrapped_sum(a, b);
  }
};

struct Mul {
  static constexpr bool kSigned = false;
  template <typename T>
  static T apply(T a, T b) {
    return wrapped_product(a, b);
  }
};

// Integers truncate, wrap, and give 0 for a divisor of 0.
struct Div {
  static constexpr bool kSigned = true;
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return a / b;
    } else {
      if (b == 0) return 0;
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) return wrapped_negative(a);
      }
      return static_cast<T>(a / b);
    }
  }
};

struct Sub {
  static constexpr bool kSigned = false;
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return a - b;
    } else {
      return static_cast<T>(Modular<T>{a} - Modular<T>{b});
    }
  }
};

// A NaN of either stays.
struct Min {
  static constexpr bool kSigned = true;
  template <typename T>
  static T apply(T a, T b) {
    return b < a || is_nan(b) ? b : a;
  }
};

struct Max {
  static constexpr bool kSigned = true;
  template <typename T>
  static T apply(T a, T b) {
    return b > a || is_nan(b) ? b : a;
  }
};

// b is the slope below 0.
struct PRelu {
  static constexpr bool kSigned = true;
  template <typename T>
  static T apply(T a, T b) {
    return a < T{0} ? Mul::apply(a, b) : a;
  }
};

// Any rest of a divisor of 0 is 0, or NaN for floats.
struct ModTruncated {
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return float_rest(a, b);
    } else {
      if (b == 0) return 0;
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) return 0;  // the lowest number by -1 traps
      }
      return static_cast<T>(a % b);
    }
  }
};

struct Mod {
  using Truncated = ModTruncated;
  static constexpr bool kSigned = true;
  template <typename T>
  static T apply(T a, T b) {
    const T rest = ModTruncated::apply(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
  }
};

// For float32 alone; the other types are in pow.cc.
struct Pow {
  static constexpr bool kSigned = true;
  static float apply(float a, float b) { return pow_f32(a, b); }
};

struct Equal {
  static constexpr bool kSigned = false;
  template <typename T>
  static bool apply(T a, T b) {
    return a == b;
  }
};

struct Greater {
  static constexpr bool kSigned = true;
  template <typename T>
  static bool apply(T a, T b) {
    return a > b;
  }
};

struct GreaterOrEqual {
  static constexpr bool kSigned = true;
  template <typename T>
  static bool apply(T a, T b) {
    return a >= b;
  }
};

struct Less {
  static constexpr bool kSigned = true;
  template <typename T>
  static bool apply(T a, T b) {
    return a < b;
  }
};

struct LessOrEqual {
  static constexpr bool kSigned = true;
  template <typename T>
  static bool apply(T a, T b) {
    return a <= b;
  }
};

// For bool: bytes of 0 and 1.
struct LogicalAnd {
  static constexpr bool kSigned = false;
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a != 0 && b != 0);
  }
};

struct LogicalOr {
  static constexpr bool kSigned = false;
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a != 0 || b != 0);
  }
};

struct LogicalXor {
  static constexpr bool kSigned = false;
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>((a != 0) != (b != 0));
  }
};

// For unsigned integers; 0 if all bits are shifted out.
struct ShiftLeft {
  static constexpr bool kSigned = false;
  template <typename T>
  static T apply(T a, T b) {
    return b < 8 * sizeof(T) ? static_cast<T>(static_cast<Modular<T>>(a) << b) : T{0};
  }
};

struct ShiftRight {
  static constexpr bool kSigned = false;
  template <typename T>
  static T apply(T a, T b) {
    return b < 8 * sizeof(T) ? static_cast<T>(a >> b) : T{0};
  }
};

struct BitwiseAnd {
  static constexpr bool kSigned = false;
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};

struct BitwiseOr {
  static constexpr bool kSigned = false;
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};

struct BitwiseXor {
  static constexpr bool kSigned = false;
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

// As stored: a bool is a byte.
template <typename Member, typename T>
using ResultOf =
    std::conditional_t<std::is_same_v<decltype(Member::apply(Computed<T>{}, Computed<T>{})), bool>,
                       uint8_t, T>;

template <typename Member, typename T>
void binary_row(const BinaryRow& row) {
  Dst<ResultOf<Member, T>> y = as<ResultOf<Member, T>>(row.y);
  Src<T> a = as<T>(row.a);
  Src<T> b = as<T>(row.b);
  const uint32_t count = row.count;  // a copy: a byte of y could be one of the row's own
  if constexpr (std::is_same_v<T, float>) {
    if (is_vector_row(row)) {
      if (row.b_step == 0) {
        const float v = *b;
        for (uint32_t j = 0; j < count; ++j) y[j] = Member::apply(float{a[j]}, v);
      } else {
        for (uint32_t j = 0; j < count; ++j) y[j] = Member::apply(float{a[j]}, float{b[j]});
      }
      return;
    }
  } else if constexpr (sizeof(T) == 1) {
    if (is_vector_row(row) && row.b_step == 1) {
      for (uint32_t j = 0; j < count; ++j) y[j] = Member::apply(T(a[j]), T(b[j]));
      return;
    }
  }
  for (uint32_t j = 0; j < count; ++j, y += row.y_step, a += row.a_step, b += row.b_step) {
    *y = Member::apply(static_cast<Computed<T>>(T(*a)), static_cast<Computed<T>>(T(*b)));
  }
}

template <typename Member, typename T>
auto row_of([[maybe_unused]] const BinaryAttributes& attributes) {
  if constexpr (requires { typename Member::Truncated; }) {
    if (attributes.truncated != 0) return binary_row<typename Member::Truncated, T>;
  }
  return binary_row<Member, T>;
}

// Both operands are of the type that tells the form.
template <typename Member, TypeSet kTypes>
Status run_binary(const Step& step, const Platform& platform) {
  Binary task(step);
  for_number<kTypes>(task.a_type, [&]<typename T>() {
    constexpr bool kAsUnsigned = std::is_integral_v<T> && !Member::kSigned;
    using Number = typename std::conditional_t<kAsUnsigned, std::make_unsigned<T>,
                                               std::type_identity<T>>::type;
    task.row = row_of<Member, Number>(task.attributes);
  });
  return run_rows(task, platform);
}

template <typename Member, TypeSet kTypes>
constexpr Form binary_form(Op op, uint8_t number) {
  constexpr bool kIsPow = std::is_same_v<Member, Pow>;
  if constexpr (kIsPow && kTypes != kFloatForm) {
    return pow_form(number);
  } else {
    return make_form(op, number,
                     {.parallel = true,
                      .safe_distance = binary_distance,
                      .accepts = kIsPow ? pow_of_floats : nullptr,
                      .run = run_binary<Member, kTypes>});
  }
}

}  // namespace

#define ARENITE_OP_binary(number, name, Type, set) ARENITE_REFERENCE_FORMS(Type, Type, binary_form)
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
