// The activations a result may pass through; kinds are those of ops/attributes.h.
/* words
enum ActivationKind from ops/attributes.h as Activation
*/
#include "numbers.glsl"

// min(max(v, low), high), NaN staying NaN: drivers turn comparisons into instructions that drop it
// (NVIDIA's does, `precise` or not).
float clip(float v, float low, float high) {
  float r = v < low ? low : v;
  r = r > high ? high : r;
  return is_nan(v) ? v : r;
}

float hard_sigmoid(float v, float alpha, float beta) { return clip(alpha * v + beta, 0.0, 1.0); }

// exp only sees values <= 0, so it can't overflow.
float sigmoid(float v) {
  float e = exp_or_nan(-abs(v));
  return (v < 0.0 ? e : 1.0) / (1.0 + e);
}

float activate(uint kind, float v, float a, float b) {
  if (kind == kActivationClip) return clip(v, a, b);
  if (kind == kActivationHardSigmoid) return hard_sigmoid(v, a, b);
  if (kind == kActivationSigmoid) return sigmoid(v);
  if (kind == kActivationHardSwish) return v * hard_sigmoid(v, a, b);
  if (kind == kActivationSwish) return v * sigmoid(a * v);
  return v;
}
// SPDX-License-Identifier: Apache-2.0
