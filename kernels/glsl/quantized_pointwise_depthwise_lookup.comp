// Quantized pointwise and depthwise convolution and tables of their results in one dispatch.
/* words
use quantized_pointwise_depthwise
spec DepthwiseSpec
parameters DepthwiseParameters
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#define TABLES
#include "quantized_pointwise_depthwise_lookup.words.glsl"
#include "quantized_pointwise_depthwise.glsl"
// SPDX-License-Identifier: Apache-2.0
