// Elementwise functions of float32, exact to a few ulp on every driver: GLSL's own promise less (its
// sine an absolute error of 2^-11). The same methods as portable_fallback/shared/math.h and
// trigonometry.cc. To be included after numbers.glsl.

float with_sign_of(float magnitude, float sign) {
  return uintBitsToFloat(floatBitsToUint(magnitude) | (floatBitsToUint(sign) & 0x80000000u));
}

// e^r * 2^steps, |r| < 0.35.
float exp_times_power_of_two(float r, int steps) {
  float q = 1.9875691500e-4;
  q = q * r + 1.3981999507e-3;
  q = q * r + 8.3334519073e-3;
  q = q * r + 4.1665795894e-2;
  q = q * r + 1.6666665459e-1;
  q = q * r + 5.0000001201e-1;
  q = (q * (r * r) + r) + 1.0;
  // In two factors, neither of which leaves the normal range.
  int half_steps = steps / 2;
  return q * uintBitsToFloat(uint(half_steps + 127) << 23) *
         uintBitsToFloat(uint(steps - half_steps + 127) << 23);
}

float exp_full(float x) {
  float limited = clamp(x, -104.0, 89.0);
  float n = floor(limited * 1.44269504 + 0.5);
  float r = (limited - n * 0.693359375) - n * -2.12194440e-4;
  return exp_times_power_of_two(r, int(n));
}

// The f of a finite positive number 2^n * (1 + f), by its bits; f lies between sqrt(1/2) - 1 and
// sqrt(2) - 1.
float fraction_of(uint bits, out float n) {
  bool subnormal = bits < kSmallestNormal;
  if (subnormal) bits = floatBitsToUint(float(bits));  // times 2^149
  uint above = bits - 0x3f3504f3u;
  n = float((int(above) >> 23) - (subnormal ? 149 : 0));
  return uintBitsToFloat((above & 0x007fffffu) + 0x3f3504f3u) - 1.0;
}

// By its bits: a driver may take a subnormal for 0. GLSL leaves the logarithm of what is no
// positive number to the driver.
float log_of_any(float v) {
  if (is_nan(v)) return v;
  if (is_zero(v)) return -infinity();
  if (is_negative(v)) return not_a_number();
  if (is_infinite(v)) return v;
  float n;
  float f = fraction_of(floatBitsToUint(v), n);
  float q = -7.8595459461e-02;
  q = q * f + 1.2881621718e-01;
  q = q * f - 1.3128767908e-01;
  q = q * f + 1.4181196690e-01;
  q = q * f - 1.6624553502e-01;
  q = q * f + 2.0002286136e-01;
  q = q * f - 2.5000810623e-01;
  q = q * f + 3.3333316445e-01;
  float square = f * f;
  float low = f * square * q + n * -2.12194440e-4;
  return ((low - 0.5 * square) + f) + n * 0.693359375;
}

float sqrt_of_any(float v) {
  if (is_nan(v) || is_zero(v) || (is_infinite(v) && !is_negative(v))) return v;
  return is_negative(v) ? not_a_number() : sqrt(v);
}

// log(1 + x), 0 <= x <= 1.
float log1p_of_share(float x) {
  // log((1 + z) / (1 - z)) with z = x / (2 + x), which is exact for small x.
  float z = x / (2.0 + x);
  float w = z * z;
  float q = 1.0 / 13.0;
  q = q * w + 1.0 / 11.0;
  q = q * w + 1.0 / 9.0;
  q = q * w + 1.0 / 7.0;
  q = q * w + 1.0 / 5.0;
  q = q * w + 1.0 / 3.0;
  return 2.0 * z * (1.0 + w * q);
}

float expm1_full(float x) {
  if (!(abs(x) < 0.5)) return exp_full(x) - 1.0;
  float q = 2.4961889721e-05;
  q = q * x + 1.9973567396e-04;
  q = q * x + 1.3888591202e-03;
  q = q * x + 8.3331428468e-03;
  q = q * x + 4.1666667908e-02;
  q = q * x + 1.6666667163e-01;
  float square = x * x;
  return (x * square * q + 0.5 * square) + x;
}

float tanh_full(float x) {
  float a = abs(x);
  if (a < 0.625) {
    float z = x * x;
    float q = -5.7174954563e-03;
    q = q * z + 2.0651042461e-02;
    q = q * z - 5.3743660450e-02;
    q = q * z + 1.3331493735e-01;
    q = q * z - 3.3333283663e-01;
    return x * z * q + x;
  }
  return with_sign_of(1.0 - 2.0 / (exp_full(min(a + a, 40.0)) + 1.0), x);
}

