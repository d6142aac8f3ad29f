// The operands of attention. To be included after parameters.glsl.
/* words
constant kAttentionWidthMax from ops/attributes.h
struct AttentionMatrix
  uint skip, row_stride, column_stride
struct AttentionBatch
  uint dim, strides[4]  // of q, k, v, y
struct AttentionParameters
  uint groups, rows, keys, depth, width, batch_rank
  float scale
  int offset
  AttentionMatrix matrices[4]  // q, k, v, y
  AttentionBatch batch[6]      // innermost first
*/

uint skip_of(uint matrix) { return parameter(kMatrices + kAttentionMatrixWords * matrix + kAttentionMatrixSkip); }
uint row_stride(uint matrix) { return parameter(kMatrices + kAttentionMatrixWords * matrix + kAttentionMatrixRowStride); }
uint column_stride(uint matrix) { return parameter(kMatrices + kAttentionMatrixWords * matrix + kAttentionMatrixColumnStride); }

// Returns where q, k, v and y of a batch begin.
uvec4 starts_of(uint batch) {
  uvec4 at = uvec4(skip_of(0u), skip_of(1u), skip_of(2u), skip_of(3u));
  for (uint d = 0u; d < parameter(kBatchRank); ++d) {
    uint word = kBatch + kAttentionBatchWords * d;
    uint quotient = batch / parameter(word);
    uint i = batch - quotient * parameter(word);
    at += i * uvec4(parameter(word + kAttentionBatchStrides), parameter(word + kAttentionBatchStrides + 1u),
                    parameter(word + kAttentionBatchStrides + 2u), parameter(word + kAttentionBatchStrides + 3u));
    batch = quotient;
  }
  return at;
}
// SPDX-License-Identifier: Apache-2.0
