// Family unary: y = f(x), any strides; and clip with constant bounds.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "grid.glsl"
#include "activation.glsl"
#include "ops.glsl"

layout(constant_id = 0) const uint kOp = 0u;

layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) writeonly buffer Y { float y[]; };

layout(push_constant) uniform Push {
  uint count, rank, x_skip, y_skip;
  float alpha, beta;
  uint dims[8], x_strides[8], y_strides[8];  // innermost first
} p;

// Abramowitz and Stegun 7.1.26: within 1.5e-7.
float erf(float x) {
  if (is_nan(x)) return x;
  float a = min(abs(x), 10.0);
  float t = 1.0 / (1.0 + 0.3275911 * a);
  float p = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  float r = 1.0 - p * exp(-a * a);
  return is_negative(x) ? -r : r;
}

float tanh_or_nan(float x) {
  if (is_nan(x)) return x;
  float e = exp(-2.0 * min(abs(x), 20.0));
  float r = (1.0 - e) / (1.0 + e);
  return is_negative(x) ? -r : r;
}

// Rounded by the bits where a device may not see that x is not 0.
float floor_of_any(float x) {
  if (is_nan(x) || is_infinite(x)) return x;
  if (is_subnormal(x)) return is_negative(x) ? -1.0 : 0.0;
  return floor(x);
}

float ceil_of_any(float x) {
  if (is_nan(x) || is_infinite(x)) return x;
  if (is_subnormal(x)) return is_negative(x) ? 0.0 : 1.0;
  return ceil(x);
}

float sign_of_any(float x) {
  if (is_nan(x) || is_zero(x)) return x;
  return is_negative(x) ? -1.0 : 1.0;
}

// sin(x - n * pi) for an x within a quarter turn of that: Vulkan's own promises no more than 2^-11.
// Pi is in three parts; the first two have few bits, so that n times them is exact.
float sin_near(float x, float n) {
  float r = ((x - n * 3.140625) - n * 9.67502594e-4) - n * 1.50995799e-7;
  float s = r * r;
  float p = 1.0 / 362880.0 - s * (1.0 / 39916800.0);
  p = 1.0 / 120.0 - s * (1.0 / 5040.0 - s * p);
  return r - r * s * (1.0 / 6.0 - s * p);
}

// Whether the n-th half turn goes the other way.
bool is_odd(float n) { return fract(n * 0.5) != 0.0; }

float sin_of_any(float x) {
  if (is_nan(x) || is_infinite(x)) return not_a_number();
  float n = floor(x * 0.318309886 + 0.5);
  float r = sin_near(x, n);
  return is_odd(n) ? -r : r;
}

float cos_of_any(float x) {
  if (is_nan(x) || is_infinite(x)) return not_a_number();
  float n = floor(x * 0.318309886);
  float r = sin_near(x, n + 0.5);
  return is_odd(n) ? r : -r;
}

float expm1_or_nan(float x) { return exp_or_nan((x < -100.0 ? -100.0 : x)) - 1.0; }

float softplus(float x) {
  if (is_nan(x) || is_infinite(x)) return is_negative(x) && !is_nan(x) ? 0.0 : x;
  return max(x, 0.0) + log(1.0 + exp(-abs(x)));
}

float apply(float x) {
  if (kOp == kOpClip) return clip(x, p.alpha, p.beta);
  if (kOp == kOpHardSigmoid) return hard_sigmoid(x, p.alpha, p.beta);
  if (kOp == kOpSigmoid) return sigmoid(x);
  if (kOp == kOpSqrt) return sqrt_of_any(x);
  if (kOp == kOpExp) return x > 88.8 ? infinity() : exp_or_nan((x < -104.0 ? -104.0 : x));
  if (kOp == kOpLog) return log_of_any(x);
  if (kOp == kOpErf) return erf(x);
  if (kOp == kOpTanh) return tanh_or_nan(x);
  if (kOp == kOpAbs) return abs(x);
  if (kOp == kOpNeg) return -x;
  if (kOp == kOpFloor) return floor_of_any(x);
  if (kOp == kOpCeil) return ceil_of_any(x);
  if (kOp == kOpRound) return is_nan(x) || is_infinite(x) ? x : roundEven(x);
  if (kOp == kOpSign) return sign_of_any(x);
  if (kOp == kOpReciprocal) return 1.0 / x;
  if (kOp == kOpSin) return sin_of_any(x);
  if (kOp == kOpCos) return cos_of_any(x);
  if (kOp == kOpLeakyRelu) return is_negative(x) ? p.alpha * x : x;
  if (kOp == kOpElu) return is_negative(x) ? p.alpha * expm1_or_nan(x) : x;
  if (kOp == kOpSelu) return p.beta * (is_negative(x) ? p.alpha * expm1_or_nan(x) : x);
  if (kOp == kOpCelu) return is_negative(x) ? p.alpha * expm1_or_nan(x / p.alpha) : x;
  if (kOp == kOpThresholdedRelu) return !is_nan(x) && x > p.alpha ? x : 0.0;
  if (kOp == kOpSoftplus) return softplus(x);
  if (kOp == kOpSoftsign) return x / (1.0 + abs(x));
  if (kOp == kOpHardSwish) return x * hard_sigmoid(x, 1.0 / 6.0, 0.5);
  return x;
}

void main() {
  uint rest = grid_index();
  if (rest >= p.count) return;
  uint x_at = p.x_skip, y_at = p.y_skip;
  for (uint d = 0u; d + 1u < p.rank; ++d) {
    uint quotient = rest / p.dims[d];
    uint i = rest - quotient * p.dims[d];
    x_at += i * p.x_strides[d];
    y_at += i * p.y_strides[d];
    rest = quotient;
  }
  uint last = p.rank - 1u;
  float v = x[x_at + rest * p.x_strides[last]];
  y[y_at + rest * p.y_strides[last]] = apply(v);
}
// SPDX-License-Identifier: Apache-2.0
