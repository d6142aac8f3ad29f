// Invocations of a group that share four sums of integer products: each adds up a slice of them. A
// shader defines kSlices and kSumsOfTile, how many times four, and includes grid.glsl before.
const uint kTiles = 64u / kSlices;  // of a group
shared ivec4 parts[kSlices > 1u ? 64u * kSumsOfTile : 1u];  // by sums of a tile, slice and tile

uint slice() { return kSlices > 1u ? gl_LocalInvocationID.x / kTiles : 0u; }

// The number of an invocation's sums; those at p.count and behind it are nobody's.
uint sums_index() {
  return kSlices > 1u ? grid_group() * kTiles + gl_LocalInvocationID.x % kTiles : grid_index();
}

// Whether an invocation stores what its group joins.
bool stores_sums() { return kSlices == 1u || gl_LocalInvocationID.x < kTiles; }

// Leaves sums j of an invocation's tile to the one that stores them; a barrier is to follow.
void leave_slice(uint j, ivec4 sums) {
  if (kSlices > 1u) parts[64u * j + gl_LocalInvocationID.x] = sums;
}

// Adds what the other slices left of sums j.
void join_slice(uint j, inout ivec4 sums) {
  for (uint s = 1u; s < kSlices; ++s) sums += parts[64u * j + s * kTiles + gl_LocalInvocationID.x];
}

// Adds up what the slices found of a tile of four sums. False in invocations that are not to store any.
bool join_slices(inout ivec4 sums) {
  leave_slice(0u, sums);
  if (kSlices > 1u) barrier();
  if (!stores_sums()) return false;
  join_slice(0u, sums);
  return true;
}
// SPDX-License-Identifier: Apache-2.0
