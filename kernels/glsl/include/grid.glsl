// The flat number of an invocation in a two-dimensional grid of groups of 64, or of 256 in wide twins, whose
// invocations nobody counts (kernels/shaders.def).
#ifdef WIDE
layout(local_size_x = 256) in;
#else
layout(local_size_x = 64) in;
#endif

uint grid_index() {
  return (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64u + gl_LocalInvocationID.x;
}

// The flat number of a workgroup, for shaders in which a whole group does one thing.
uint grid_group() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }
// SPDX-License-Identifier: Apache-2.0
