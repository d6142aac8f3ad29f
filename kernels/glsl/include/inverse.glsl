// Tangent, hyperbolic functions and the inverses of both, exact to a few ulp; the same methods as
// portable_fallback/shared/trigonometry.cc and hyperbolic.h. To be included after functions.glsl.

const float kHalfPiHigh = 1.57079637;
const float kHalfPiLow = -4.37113883e-8;

float tan_full(float x) {
  float a = abs(x);
  if (!(a < infinity())) return not_a_number();
  uint quadrant;
  float rest = reduce_angle(a, quadrant);
  float s = sin_near(rest), c = cos_near(rest);
  float y = (quadrant & 1u) != 0u ? -c / s : s / c;
  return x < 0.0 ? -y : y;
}

float atan_full(float x) {
  float a = abs(x);
  float t = a, high = 0.0, low = 0.0;
  if (a > 2.41421356) {
    t = -1.0 / a;
    high = kHalfPiHigh;
    low = kHalfPiLow;
  } else if (a > 0.414213562) {
    t = (a - 1.0) / (a + 1.0);
    high = 0.5 * kHalfPiHigh;
    low = 0.5 * kHalfPiLow;
  }
  float z = t * t;
  float q = -6.0844581574e-02;
  q = q * z + 1.0596447438e-01;
  q = q * z - 1.4243918657e-01;
  q = q * z + 1.9998493791e-01;
  q = q * z - 3.3333316445e-01;
  return with_sign_of(((t * z * q + low) + t) + high, x);
}

// |x| < 1/2.
float asin_near(float x) {
  float z = x * x;
  float q = 4.2211294174e-02;
  q = q * z + 2.4152340367e-02;
  q = q * z + 4.5476008207e-02;
  q = q * z + 7.4952520430e-02;
  q = q * z + 1.6666753590e-01;
  return x * z * q + x;
}

float asin_full(float x) {
  float a = abs(x);
  if (a < 0.5) return asin_near(x);
  if (!(a <= 1.0)) return not_a_number();
  float y = 2.0 * asin_near(sqrt(0.5 * (1.0 - a)));
  return with_sign_of((kHalfPiHigh - y) + kHalfPiLow, x);
}

float acos_full(float x) {
  float a = abs(x);
  if (a < 0.5) return (kHalfPiHigh - asin_near(x)) + kHalfPiLow;
  if (!(a <= 1.0)) return not_a_number();
  float y = 2.0 * asin_near(sqrt(0.5 * (1.0 - a)));
  return x > 0.0 ? y : (2.0 * kHalfPiHigh - y) + 2.0 * kHalfPiLow;
}

// e^a / 2 for a >= 0, also where e^a alone overflows.
float half_exp(float a) {
  if (a < 88.0) return 0.5 * exp_full(a);
  float root = exp_full(0.5 * min(a, 200.0));
  return 0.5 * root * root;
}

float sinh_full(float x) {
  float a = abs(x);
  if (a < 1.0) {
    float z = x * x;
    float q = 2.8174356430e-06;
    q = q * z + 1.9836066349e-04;
    q = q * z + 8.3333505318e-03;
    q = q * z + 1.6666667163e-01;
    return x * z * q + x;
  }
  float half_e = half_exp(a);
  return with_sign_of(half_e - 0.25 / half_e, x);
}

float cosh_full(float x) {
  float half_e = half_exp(abs(x));
  return half_e + 0.25 / half_e;
}

// log(1 + x), x >= 0.
float log1p_full(float x) {
  if (x <= 1.0) return log1p_of_share(x);
  float sum = 1.0 + x;
  return log_of_any(sum) + (is_infinite(sum) ? 0.0 : (x - (sum - 1.0)) / sum);
}

float asinh_full(float x) {
  float a = abs(x);
  if (is_infinite(a)) return x;
  if (a > 4096.0) return with_sign_of(log_of_any(a) + 0.693147181, x);
  float square = a * a;
  return with_sign_of(log1p_full(a + square / (1.0 + sqrt(1.0 + square))), x);
}

float acosh_full(float x) {
  if (!(x >= 1.0)) return not_a_number();
  if (x > 4096.0) return log_of_any(x) + 0.693147181;
  float t = x - 1.0;
  return log1p_full(t + sqrt_of_any(2.0 * t + t * t));
}

float atanh_full(float x) {
  float a = abs(x);
  if (!(a <= 1.0)) return not_a_number();
  if (a == 1.0) return with_sign_of(infinity(), x);
  return with_sign_of(0.5 * log1p_full((a + a) / (1.0 - a)), x);
}
// SPDX-License-Identifier: Apache-2.0
