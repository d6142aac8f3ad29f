// Family unary: y = f(x) for each element. A member is a struct of the operator's Type with
// apply(attributes, x) -> y, a template over the element type where it takes others than float32.
#include <cstdint>
#include <type_traits>

#include "ops/attributes.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/double_math.h"
#include "portable_fallback/shared/hyperbolic.h"
#include "portable_fallback/shared/map.h"
#include "portable_fallback/shared/math.h"
#include "portable_fallback/shared/modular.h"
#include "portable_fallback/shared/rounding.h"
#include "portable_fallback/shared/trigonometry.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

struct Sigmoid {
  static float apply(const UnaryAttributes&, float x) { return 1.0f / (1.0f + exp_f32(-x)); }
};

struct HardSigmoid {
  static float apply(const UnaryAttributes& a, float x) {
    const float v = a.alpha * x + a.beta;
    const float low = v > 1.0f ? 1.0f : v;
    return low < 0.0f ? 0.0f : low;  // NaN passes both
  }
};

struct Sqrt {
  static float apply(const UnaryAttributes&, float x) { return x < 0.0f ? kNan : sqrt_f32(x); }
};

struct Exp {
  static float apply(const UnaryAttributes&, float x) { return exp_f32(x); }
  static double apply(const UnaryAttributes&, double x) { return exp_f64(x); }
};

struct Log {
  static float apply(const UnaryAttributes&, float x) { return log_f32(x); }
  static double apply(const UnaryAttributes&, double x) { return log_f64(x); }
};

struct Erf {
  static float apply(const UnaryAttributes&, float x) { return erf_f32(x); }
};

struct Tanh {
  static float apply(const UnaryAttributes&, float x) { return tanh_f32(x); }
};

struct Neg {
  template <typename T>
  static T apply(const UnaryAttributes&, T x) {
    if constexpr (std::is_floating_point_v<T>) {
      return -x;
    } else {
      return wrapped_negative(x);
    }
  }
};

struct Abs {
  template <typename T>
  static T apply(const UnaryAttributes&, T x) {
    if constexpr (std::is_same_v<T, float>) {
      return abs_f32(x);
    } else if constexpr (std::is_floating_point_v<T>) {
      return x > 0 ? x : T{0} - x;
    } else {
      return x < 0 ? wrapped_negative(x) : x;
    }
  }
};

// NaN stays NaN.
struct Sign {
  template <typename T>
  static T apply(const UnaryAttributes&, T x) {
    if (x > 0) return T{1};
    if constexpr (std::is_signed_v<T>) {
      if (x < 0) return T{-1};
    }
    return x;
  }
};

struct Floor {
  static float apply(const UnaryAttributes&, float x) { return floor_f32(x); }
};

struct Ceil {
  static float apply(const UnaryAttributes&, float x) { return ceil_f32(x); }
};

struct Round {
  static float apply(const UnaryAttributes&, float x) { return round_even_f32(x); }
};

struct Reciprocal {
  static float apply(const UnaryAttributes&, float x) { return 1.0f / x; }
};

struct Sin {
  static float apply(const UnaryAttributes&, float x) { return sin_f32(x); }
};

struct Cos {
  static float apply(const UnaryAttributes&, float x) { return cos_f32(x); }
};

struct Tan {
  static float apply(const UnaryAttributes&, float x) { return tan_f32(x); }
};

struct Asin {
  static float apply(const UnaryAttributes&, float x) { return asin_f32(x); }
};

struct Acos {
  static float apply(const UnaryAttributes&, float x) { return acos_f32(x); }
};

struct Atan {
  static float apply(const UnaryAttributes&, float x) { return atan_f32(x); }
};

struct Sinh {
  static float apply(const UnaryAttributes&, float x) { return sinh_f32(x); }
};

struct Cosh {
  static float apply(const UnaryAttributes&, float x) { return cosh_f32(x); }
};

struct Asinh {
  static float apply(const UnaryAttributes&, float x) { return asinh_f32(x); }
};

struct Acosh {
  static float apply(const UnaryAttributes&, float x) { return acosh_f32(x); }
};

struct Atanh {
  static float apply(const UnaryAttributes&, float x) { return atanh_f32(x); }
};

struct LeakyRelu {
  static float apply(const UnaryAttributes& a, float x) { return x < 0.0f ? a.alpha * x : x; }
};

struct ThresholdedRelu {
  static float apply(const UnaryAttributes& a, float x) { return x > a.alpha ? x : 0.0f; }
};

