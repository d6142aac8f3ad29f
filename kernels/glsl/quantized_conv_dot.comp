// Quantized convolution of bytes, four products at once.
/* words
use quantized_conv
spec IntegerSumsSpec
push IntegerSumsPush
parameters ConvSums
parameters ElementWords
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_spirv_intrinsics : require
#define INTEGER_DOT
#include "quantized_conv_dot.words.glsl"
#include "quantized_conv.glsl"
// SPDX-License-Identifier: Apache-2.0
