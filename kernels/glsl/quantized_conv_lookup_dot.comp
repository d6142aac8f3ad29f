// Quantized convolution of bytes, four products at once, and a table of its results, in one dispatch.
/* words
use conv_table
spec ConvLookupSpec
push WholePush
parameters ConvLookup
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_spirv_intrinsics : require
#define INTEGER_DOT
#define TABLE
#include "quantized_conv_lookup_dot.words.glsl"
#include "quantized_conv_whole.glsl"
// SPDX-License-Identifier: Apache-2.0
