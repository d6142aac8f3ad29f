// y = (x - mean) * (scale / sqrt(variance + epsilon)) + bias, channel by channel; training mode
// takes mean and variance from x itself.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/block.h"
#include "portable_fallback/shared/loop.h"
#include "portable_fallback/shared/math.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

enum Operand : uint32_t { kX, kScale, kBias, kMean, kVariance, kInputs };

struct BatchNormalization {
  explicit BatchNormalization(const Step& step);

  Tensor inputs[kInputs];
  OutTensor y;
  OutTensor running[2];  // mean, variance; null data when not wanted
  BatchNormalizationAttributes attributes;
  NestedLoop rest;  // operands y, x: all axes but the channel's, in logical order
  bool empty;
};

Src<float> vector_at(const Tensor& vector, uint32_t c) {
  return vector.read<float>() + size_t{c} * vector.strides[0];
}

// Calls pixel(y, x) for each position of the rest, both at the block's first channel.
template <typename F>
void for_pixels(const BatchNormalization& task, uint32_t c, F pixel) {
  if (task.empty) return;
  const NestedLoop& rest = task.rest;
  const Tensor& x = task.inputs[kX];
  const Dst<float> y_base = task.y.write<float>() + size_t{c} * task.y.strides[1];
  const Src<float> x_base = x.read<float>() + size_t{c} * x.strides[1];
  for_rows(rest, [&](const RowCursor& row) {
    Dst<float> to = y_base + row.offset(0);
    Src<float> from = x_base + row.offset(1);
    for (uint32_t left = row.count(); left != 0; --left) {
      pixel(to, from);
      to += rest.inner_stride(0);
      from += rest.inner_stride(1);
    }
  });
}

// The numbers that normalize one block of channels.
struct Statistics {
  float mean[kBlock] = {}, variance[kBlock] = {};
};

void measure(const BatchNormalization& task, uint32_t c, uint32_t count, Statistics& found) {
  const size_t x_c = task.inputs[kX].strides[1];
  const float size = task.empty ? 0.0f : static_cast<float>(task.rest.size());
  float sums[kBlock] = {};
  for_pixels(task, c, [&](Dst<float>, Src<float> x) {
    for (uint32_t j = 0; j < count; ++j) sums[j] += x[j * x_c];
  });
  for (uint32_t j = 0; j < count; ++j) found.mean[j] = sums[j] / size;
  float squares[kBlock] = {};
  for_pixels(task, c, [&](Dst<float>, Src<float> x) {
    for (uint32_t j = 0; j < count; ++j) {
      const float d = x[j * x_c] - found.mean[j];
      squares[j] += d * d;
    }
  });
  for (uint32_t j = 0; j < count; ++j) found.variance[j] = squares[j] / size;
}

void store_running(const BatchNormalization& task, uint32_t c, uint32_t count,
                   const Statistics& found) {
  const float momentum = task.attributes.momentum;
  for (uint32_t k = 0; k < 2; ++k) {
    const OutTensor& running = task.running[k];
    if (running.out == nullptr) continue;
    const float* batch = k == 0 ? found.mean : found.variance;
    for (uint32_t j = 0; j < count; ++j) {
      const float old = *vector_at(task.inputs[kMean + k], c + j);
      running.write<float>()[size_t{c + j} * running.strides[0]] =
          old * momentum + batch[j] * (1.0f - momentum);
    }
  }
}

