// Family binary where an operand or the result is an integer of up to 32 bits or bool, any strides.
/* words
use activation
use each_element
use integers
spec
  uint store  // as each_element.glsl has it
  Op op
  uint type_a  // as integers.glsl has them
  uint type_b
  bool truncated
  ActivationKind activation
push
  uint count, rank, a_skip, b_skip, y_skip
  float activation_a, activation_b
  uint dims[6], a_strides[6], b_strides[6], y_strides[6]  // innermost first
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "binary_any.words.glsl"
#include "activation.glsl"
#include "functions.glsl"
#include "division.glsl"
#include "power.glsl"

layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) buffer Y { uint y[]; };

#include "each_element.glsl"
#include "integers.glsl"

// Numbers that compare as the element does, so that no device's subnormals or NaN change it.
int order_of(uint bits) {
  if (kTypeA != kFloat) return int(bits);
  int magnitude = int(bits & 0x7fffffffu);
  return (bits >> 31) != 0u ? -magnitude : magnitude;
}

bool unordered(uint a, uint b) {
  return kTypeA == kFloat && (is_nan(uintBitsToFloat(a)) || is_nan(uintBitsToFloat(b)));
}

bool compare(uint a, uint b) {
  if (unordered(a, b)) return false;
  int x = order_of(a), z = order_of(b);
  if (kOp == kOpGreater) return x > z;
  if (kOp == kOpGreaterOrEqual) return x >= z;
  if (kOp == kOpLess) return x < z;
  if (kOp == kOpLessOrEqual) return x <= z;
  return x == z;
}

// Exact and wrapping; 1 / x is 0 but for 1 and -1.
uint integer_power(uint x, int exponent) {
  if (exponent < 0 && x != 1u && x != 0xffffffffu) return 0u;
  uint result = 1u;
  for (uint left = magnitude_of(exponent); left != 0u; left >>= 1, x *= x) {
    if ((left & 1u) != 0u) result *= x;
  }
  return result;
}

uint apply(uint a, uint b) {
  if (kOp == kOpAdd) return a + b;
  if (kOp == kOpSub) return a - b;
  if (kOp == kOpMul) return a * b;
  if (kOp == kOpDiv) return uint(quotient_of(int(a), int(b)));
  if (kOp == kOpMod) {
    return uint(kTruncated ? truncated_rest(int(a), int(b)) : floored_rest(int(a), int(b)));
  }
  if (kOp == kOpMin) return uint(min(int(a), int(b)));
  if (kOp == kOpMax) return uint(max(int(a), int(b)));
  if (kOp == kOpPRelu) return int(a) < 0 ? a * b : a;
  if (kOp == kOpPow) {
    if (kTypeA != kFloat) return integer_power(a, int(b));
    float v = power(uintBitsToFloat(a), int_exponent(int(b)));
    return floatBitsToUint(activate(kActivation, v, p.activation_a, p.activation_b));
  }
  if (kOp == kOpShiftLeft) return b < 32u ? a << b : 0u;
  if (kOp == kOpShiftRight) return b < 32u ? a >> b : 0u;
  if (kOp == kOpBitwiseAnd) return a & b;
  if (kOp == kOpBitwiseOr) return a | b;
  if (kOp == kOpBitwiseXor) return a ^ b;
  if (kOp == kOpLogicalAnd) return uint(a != 0u && b != 0u);
  if (kOp == kOpLogicalOr) return uint(a != 0u || b != 0u);
  if (kOp == kOpLogicalXor) return uint((a != 0u) != (b != 0u));
  return uint(compare(a, b));
}

uint element(uint i, out uint y_at) {
  uint a_at = p.a_skip, b_at = p.b_skip;
  y_at = p.y_skip;
  for (uint d = 0u; d + 1u < p.rank; ++d) {
    uint quotient = i / p.dims[d];
    uint k = i - quotient * p.dims[d];
    a_at += k * p.a_strides[d];
    b_at += k * p.b_strides[d];
    y_at += k * p.y_strides[d];
    i = quotient;
  }
  uint last = p.rank - 1u;
  a_at += i * p.a_strides[last];
  b_at += i * p.b_strides[last];
  y_at += i * p.y_strides[last];
  return apply(uint(number_of(kTypeA, a[word_at(kTypeA & 3u, a_at)], a_at)),
               uint(number_of(kTypeB, b[word_at(kTypeB & 3u, b_at)], b_at))) &
         mask_of(kStored);
}

void main() { store_elements(); }
// SPDX-License-Identifier: Apache-2.0
