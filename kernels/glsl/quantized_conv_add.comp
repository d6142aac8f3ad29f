// Quantized convolution of bytes and a sum, in one dispatch.
/* words
use residual
spec ConvAddSpec
push WholePush
parameters ConvAdd
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#define RESIDUAL
#include "quantized_conv_add.words.glsl"
#include "quantized_conv_whole.glsl"
// SPDX-License-Identifier: Apache-2.0
