// The flat number of an invocation in a two-dimensional grid of groups of 64.
layout(local_size_x = 64) in;

uint grid_index() {
  return (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64u + gl_LocalInvocationID.x;
}

// The flat number of a workgroup, for shaders in which a whole group does one thing.
uint grid_group() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }
// SPDX-License-Identifier: Apache-2.0
