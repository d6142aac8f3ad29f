// y = softmax(scale * q * k^T) * v, without ever storing the matrix of scores: keys are taken in
// blocks, and what has been added up is scaled down where a later block holds a greater score
// (Milakov and Gimelshein, arXiv 1805.02867; Rabe and Staats, arXiv 2112.05682).
//
//   for each query:  m = -inf, l = 0, y = 0
//     for each block of keys:
//       1. s = scale * q . k                  of each key, in eight partial sums
//       2. n = max(m, s), l *= e^(m - n), y *= e^(m - n), m = n
//       3. p = e^(s - m), l += p, y += p * v  of each key
//     y /= l
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/loop.h"
#include "portable_fallback/shared/math.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

constexpr uint32_t kParts = 8;
constexpr uint32_t kBlockKeys = 32;

struct Task {
  explicit Task(const Step& step)
      : q(step.input(0)),
        k(step.input(1)),
        v(step.input(2)),
        y(step.output(0)),
        rank(y.rank()),
        keys(k.dims[rank - 2]),
        depth(k.dims[rank - 1]),
        width(y.dims[rank - 1]),
        attributes(step.attributes<AttentionAttributes>()) {}

  Tensor q, k, v;
  OutTensor y;
  uint32_t rank, keys, depth, width;
  AttentionAttributes attributes;
};

// The stride of dim d to the next matrix or row: 0 where one serves all.
ptrdiff_t step_of(const Tensor& tensor, uint32_t d) {
  return tensor.dims[d] == 1 ? 0 : signed_stride(tensor, d);
}

// Strides along rows and columns.
struct Row {
  Src<float> data;
  ptrdiff_t next, along;
};

float product(Src<float> a, ptrdiff_t a_step, Src<float> b, ptrdiff_t b_step, uint32_t count) {
  float sums[kParts] = {};
  uint32_t i = 0;
  if (a_step == 1 && b_step == 1) {
    for (; i + kParts <= count; i += kParts) {
#pragma GCC unroll 8
      for (uint32_t j = 0; j < kParts; ++j) sums[j] += a[i + j] * b[i + j];
    }
  }
  for (; i < count; ++i) {
    const auto at = static_cast<ptrdiff_t>(i);
    sums[i % kParts] += a[at * a_step] * b[at * b_step];
  }
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

// One query: y, which is its sum so far, over `width` elements.
class Query {
 public:
  Query(Dst<float> y, ptrdiff_t step, uint32_t width) : y_(y), step_(step), width_(width) {
    scale_by(0.0f, true);
  }

  // Adds the values of keys with these scores.
  void add(const float* scores, uint32_t count, const Row& values) {
    float most = most_;
    bool any = false;
    for (uint32_t j = 0; j < count; ++j) {
      most = scores[j] > most ? scores[j] : most;
      any = any || scores[j] != -kInfinity;
    }
    if (!any) return;
    if (most != most_) {
      const float factor = exp_f32(most_ - most);
      sum_ *= factor;
      scale_by(factor, false);
      most_ = most;
    }
    for (uint32_t j = 0; j < count; ++j) {
      const float p = exp_f32(scores[j] - most_);
      sum_ += p;
      add_scaled(p, values.data + static_cast<ptrdiff_t>(j) * values.next, values.along);
    }
  }

  // Without keys y is 0; if all scores are -infinity, it is NaN.
  void finish(bool any_keys) {
    if (!any_keys) return;
    for (uint32_t i = 0; i < width_; ++i) {
      const Dst<float> to = y_ + static_cast<ptrdiff_t>(i) * step_;
      *to = sum_ == 0.0f ? kNan : *to / sum_;
    }
  }

 private:
  void scale_by(float factor, bool fresh) {
    for (uint32_t i = 0; i < width_; ++i) {
      const Dst<float> to = y_ + static_cast<ptrdiff_t>(i) * step_;
      *to = fresh ? 0.0f : *to * factor;
    }
  }

  void add_scaled(float p, Src<float> v, ptrdiff_t along) {
    if (step_ == 1 && along == 1) {
      for (uint32_t i = 0; i < width_; ++i) y_[i] = y_[i] + p * v[i];
      return;
    }
    for (uint32_t i = 0; i < width_; ++i) {
      const auto at = static_cast<ptrdiff_t>(i);
      const Dst<float> to = y_ + at * step_;
      *to = *to + p * v[at * along];
    }
  }

  Dst<float> y_;
  ptrdiff_t step_;
  uint32_t width_;
  float most_ = -kInfinity, sum_ = 0.0f;
};

// Items: queries, counted row-major.
void attention_item(const Task& task, uint32_t item) {
  ptrdiff_t q_at = 0, k_at = 0, v_at = 0, y_at = 0;
  const uint32_t row = item % task.y.dims[task.rank - 2];
  for (uint32_t d = task.rank - 1; d-- > 0;) {
    const auto index = static_cast<ptrdiff_t>(item % task.y.dims[d]);
    item /= task.y.dims[d];
    y_at += index * signed_stride(task.y, d);
    q_at += index * step_of(task.q, d);
    if (d + 2 == task.rank) continue;
    k_at += index * step_of(task.k, d);
    v_at += index * step_of(task.v, d);
  }
  const uint32_t last = task.rank - 1;
  uint32_t keys = task.keys;
  if (task.attributes.causal != 0) {
    const int64_t seen = int64_t{row} + task.attributes.offset + 1;
    keys = seen < 0 ? 0 : seen < keys ? static_cast<uint32_t>(seen) : keys;
  }
  const Src<float> q = task.q.read<float>() + q_at;
  const ptrdiff_t q_step = signed_stride(task.q, last);
  const Row k = {task.k.read<float>() + k_at, signed_stride(task.k, last - 1),
                 signed_stride(task.k, last)};
  const Row v = {task.v.read<float>() + v_at, signed_stride(task.v, last - 1),
                 signed_stride(task.v, last)};
  Query query(task.y.write<float>() + y_at, signed_stride(task.y, last), task.width);
  for (uint32_t first = 0; first < keys; first += kBlockKeys) {
    const uint32_t count = keys - first < kBlockKeys ? keys - first : kBlockKeys;
    float scores[kBlockKeys];
    for (uint32_t j = 0; j < count; ++j) {
      const auto key = static_cast<ptrdiff_t>(first + j);
      scores[j] =
          task.attributes.scale * product(q, q_step, k.data + key * k.next, k.along, task.depth);
    }
    query.add(scores, count, {v.data + static_cast<ptrdiff_t>(first) * v.next, v.next, v.along});
  }
  query.finish(task.keys != 0);
}

void attention_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Task*>(argument);
  for (uint32_t item = first; item < last; ++item) attention_item(task, item);
}

Status run_attention(const Step& step, const Platform& platform) {
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  Task task(step);
  const auto queries = static_cast<uint32_t>(element_count(y) / task.width);
  split(platform, queries, uint64_t{queries} * task.keys * (task.depth + task.width),
        attention_items, &task);
  return ok_status();
}

}  // namespace

constexpr Form kAttentionForm0 = make_form(Op::kAttention, 0,
                                           {
                                               .parallel = true,
                                               .run = run_attention,
                                           });
ARENITE_FORM_CODE(Attention, 0)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