float erf_full(float x) {
  float a = abs(x);
  if (a < 1.0) {
    float z = x * x;
    float q = 7.8891192970e-05;
    q = q * z - 8.0208410509e-04;
    q = q * z + 5.1895352080e-03;
    q = q * z - 2.6854444295e-02;
    q = q * z + 1.1283600330e-01;
    q = q * z - 3.7612625957e-01;
    return x * (q * z + 0.128379167) + x;
  }
  float limited = min(a, 4.0);
  float q = 6.6282092348e-07;
  q = q * limited + 1.2329882338e-05;
  q = q * limited - 3.8478494389e-04;
  q = q * limited + 4.0133949369e-03;
  q = q * limited - 2.4812791497e-02;
  q = q * limited + 1.0790570080e-01;
  q = q * limited + 6.3362729549e-01;
  q = q * limited + 1.1293970346e+00;
  q = q * limited - 1.5338217781e-04;
  return with_sign_of(1.0 - exp_full(-q), x);
}

// The bits of 2/pi behind the point, after 32 zeros.
const uint kTwoOverPi[8] = uint[8](0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u,
                                   0xdb629599u, 0x3c439041u, 0xfe5163abu);

uint two_over_pi_bits(uint at) {
  uint shift = at % 32u;
  uint word = kTwoOverPi[at / 32u];
  return shift == 0u ? word : word << shift | kTwoOverPi[at / 32u + 1u] >> (32u - shift);
}

// x = quadrant * pi/2 + rest, quadrant modulo 4, for a finite x >= 0 (Payne and Hanek, 1983; step
// by step in portable_fallback/shared/trigonometry.cc).
float reduce_angle(float x, out uint quadrant) {
  quadrant = 0u;
  if (x <= 0.785398163) return x;
  uint bits = floatBitsToUint(x);
  uint m = (bits & 0x007fffffu) | 0x00800000u;
  uint first = (bits >> 23) - 120u;
  uint middle_high, middle_low, low_high, unused, carry;
  umulExtended(m, two_over_pi_bits(first + 32u), middle_high, middle_low);
  umulExtended(m, two_over_pi_bits(first + 64u), low_high, unused);
  uint turns_low = uaddCarry(middle_low, low_high, carry);
  uint turns_high = m * two_over_pi_bits(first) + middle_high + carry;
  quadrant = (turns_high + 0x20000000u) >> 30;
  uint high = turns_high << 2 | turns_low >> 30;
  uint low = turns_low << 2;
  bool negative = high >= 0x80000000u;
  if (negative) {
    low = ~low + 1u;
    high = ~high + (low == 0u ? 1u : 0u);
  }
  if ((high | low) == 0u) return 0.0;
  uint zeros = high != 0u ? uint(31 - findMSB(high)) : uint(63 - findMSB(low));
  uint top = zeros >= 32u ? low << (zeros - 32u)
             : zeros == 0u ? high
                           : high << zeros | low >> (32u - zeros);
  uint product, unused_low;
  umulExtended(top, 0xc90fdaa2u, product, unused_low);
  float rest = float(product) * uintBitsToFloat((96u - zeros) << 23);
  return negative ? -rest : rest;
}

// The sine of |x| <= pi/4, and the cosine.
float sin_near(float x) {
  float z = x * x;
  float q = 2.7183154998e-06;
  q = q * z - 1.9839334709e-04;
  q = q * z + 8.3333291113e-03;
  q = q * z - 1.6666667163e-01;
  return x * z * q + x;
}
float cos_near(float x) {
  float z = x * x;
  float q = -2.7210390385e-07;
  q = q * z + 2.4799521270e-05;
  q = q * z - 1.3888883404e-03;
  q = q * z + 4.1666667908e-02;
  return (1.0 - 0.5 * z) + z * z * q;
}

// sin(|x| + quarters * pi/2).
float turned(float x, uint quarters) {
  float a = abs(x);
  if (!(a < infinity())) return not_a_number();
  uint quadrant;
  float rest = reduce_angle(a, quadrant);
  quadrant += quarters;
  float y = (quadrant & 1u) != 0u ? cos_near(rest) : sin_near(rest);
  return (quadrant & 2u) != 0u ? -y : y;
}

float sin_full(float x) { return x < 0.0 ? -turned(x, 0u) : turned(x, 0u); }
float cos_full(float x) { return turned(x, 1u); }

float softplus(float x) { return max(x, 0.0) + log1p_of_share(exp_full(-abs(x))); }

float mish(float x) {
  if (x > 20.0) return x;
  float e = exp_full(x);
  float n = e * (e + 2.0);
  return x == -infinity() ? not_a_number() : x * (n / (n + 2.0));
}

float swish(float x, float alpha) {
  float inner = alpha * x;
  if (is_infinite(x)) return inner > 0.0 ? x : not_a_number();
  return x / (1.0 + exp_full(-inner));
}

float gelu(float x, bool by_tanh) {
  if (x == -infinity()) return not_a_number();
  if (by_tanh) return 0.5 * x * (1.0 + tanh_full(0.797884561 * (x + 0.044715 * x * x * x)));
  return 0.5 * x * (1.0 + erf_full(x * 0.707106781));
}
// SPDX-License-Identifier: Apache-2.0
