// Quantized matrix product of any integers.
/* words
use quantized_matmul
spec IntegerSumsSpec
push IntegerSumsPush
parameters MatMulSums
parameters ElementWords
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "quantized_matmul.words.glsl"
#include "quantized_matmul.glsl"
// SPDX-License-Identifier: Apache-2.0
