// Family unary: y = f(x), any strides; and clip with constant bounds.
/* words
use activation
spec
  Op op
push
  uint count, rank, x_skip, y_skip
  float alpha, beta
  uint dims[8], x_strides[8], y_strides[8]  // innermost first
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "unary.words.glsl"
#include "grid.glsl"
#include "activation.glsl"
#include "floats.glsl"
#include "functions.glsl"
#include "inverse.glsl"

layout(set = 0, binding = 0) readonly buffer X { stored x[]; };
layout(set = 0, binding = 1) writeonly buffer Y { stored y[]; };

// Rounded by the bits where a device may not see that x is not 0.
float floor_of_any(float x) {
  if (is_nan(x) || is_infinite(x)) return x;
  if (is_subnormal(x)) return is_negative(x) ? -1.0 : 0.0;
  return floor(x);
}

// Not by way of -x: negating may make a subnormal 0.
float ceil_of_any(float x) {
  if (is_nan(x) || is_infinite(x)) return x;
  if (is_subnormal(x)) return is_negative(x) ? -0.0 : 1.0;
  return ceil(x);
}

float sign_of_any(float x) {
  if (is_nan(x) || is_zero(x)) return x;
  return is_negative(x) ? -1.0 : 1.0;
}

float shrink(float x) {
  if (is_nan(x)) return 0.0;
  if (x < -p.alpha) return x + p.beta;
  return x > p.alpha ? x - p.beta : 0.0;
}

float apply(float x) {
  if (kOp == kOpClip) return clip(x, p.alpha, p.beta);
  if (kOp == kOpHardSigmoid) return hard_sigmoid(x, p.alpha, p.beta);
  if (kOp == kOpSigmoid) return sigmoid(x);
  if (kOp == kOpSqrt) return sqrt_of_any(x);
  if (kOp == kOpExp) return is_nan(x) ? x : exp_full(x);
  if (kOp == kOpLog) return log_of_any(x);
  if (kOp == kOpErf) return is_nan(x) ? x : erf_full(x);
  if (kOp == kOpTanh) return is_nan(x) ? x : tanh_full(x);
  if (kOp == kOpAbs) return abs(x);
  if (kOp == kOpNeg) return -x;
  if (kOp == kOpFloor) return floor_of_any(x);
  if (kOp == kOpCeil) return ceil_of_any(x);
  if (kOp == kOpRound) return is_nan(x) || is_infinite(x) ? x : roundEven(x);
  if (kOp == kOpSign) return sign_of_any(x);
  if (kOp == kOpReciprocal) return 1.0 / x;
  if (kOp == kOpSin) return sin_full(x);
  if (kOp == kOpCos) return cos_full(x);
  if (kOp == kOpTan) return is_nan(x) ? x : tan_full(x);
  if (kOp == kOpAsin) return is_nan(x) ? x : asin_full(x);
  if (kOp == kOpAcos) return is_nan(x) ? x : acos_full(x);
  if (kOp == kOpAtan) return is_nan(x) ? x : atan_full(x);
  if (kOp == kOpSinh) return is_nan(x) ? x : sinh_full(x);
  if (kOp == kOpCosh) return is_nan(x) ? x : cosh_full(x);
  if (kOp == kOpAsinh) return is_nan(x) ? x : asinh_full(x);
  if (kOp == kOpAcosh) return is_nan(x) ? x : acosh_full(x);
  if (kOp == kOpAtanh) return is_nan(x) ? x : atanh_full(x);
  if (kOp == kOpShrink) return shrink(x);
  if (kOp == kOpSwish) return is_nan(x) ? x : swish(x, p.alpha);
  if (kOp == kOpLeakyRelu) return is_negative(x) ? p.alpha * x : x;
  if (kOp == kOpElu) return is_negative(x) ? p.alpha * expm1_full(x) : x;
  if (kOp == kOpSelu) return p.beta * (is_negative(x) ? p.alpha * expm1_full(x) : x);
  if (kOp == kOpCelu) return is_negative(x) ? p.alpha * expm1_full(x / p.alpha) : x;
  if (kOp == kOpThresholdedRelu) return !is_nan(x) && x > p.alpha ? x : 0.0;
  if (kOp == kOpSoftplus) return is_nan(x) ? x : softplus(x);
  if (kOp == kOpSoftsign) return x / (1.0 + abs(x));
  if (kOp == kOpHardSwish) return x * hard_sigmoid(x, 1.0 / 6.0, 0.5);
  if (kOp == kOpMish) return is_nan(x) ? x : mish(x);
  if (kOp == kOpGelu) return is_nan(x) ? x : gelu(x, p.alpha != 0.0);
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
  float v = float(x[x_at + rest * p.x_strides[last]]);
  y[y_at + rest * p.y_strides[last]] = store(apply(v));
}
// SPDX-License-Identifier: Apache-2.0
