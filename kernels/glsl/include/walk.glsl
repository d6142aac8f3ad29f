// The place of an iteration in up to four operands: the dims of the loops, innermost first, and then
// the operands' strides are parameters from kWalk on. To be included after parameters.glsl, by a shader
// whose parameters have a walk.

void walk(uint i, uint rank, inout uint at[WALK_OPERANDS]) {
  for (uint d = 0u; d < rank; ++d) {
    uint dim = parameter(kWalk + d);
    uint quotient = i / dim;
    uint k = i - quotient * dim;
    for (uint operand = 0u; operand < WALK_OPERANDS; ++operand) {
      at[operand] += k * parameter(kWalk + (operand + 1u) * kWalkDims + d);
    }
    i = quotient;
  }
}
// SPDX-License-Identifier: Apache-2.0
