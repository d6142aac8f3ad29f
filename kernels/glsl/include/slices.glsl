// Invocations of a group that share four sums of integer products: each adds up a slice of them. A
// shader defines kSlices, and includes grid.glsl before.
const uint kTiles = 64u / kSlices;  // of four sums, of a group
shared ivec4 parts[kSlices > 1u ? 64u : 1u];  // by slice and tile

uint slice() { return kSlices > 1u ? gl_LocalInvocationID.x / kTiles : 0u; }

// The number of an invocation's sums; those at p.count and behind it are nobody's.
uint sums_index() {
  return kSlices > 1u ? grid_group() * kTiles + gl_LocalInvocationID.x % kTiles : grid_index();
}

// Adds up what the slices found. False in invocations that are not to store any.
bool join_slices(inout ivec4 sums) {
  if (kSlices == 1u) return true;
  uint local = gl_LocalInvocationID.x;
  parts[local] = sums;
  barrier();
  if (local >= kTiles) return false;
  for (uint s = 1u; s < kSlices; ++s) sums += parts[s * kTiles + local];
  return true;
}
// SPDX-License-Identifier: Apache-2.0
