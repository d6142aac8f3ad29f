// y = softmax(scale * q * k^T) * v by the kernel of float products: the scores of a block of
// queries are one product, and their values another.
#include "portable_fallback/shared/float_attention.h"

#include "ops/attributes.h"
#include "ops/check.h"
#include "portable_fallback/shared/float_work.h"
#include "portable_fallback/shared/loop.h"
#include "portable_fallback/shared/math.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

// Each block copies all keys and values, which so many rows make up for.
constexpr uint32_t kQueriesOfBlock = 64;
// Beyond, the scores of a block would not fit into what scratch can say.
constexpr uint32_t kMostKeys = 1u << 20;
constexpr uint32_t kScoresTogether = 16;  // that share_scores overwrites

size_t step_of(const Tensor& tensor, uint32_t d) {
  return tensor.dims[d] == 1 ? 0 : tensor.strides[d];
}

// Queries of one matrix of y, and what they read.
struct Block {
  const float* q;
  const float* k;
  const float* v;
  float* y;
  uint32_t first, rows;  // queries
};

struct AttentionWork {
  explicit AttentionWork(const Step& step)
      : q(step.input(0)),
        k(step.input(1)),
        v(step.input(2)),
        y(step.output(0)),
        row(y.rank() - 2),
        column(y.rank() - 1),
        queries(y.dims[row]),
        keys(k.dims[row]),
        depth(k.dims[column]),
        width(y.dims[column]),
        row_scores(blocks_over(keys, kScoresTogether) * kScoresTogether),
        blocks(blocks_over(queries, kQueriesOfBlock)),
        rows(blocks_over(queries, blocks)),
        attributes(step.attributes<AttentionAttributes>()) {}

  uint64_t products() const { return element_count(y) / width * keys * (depth + width); }
  uint32_t score_bytes() const { return rows * row_scores * uint32_t{sizeof(float)}; }
  uint32_t thread_bytes() const;
  uint32_t items() const;
  Block block(uint32_t item) const;
  uint32_t keys_of(uint32_t query) const;

  FloatProducts score_products() const;
  FloatProducts value_products() const;

  Tensor q, k, v;
  OutTensor y;
  uint32_t row, column;  // the dims that they are
  uint32_t queries, keys, depth, width;
  uint32_t row_scores;    // floats between the scores of two queries
  uint32_t blocks, rows;  // of a matrix; queries of a block, fewer in the last
  AttentionAttributes attributes;
  const FloatKernel* kernel = nullptr;
  FloatShares* shares = nullptr;
  std::byte* scratch = nullptr;
};

FloatProducts AttentionWork::score_products() const {
  FloatProducts p = matrix_products(rows, depth, keys);
  p.x_w = step_of(q, row);
  p.x_c = q.strides[column];
  set_weights(k, k.strides[row], k.strides[column], depth, p);
  p.y_w = row_scores;
  p.y_c = 1;
  return p;
}

FloatProducts AttentionWork::value_products() const {
  FloatProducts p = matrix_products(rows, keys, width);
  p.x_w = row_scores;
  p.x_c = 1;
  set_weights(v, v.strides[column], v.strides[row], keys, p);
  p.y_w = y.strides[row];
  p.y_c = y.strides[column];
  return p;
}

// Scores, and behind them what either product copies.
uint32_t AttentionWork::thread_bytes() const {
  const uint32_t of_scores = copied_bytes(score_products(), rows);
  const uint32_t of_values = copied_bytes(value_products(), rows);
  return score_bytes() + (of_scores > of_values ? of_scores : of_values);
}

uint32_t AttentionWork::items() const {
  return static_cast<uint32_t>(element_count(y) / width / queries) * blocks;
}

Block AttentionWork::block(uint32_t item) const {
  const uint32_t first = item % blocks * rows;
  Block at = {floats(q) + first * step_of(q, row), floats(k), floats(v),
              floats(y) + first * y.strides[row],  first,     rows};
  if (queries - first < rows) at.rows = queries - first;
  item /= blocks;
  for (uint32_t d = row; d-- > 0;) {
    const uint32_t index = item % y.dims[d];
    item /= y.dims[d];
    at.q += index * step_of(q, d);
    at.k += index * step_of(k, d);
    at.v += index * step_of(v, d);
    at.y += index * y.strides[d];
  }
  return at;
}

