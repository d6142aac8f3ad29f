// Quantized convolution of any integers, in one dispatch.
/* words
use quantized_conv_whole
spec WholeSpec
push WholePush
parameters ConvWhole
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "quantized_conv_whole.words.glsl"
#include "quantized_conv_whole.glsl"
// SPDX-License-Identifier: Apache-2.0
