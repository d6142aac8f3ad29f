// Quantized convolution of bytes, four products at once, in one dispatch.
/* words
use quantized_conv_whole
spec WholeSpec
push WholePush
parameters ConvWhole
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_spirv_intrinsics : require
#define INTEGER_DOT
#include "quantized_conv_whole_dot.words.glsl"
#include "quantized_conv_whole.glsl"
// SPDX-License-Identifier: Apache-2.0
