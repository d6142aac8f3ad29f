// Weights, at binding 1: float32, or 16-bit floats two to a word. To be included after the
// specialization constant kWeights. Weights below the least normal 16-bit float may count as 0.
/* words
enum WeightsType = Float32Weights, Float16Weights, Bfloat16Weights
*/

layout(set = 0, binding = 1) readonly buffer Weights { float w[]; };
layout(set = 0, binding = 1) readonly buffer Weights4 { vec4 w4[]; };
layout(set = 0, binding = 1) readonly buffer HalfWeights { uint w_halves[]; };
layout(set = 0, binding = 1) readonly buffer HalfWeights4 { uvec2 w_halves4[]; };

vec2 two_weights(uint word) {
  if (kWeights == kFloat16Weights) return unpackHalf2x16(word);
  return uintBitsToFloat(uvec2(word << 16, word & 0xffff0000u));
}

// The weight at an index.
float weight(uint at) {
  if (kWeights == kFloat32Weights) return w[at];
  vec2 two = two_weights(w_halves[at >> 1]);
  return (at & 1u) == 0u ? two.x : two.y;
}

// Those from 4 * quad on.
vec4 weights_of_quad(uint quad) {
  if (kWeights == kFloat32Weights) return w4[quad];
  uvec2 words = w_halves4[quad];
  return vec4(two_weights(words.x), two_weights(words.y));
}

// Those at four indices.
vec4 weights_at(uvec4 at) {
  return vec4(weight(at.x), weight(at.y), weight(at.z), weight(at.w));
}
// SPDX-License-Identifier: Apache-2.0
