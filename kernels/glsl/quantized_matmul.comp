// Quantised matrix product of any integers.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "quantized_matmul.glsl"
// SPDX-License-Identifier: Apache-2.0
