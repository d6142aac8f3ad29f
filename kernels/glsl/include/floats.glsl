// The floats of a shader's operands in memory: of 32 bits, or in its twin (kernels/shaders.def) of
// 16. Both compute in float32. A finite result beyond the greatest 16-bit float is stored as that,
// so that no sum becomes infinite by its storage. To be included after numbers.glsl.

#ifdef HALF_FLOATS
#extension GL_EXT_shader_16bit_storage : require
#define stored float16_t
#define stored4 f16vec4

const float kGreatestHalf = 65504.0;

float bounded(float v) {
  return is_nan(v) || is_infinite(v) ? v : min(max(v, -kGreatestHalf), kGreatestHalf);
}
vec4 bounded4(vec4 v) { return vec4(bounded(v.x), bounded(v.y), bounded(v.z), bounded(v.w)); }
// Macros, since functions that return 16-bit floats would ask for arithmetic in them.
#define store(v) stored(bounded(v))
#define store4(v) stored4(bounded4(v))
#else
#define stored float
#define stored4 vec4
#define store(v) (v)
#define store4(v) (v)
#endif
// SPDX-License-Identifier: Apache-2.0
