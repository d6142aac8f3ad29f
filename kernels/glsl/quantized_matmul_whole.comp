// Quantized matrix product of any integers, in one dispatch.
/* words
use quantized_matmul_whole
spec WholeSpec
push WholePush
parameters MatMulWhole
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "quantized_matmul_whole.words.glsl"
#include "quantized_matmul_whole.glsl"
// SPDX-License-Identifier: Apache-2.0
