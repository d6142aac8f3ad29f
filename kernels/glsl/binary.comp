// Family binary of float32: y = activation(f(a, b)), any strides.
/* words
use activation
spec
  Op op
  ActivationKind activation
push
  uint count, rank, a_skip, b_skip, y_skip
  float activation_a, activation_b
  uint dims[6], a_strides[6], b_strides[6], y_strides[6]  // innermost first
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "binary.words.glsl"
#include "grid.glsl"
#include "activation.glsl"
#include "floats.glsl"
#include "functions.glsl"
#include "division.glsl"
#include "power.glsl"

layout(set = 0, binding = 0) readonly buffer A { stored a[]; };
layout(set = 0, binding = 1) readonly buffer B { stored b[]; };
layout(set = 0, binding = 2) writeonly buffer Y { stored y[]; };

float apply(float a, float b) {
  if (kOp == kOpAdd) return a + b;
  if (kOp == kOpMul) return a * b;
  if (kOp == kOpDiv) return a / b;
  if (kOp == kOpSub) return a - b;
  if (kOp == kOpMin) return is_nan(a) ? a : is_nan(b) || b < a ? b : a;
  if (kOp == kOpMax) return is_nan(a) ? a : is_nan(b) || b > a ? b : a;
  if (kOp == kOpPRelu) return is_nan(a) || !is_negative(a) || is_zero(a) ? a : a * b;
  if (kOp == kOpMod) return float_rest(a, b);
  if (kOp == kOpPow) return power(a, float_exponent(b));
  return a;
}

void main() {
  uint rest = grid_index();
  if (rest >= p.count) return;
  uint a_at = p.a_skip, b_at = p.b_skip, y_at = p.y_skip;
  for (uint d = 0u; d + 1u < p.rank; ++d) {
    uint quotient = rest / p.dims[d];
    uint i = rest - quotient * p.dims[d];
    a_at += i * p.a_strides[d];
    b_at += i * p.b_strides[d];
    y_at += i * p.y_strides[d];
    rest = quotient;
  }
  uint last = p.rank - 1u;
  float va = float(a[a_at + rest * p.a_strides[last]]);
  float vb = float(b[b_at + rest * p.b_strides[last]]);
  float v = apply(va, vb);
  y[y_at + rest * p.y_strides[last]] =
      store(activate(kActivation, v, p.activation_a, p.activation_b));
}
// SPDX-License-Identifier: Apache-2.0
