// Quantized convolution of any integers.
/* words
use quantized_conv
spec IntegerSumsSpec
push IntegerSumsPush
parameters ConvSums
parameters ElementWords
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "quantized_conv.words.glsl"
#include "quantized_conv.glsl"
// SPDX-License-Identifier: Apache-2.0
