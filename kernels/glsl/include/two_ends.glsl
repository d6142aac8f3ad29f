// Biases, multipliers and shifts of two products or convolutions of integers, a uniform buffer each. Include this
// after parameters.glsl and integer_results.glsl.
layout(std140, set = 0, binding = PARAMETER_BINDING + 1) uniform FirstEnds { ivec4 first_ends[1024]; };
layout(std140, set = 0, binding = PARAMETER_BINDING + 2) uniform SecondEnds { ivec4 second_ends[1024]; };

int end_at(bool second, uint at) { return second ? second_ends[at >> 2][at & 3u] : first_ends[at >> 2][at & 3u]; }

// The ends of outputs o to o + 3 of `count`, the last one again where there are fewer. They begin at element `skip`
// of the operand, whose strides are those of a kind of ends and of an output.
Ends ends_of(bool second, uint o, uint count, uint skip, uvec2 strides) {
  uvec4 at = skip + min(o + uvec4(0u, 1u, 2u, 3u), uvec4(count - 1u)) * strides.y;
  Ends ends;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    ends.bias[i] = end_at(second, at[i]);
    ends.multipliers[i] = end_at(second, at[i] + strides.x);
    ends.shifts[i] = end_at(second, at[i] + 2u * strides.x);
  }
  return ends;
}
// SPDX-License-Identifier: Apache-2.0
