// Quantized convolution of bytes, four products at once, and a sum, in one dispatch.
/* words
use residual
spec ConvAddSpec
push WholePush
parameters ConvAdd
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_spirv_intrinsics : require
#define INTEGER_DOT
#define RESIDUAL
#include "quantized_conv_add_dot.words.glsl"
#include "quantized_conv_whole.glsl"
// SPDX-License-Identifier: Apache-2.0
