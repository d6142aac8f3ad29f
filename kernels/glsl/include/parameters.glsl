// The words beyond the push constants: a uniform buffer of the dispatch's own. The shader's table
// defines PARAMETER_BINDING, behind its storage buffers, and PARAMETER_VECTORS.
layout(std140, set = 0, binding = PARAMETER_BINDING) uniform Parameters {
  uvec4 words[PARAMETER_VECTORS];
} parameters;

uint parameter(uint i) { return parameters.words[i >> 2u][i & 3u]; }
float float_parameter(uint i) { return uintBitsToFloat(parameter(i)); }
// SPDX-License-Identifier: Apache-2.0
