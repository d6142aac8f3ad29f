// Two tables of what results of bytes become, a uniform buffer behind two others. Include this after parameters.glsl.
/* words
struct ResultTables
  uint tables_skip, tables_strides[2]  // of a table, of a number
  int lowest  // number of their type
*/
layout(std140, set = 0, binding = PARAMETER_BINDING + 3) uniform Tables { uvec4 tables[1024]; };

// The elements of a table that four results become.
ivec4 looked_up(uint table, ivec4 results) {
  uvec4 at = parameter(kTablesSkip) + table * parameter(kTablesStrides) +
             (uvec4(results) - parameter(kLowest)) * parameter(kTablesStrides + 1u);
  ivec4 numbers;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    uint bits = tables[at[i] >> 4][at[i] >> 2 & 3u] >> (8u * (at[i] & 3u));
    numbers[i] = int((bits - parameter(kLowest)) & 0xffu) + int(parameter(kLowest));
  }
  return numbers;
}
// SPDX-License-Identifier: Apache-2.0
