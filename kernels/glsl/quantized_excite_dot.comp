// Each channel of an image of bytes times a gate, which two products make of the means of all channels, four products
// at once.
/* words
use quantized_excite
spec ExciteSpec
parameters ExciteParameters
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_spirv_intrinsics : require
#define INTEGER_DOT
#include "quantized_excite_dot.words.glsl"
#include "quantized_excite.glsl"
// SPDX-License-Identifier: Apache-2.0
