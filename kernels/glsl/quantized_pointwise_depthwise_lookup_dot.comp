// Quantized pointwise and depthwise convolution and tables of their results in one dispatch,
// four products at once.
/* words
use quantized_pointwise_depthwise
spec DepthwiseSpec
parameters DepthwiseParameters
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_spirv_intrinsics : require
#define INTEGER_DOT
#define TABLES
#include "quantized_pointwise_depthwise_lookup_dot.words.glsl"
#include "quantized_pointwise_depthwise.glsl"
// SPDX-License-Identifier: Apache-2.0
