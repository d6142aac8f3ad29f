// Transposed convolution over three spatial dims: any groups, any strides, an invocation for each
// output element, which adds up the taps that reach it.
/* words
use conv_volume
spec ConvVolumeSpec
parameters ConvVolumeWords
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "conv_transpose.words.glsl"
#include "conv_volume.glsl"
#include "transposed_taps.glsl"
// SPDX-License-Identifier: Apache-2.0