// Keys that a query sees: the first ones.
uint32_t AttentionWork::keys_of(uint32_t query) const {
  if (attributes.causal == 0) return keys;
  const int64_t seen = int64_t{query} + attributes.offset + 1;
  return seen < 0 ? 0 : seen < keys ? static_cast<uint32_t>(seen) : keys;
}

// Adds the values of keys [first, last) to one query's.
void add_values(const AttentionWork& work, const Block& block, const float* shares, uint32_t first,
                uint32_t last, float* y) {
  const size_t y_step = work.y.strides[work.column];
  const size_t v_step = work.v.strides[work.column];
  for (uint32_t key = first; key < last; ++key) {
    const float* from = block.v + key * work.v.strides[work.row];
    for (uint32_t i = 0; i < work.width; ++i) y[i * y_step] += shares[key] * from[i * v_step];
  }
}

void fill(const AttentionWork& work, float* y, float value) {
  for (uint32_t i = 0; i < work.width; ++i) y[i * work.y.strides[work.column]] = value;
}

void attend(const AttentionWork& work, const Block& block, std::byte* memory) {
  auto* scores = static_cast<float*>(static_cast<void*>(memory));
  std::byte* copies = memory + work.score_bytes();
  // The keys that all queries of the block see, and those that any does.
  const uint32_t common = work.keys_of(block.first);
  const uint32_t most = work.keys_of(block.first + block.rows - 1);
  FloatProducts p = with_copies(work.score_products(), work.rows, copies);
  p.x = block.q;
  p.w = block.k;
  p.y = scores;
  // A range ends at a panel, or behind the last column.
  const uint32_t panels = blocks_over(most, kProductColumns) * kProductColumns;
  if (most != 0) work.kernel->add(p, {0, block.rows, 0, panels < work.keys ? panels : work.keys});
  for (uint32_t i = 0; i < block.rows; ++i) {
    const uint32_t count = work.keys_of(block.first + i);
    if (count != 0) work.shares(scores + i * work.row_scores, count, work.attributes.scale);
  }
  p = with_copies(work.value_products(), work.rows, copies);
  p.x = scores;
  p.w = block.v;
  p.y = block.y;
  p.channels = common;
  if (common != 0) work.kernel->add(p, {0, block.rows, 0, work.width});
  if (common == work.keys) return;
  for (uint32_t i = 0; i < block.rows; ++i) {
    float* y = block.y + i * work.y.strides[work.row];
    const uint32_t count = work.keys_of(block.first + i);
    if (common == 0) fill(work, y, count == 0 ? kNan : 0.0f);  // no key: a sum of 0 by 0
    add_values(work, block, scores + i * work.row_scores, common, count, y);
  }
}

void attention_blocks(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const AttentionWork*>(argument);
  std::byte* memory = work.scratch + size_t{thread} * work.thread_bytes();
  for (uint32_t item = first; item < last; ++item) attend(work, work.block(item), memory);
}

}  // namespace

bool takes_float_attention(const Step& step) {
  const OutTensor y = step.output(0);
  if (is_empty(y) || is_empty(step.input(0)) || is_empty(step.input(1))) return false;
  const AttentionWork work(step);
  return work.keys <= kMostKeys && gains(uint64_t{work.queries} * work.keys * work.depth);
}

ScratchNeed float_attention_scratch(const Step& step) {
  const AttentionWork work(step);
  const uint32_t bytes = work.thread_bytes();
  // Little work is not split (portable_fallback/shared/split.h).
  return work.products() < kWorthSplitting ? ScratchNeed{.bytes = bytes}
                                           : ScratchNeed{.thread_bytes = bytes};
}

Status run_float_attention(const Step& step, const Platform& platform, const FloatKernel& kernel,
                           FloatShares* shares) {
  AttentionWork work(step);
  work.kernel = &kernel;
  work.shares = shares;
  work.scratch = step.scratch().out;
  split(platform, work.items(), work.products(), attention_blocks, &work);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
