// Quantized matrix product of bytes, four products at once.
/* words
use quantized_matmul
spec IntegerSumsSpec
push IntegerSumsPush
parameters MatMulSums
parameters ElementWords
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_spirv_intrinsics : require
#define INTEGER_DOT
#include "quantized_matmul_dot.words.glsl"
#include "quantized_matmul.glsl"
// SPDX-License-Identifier: Apache-2.0