// Items: blocks of channels.
void batch_normalization_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const BatchNormalization*>(argument);
  const size_t x_c = task.inputs[kX].strides[1];
  const size_t y_c = task.y.strides[1];
  const uint32_t channels = task.y.dims[1];
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t c = item * kBlock;
    const uint32_t count = channels - c < kBlock ? channels - c : kBlock;
    Statistics statistics;
    if (task.attributes.training != 0) {
      measure(task, c, count, statistics);
      store_running(task, c, count, statistics);
    } else {
      for (uint32_t j = 0; j < count; ++j) {
        statistics.mean[j] = *vector_at(task.inputs[kMean], c + j);
        statistics.variance[j] = *vector_at(task.inputs[kVariance], c + j);
      }
    }
    float factor[kBlock] = {};
    float bias[kBlock] = {};
    for (uint32_t j = 0; j < count; ++j) {
      factor[j] = *vector_at(task.inputs[kScale], c + j) /
                  sqrt_f32(statistics.variance[j] + task.attributes.epsilon);
      bias[j] = *vector_at(task.inputs[kBias], c + j);
    }
    if (count == kBlock && x_c == 1 && y_c == 1) {
      for_pixels(task, c, [&](Dst<float> y, Src<float> x) {
        // A vector of its own, since y may be x.
        float results[kBlock];
        for (uint32_t j = 0; j < kBlock; ++j) {
          results[j] = (x[j] - statistics.mean[j]) * factor[j] + bias[j];
        }
        for (uint32_t j = 0; j < kBlock; ++j) y[j] = results[j];
      });
      continue;
    }
    for_pixels(task, c, [&](Dst<float> y, Src<float> x) {
      for (uint32_t j = 0; j < count; ++j) {
        y[j * y_c] = (x[j * x_c] - statistics.mean[j]) * factor[j] + bias[j];
      }
    });
  }
}

BatchNormalization::BatchNormalization(const Step& step) {
  for (uint32_t i = 0; i < kInputs; ++i) inputs[i] = step.input(i);
  y = step.output(0);
  for (uint32_t i = 1; i < step.output_count(); ++i) running[i - 1] = step.output(i);
  attributes = step.attributes<BatchNormalizationAttributes>();
  empty = is_empty(y);
  for (uint32_t d = 0; d < y.rank() && !empty; ++d) {
    if (d != 1) rest.add(y.dims[d], signed_stride(y, d), signed_stride(inputs[kX], d));
  }
  rest.merge();
}

// Each block of channels reads all of its input, if it measures it, then reads again as it writes.
uint64_t batch_normalization_distance(const Step& step, uint32_t input) {
  if (input != kX) return kNoOverlap;
  const BatchNormalization task(step);
  if (task.empty) return 0;
  const int64_t x_c = int64_t{task.inputs[kX].strides[1]} * int64_t{sizeof(float)};
  const int64_t y_c = int64_t{task.y.strides[1]} * int64_t{sizeof(float)};
  // All full blocks, then the rest.
  const uint32_t channels = task.y.dims[1];
  const uint32_t counts[2] = {channels / kBlock, 1};
  const uint32_t sizes[2] = {kBlock, channels % kBlock};
  DistanceWalk walk;
  for (uint32_t i = 0; i < 2; ++i) {
    if (counts[i] == 0 || sizes[i] == 0) continue;
    DistanceNest nest(sizeof(float));
    nest.add(DistanceLoop::even(sizes[i], y_c, x_c));
    nest.add(task.rest, 1, sizeof(float));
    nest.add(DistanceLoop::even(counts[i], kBlock * y_c, kBlock * x_c));
    const int64_t c = i == 0 ? 0 : channels - sizes[i];
    walk.nest(nest, c * y_c, c * x_c);
  }
  return walk.bytes();
}

Status run_batch_normalization(const Step& step, const Platform& platform) {
  BatchNormalization task(step);
  const uint64_t work = element_count(task.y) * 4;
  split(platform, blocks_of(task.y.dims[1]), work, batch_normalization_items, &task);
  return ok_status();
}

}  // namespace

constexpr Form kBatchNormalizationForm0 =
    make_form(Op::kBatchNormalization, 0,
              {
                  .parallel = true,
                  .in_place = kAnyPlace,
                  .safe_distance = batch_normalization_distance,
                  .run = run_batch_normalization,
              });
ARENITE_FORM_CODE(BatchNormalization, 0)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