struct Elu {
  static float apply(const UnaryAttributes& a, float x) {
    return x < 0.0f ? a.alpha * expm1_f32(x) : x;
  }
};

struct Selu {
  static float apply(const UnaryAttributes& a, float x) {
    return a.beta * (x < 0.0f ? a.alpha * expm1_f32(x) : x);
  }
};

struct Celu {
  static float apply(const UnaryAttributes& a, float x) {
    return x < 0.0f ? a.alpha * expm1_f32(x / a.alpha) : x;
  }
};

struct Softplus {
  static float apply(const UnaryAttributes&, float x) {
    return (x > 0.0f ? x : 0.0f) + log1p_f32(exp_f32(-abs_f32(x)));
  }
};

struct Softsign {
  static float apply(const UnaryAttributes&, float x) {
    const float magnitude = abs_f32(x);
    return magnitude == kInfinity ? kNan : x / (1.0f + magnitude);
  }
};

// For bool: bytes of 0 and 1.
struct LogicalNot {
  template <typename T>
  static T apply(const UnaryAttributes&, T x) {
    return static_cast<T>(x == 0);
  }
};

struct BitwiseNot {
  template <typename T>
  static T apply(const UnaryAttributes&, T x) {
    return static_cast<T>(~static_cast<Modular<T>>(x));
  }
};

struct HardSwish {
  static float apply(const UnaryAttributes&, float x) {
    return x == -kInfinity ? kNan : x * HardSigmoid::apply({1.0f / 6.0f, 0.5f}, x);
  }
};

// x * tanh(softplus(x)): with e = e^x, tanh(log(1 + e)) = n / (n + 2) where n = e * (e + 2).
struct Mish {
  static float apply(const UnaryAttributes&, float x) {
    if (x > 20.0f) return x;  // the factor rounds to 1
    if (x == -kInfinity) return kNan;
    const float e = exp_f32(x);
    const float n = e * (e + 2.0f);
    return x * (n / (n + 2.0f));
  }
};

// Towards 0 by beta, from alpha on: x of a smaller magnitude is 0. NaN passes neither comparison.
struct Shrink {
  static float apply(const UnaryAttributes& a, float x) {
    if (x < -a.alpha) return x + a.beta;
    return x > a.alpha ? x - a.beta : 0.0f;
  }
};

// x times the sigmoid of alpha * x.
struct Swish {
  static float apply(const UnaryAttributes& a, float x) {
    const float inner = a.alpha * x;
    if (abs_f32(x) == kInfinity) return inner > 0.0f ? x : kNan;
    return x / (1.0f + exp_f32(-inner));
  }
};

// x times the share of a normal distribution below x (Hendrycks and Gimpel, 2016); alpha is 1 for
// their approximation by tanh.
struct Gelu {
  static float apply(const UnaryAttributes& a, float x) {
    if (x == -kInfinity) return kNan;
    if (a.alpha != 0.0f) {
      const float inner = 0.797884561f * (x + 0.044715f * x * x * x);
      return 0.5f * x * (1.0f + tanh_f32(inner));
    }
    return 0.5f * x * (1.0f + erf_f32(x * 0.707106781f));
  }
};

template <typename Member, typename T>
void unary_row(const void* context, Src<std::byte> from, Dst<std::byte> to, uint32_t count) {
  const auto attributes = *static_cast<const UnaryAttributes*>(context);
  Src<T> x = as<T>(from);
  Dst<T> y = as<T>(to);
  for (uint32_t i = 0; i < count; ++i) {
    y[i] = Member::apply(attributes, static_cast<Computed<T>>(T(x[i])));
  }
}

template <typename Member, TypeSet kTypes>
Status run_unary(const Step& step, const Platform& platform) {
  const auto attributes = step.attributes<UnaryAttributes>();
  Map map = {nullptr, &attributes};
  for_number<kTypes>(step.output(0).dtype(), [&]<typename T>() { map.row = unary_row<Member, T>; });
  return run_map(step, platform, map);
}

template <typename Member, TypeSet kTypes>
constexpr Form unary_form(Op op, uint8_t number) {
  return make_form(
      op, number,
      {.parallel = true, .safe_distance = map_distance, .run = run_unary<Member, kTypes>});
}

}  // namespace

#define ARENITE_OP_unary(number, name, Type, set) ARENITE_REFERENCE_FORMS(Type, Type, unary_form)
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
