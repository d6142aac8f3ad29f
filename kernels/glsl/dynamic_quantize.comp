// Floats to integers by scales that their own range gives, to the bit as the CPU has them: a pass in
// which groups find the ends of parts of a row, one in which an invocation makes a row's scale and zero
// point of them, and one over the elements.
/* words
use each_element
enum Pass = Ends, Scales, Elements
enum DynamicRange from ops/attributes.h
constant own_words = 3  // of a row's record, but for its parts
spec
  uint store  // as each_element.glsl has it
  Pass pass
push
  uint count, y_skip
parameters
  uint rank, first_skip, row_elements, parts
  int lowest    // number of y's type, which has 8 bits
  uint wanted   // 1: scales, 2: zero points
  DynamicRange range
  walk 3        // over the first buffer, the last, and numbers of rows
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "dynamic_quantize.words.glsl"
#include "parameters.glsl"
#include "numbers.glsl"
#include "float_quotient.glsl"
#include "exact_floats.glsl"

// Ends: x, rows, -. Scales: scales, rows, zero points. Elements: x, rows, y.
layout(set = 0, binding = 0) buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer Rows { uint rows[]; };
layout(set = 0, binding = 2) buffer Y { uint y[]; };

#include "each_element.glsl"

#include "walk.glsl"

// The first word of a row's record: scale, zero point and factor, then the ends of each part, the
// greatest magnitudes of negative numbers and of others.
uint record_of(uint row) { return row * (kOwnWords + 2u * parameter(kParts)); }

shared uint lows[64];
shared uint highs[64];

// Bits of magnitudes compare as the numbers do, subnormal ones too.
void widen(inout uint low, inout uint high, uint bits) {
  uint magnitude = bits & 0x7fffffffu;
  if (magnitude > kInfiniteBits) return;
  if (bits != magnitude) {
    low = max(low, magnitude);
  } else {
    high = max(high, magnitude);
  }
}

void find_ends() {
  uint group = grid_group();
  if (group >= p.count) return;  // a whole group returns
  uint parts = parameter(kParts), elements = parameter(kRowElements);
  uint row = group / parts, part = group - row * parts;
  uint lane = gl_LocalInvocationID.x;
  uint low = 0u, high = 0u;
  for (uint i = part * 64u + lane; i < elements; i += parts * 64u) {
    uint at[3] = uint[3](parameter(kFirstSkip), 0u, 0u);
    walk(row * elements + i, parameter(kRank), at);
    widen(low, high, x[at[0]]);
  }
  lows[lane] = low;
  highs[lane] = high;
  barrier();
  if (lane != 0u) return;
  for (uint i = 1u; i < 64u; ++i) {
    low = max(low, lows[i]);
    high = max(high, highs[i]);
  }
  uint at[3] = uint[3](0u, 0u, 0u);
  walk(row * elements, parameter(kRank), at);
  uint to = record_of(at[2]) + kOwnWords + 2u * part;
  rows[to] = low;
  rows[to + 1u] = high;
}

// Turns a row's elements into integers.
struct Quantizer {
  uint scale;  // bits
  int zero_point;
  uint factor;  // bits; 0: all elements become the zero point
};

const uint kOne = 0x3f800000u;

// The float32 nearest to the quotient of two; 0 divided by 0 is not asked for.
uint divided(uint a, uint b) {
  if (b == kInfiniteBits) return 0u;
  if (b == 0u || a == kInfiniteBits) return kInfiniteBits;
  return float_bits(quotient_of(exact_of_bits(a), exact_of_bits(b)));
}

uint bits_of_whole(uint number) { return float_bits(exact_of(number)); }

Quantizer onnx_quantizer(uint low, uint high) {
  int lowest = int(parameter(kLowest));
  if ((low | high) == 0u) return Quantizer(kOne, lowest, 0u);
  uint range = kInfiniteBits;
  if (max(low, high) != kInfiniteBits) {
    range = float_bits(sum_of(exact_of_bits(high), exact_of_bits(low)));
  }
  uint scale = divided(range, bits_of_whole(255u));
  if (is_nan_quotient(low, scale)) return Quantizer(scale, 0, 0u);
  uint steps = divided(low, scale);
  if (steps == kInfiniteBits) return Quantizer(scale, lowest + 255, 0u);
  // The lowest number plus these, which may be rounded, and then to a whole number.
  Exact down = exact_of(uint(-lowest)), up = exact_of_bits(steps);
  bool negative = is_less(up, down);
  Exact zero = rounded(difference_of(up, down), kFloatBits, kFloatLeast);
  int whole = whole_part(rounded(zero, kDoubleBits, 0));
  return Quantizer(scale, clamp(negative ? -whole : whole, lowest, lowest + 255), 0u);
}

Quantizer symmetric_quantizer(uint low, uint high) {
  uint magnitude = max(low, high), most = bits_of_whole(127u);
  if (magnitude == 0u) return Quantizer(kOne, 0, 0u);
  return Quantizer(divided(magnitude, most), 0, divided(most, magnitude));
}

Quantizer asymmetric_quantizer(uint low, uint high) {
  if ((low | high) == 0u) return Quantizer(kOne, 0, 0u);
  // Quotients of infinities are no numbers, and become 0.
  if (max(low, high) == kInfiniteBits) {
    return Quantizer(kInfiniteBits, high == kInfiniteBits ? 0 : 127, 0u);
  }
  Exact range = as_double(sum_of(exact_of_bits(high), exact_of_bits(low)));
  Exact step = as_double(quotient_of(range, exact_of(255u)));
  Exact to_low = as_double(quotient_of(exact_of_bits(low), step));
  Exact to_high = as_double(quotient_of(exact_of_bits(high), step));
  Exact of_low = exact_of(128u), of_high = exact_of(127u);
  // From the end at which it loses less: to_low - 128 or 127 - to_high.
  bool from_low = is_less(as_double(sum_of(of_low, to_low)), as_double(sum_of(of_high, to_high)));
  bool negative = from_low ? is_less(to_low, of_low) : is_less(of_high, to_high);
  Exact zero = as_double(from_low ? difference_of(to_low, of_low) : difference_of(of_high, to_high));
  int whole = whole_part(as_double(sum_of(zero, Exact(0x80000000u, 0u, -64))));  // plus a half
  uint scale = float_bits(step);
  return Quantizer(scale, clamp(negative ? -whole : whole, -128, 127), divided(kOne, scale));
}

Quantizer quantizer_of(uint low, uint high) {
  if (parameter(kRange) == kTfliteSymmetric) return symmetric_quantizer(low, high);
  if (parameter(kRange) == kTfliteAsymmetric) return asymmetric_quantizer(low, high);
  return onnx_quantizer(low, high);
}

void make_scales() {
  uint i = grid_index();
  if (i >= p.count) return;
  uint at[3] = uint[3](parameter(kFirstSkip), p.y_skip, 0u);
  walk(i, parameter(kRank), at);
  uint record = record_of(at[2]);
  uint low = 0u, high = 0u;
  for (uint part = 0u; part < parameter(kParts); ++part) {
    low = max(low, rows[record + kOwnWords + 2u * part]);
    high = max(high, rows[record + kOwnWords + 2u * part + 1u]);
  }
  Quantizer by = quantizer_of(low, high);
  rows[record] = by.scale;
  rows[record + 1u] = uint(by.zero_point);
  rows[record + 2u] = by.factor;
  if ((parameter(kWanted) & 1u) != 0u) x[at[0]] = by.scale;
  if ((parameter(kWanted) & 2u) != 0u) store_element(kBool, at[1], uint(by.zero_point));
}

// v * factor, neither of them 0; subnormal v only where it counts, and by whole numbers.
float scaled(uint bits, uint factor) {
  if (!is_subnormal(uintBitsToFloat(bits))) {
    return uintBitsToFloat(bits) * uintBitsToFloat(factor);
  }
  int power = int(factor >> 23) - 127;
  if (power < 100) return 0.0;
  float magnitude = float(bits & 0x007fffffu);
  precise float product = magnitude * uintBitsToFloat(factor - (100u << 23));
  product *= uintBitsToFloat((127u - 49u) << 23);
  return (bits >> 31) != 0u ? -product : product;
}

int tflite_element(uint bits, Quantizer by) {
  float v = uintBitsToFloat(bits);
  if (is_zero(uintBitsToFloat(by.factor)) || is_zero(v) || is_nan(v)) return by.zero_point;
  int low = parameter(kRange) == kTfliteSymmetric ? -127 : -128;
  if (by.factor == kInfiniteBits || is_infinite(v)) return (bits >> 31) != 0u ? low : 127;
  precise float product = scaled(bits, by.factor);
  precise float number = float(by.zero_point) + product;
  // Halves away from zero.
  float whole = trunc(number);
  precise float rest = number - whole;
  if (rest >= 0.5) whole += 1.0;
  if (rest <= -0.5) whole -= 1.0;
  return int(clamp(whole, float(low), 127.0));
}

uint element(uint i, out uint y_at) {
  uint at[3] = uint[3](parameter(kFirstSkip), p.y_skip, 0u);
  walk(i, parameter(kRank), at);
  y_at = at[1];
  uint record = record_of(at[2]), bits = x[at[0]];
  Quantizer by = Quantizer(rows[record], int(rows[record + 1u]), rows[record + 2u]);
  int number;
  if (parameter(kRange) != kOnnx) {
    number = tflite_element(bits, by);
  } else if (is_nan_quotient(bits, by.scale)) {
    number = by.zero_point;
  } else {
    int lowest = int(parameter(kLowest));
    number = clamp(rounded_quotient(bits, by.scale, true) + by.zero_point, lowest, lowest + 255);
  }
  return uint(number) & mask_of(kBool);
}

void main() {
  if (kPass == kEnds) {
    find_ends();
  } else if (kPass == kScales) {
    make_scales();
  } else {
    store_elements();
  }
}
// SPDX-License-Identifier: Apache-2.0
