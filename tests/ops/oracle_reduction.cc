// Operators whose results are sums: matrix product, softmax, mean, batch normalisation.
#include <cmath>
#include <limits>

#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

using Index = std::vector<uint32_t>;

std::vector<Numbers> matmul(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto attributes = attributes_of<MatMulAttributes>(c);
  const Numbers& a = inputs[0];
  const Numbers& b = inputs[1];
  Numbers y = blank_output(c, 0);
  const size_t rank = y.dims.size();
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Index to = index_of(y.dims, p);
    Index in_a = to;
    Index in_b = to;
    // Panels serve all batches.
    for (size_t d = 0; d + 2 < rank; ++d) in_b[d] = b.dims[d] == 1 ? 0 : to[d];
    Number sum = 0;
    for (uint32_t k = 0; k < a.dims[rank - 1]; ++k) {
      in_a[rank - 1] = k;
      in_b[rank - 2] = k;
      sum += at(a, in_a) * at(b, in_b);
    }
    sum *= static_cast<Number>(attributes.alpha);
    if (inputs.size() > 2 && !c.inputs[2].absent) {
      sum += static_cast<Number>(attributes.beta) * at(inputs[2], to);
    }
    y.values[p] = activated(attributes.activation, sum);
  }
  return {y};
}

// Positions of `x` that agree with `index` outside the axes of the mask.
std::vector<uint64_t> along(const Numbers& x, uint32_t axes, const Index& index) {
  std::vector<uint64_t> positions;
  for (uint64_t p = 0; p < x.values.size(); ++p) {
    const Index other = index_of(x.dims, p);
    bool same = true;
    for (size_t d = 0; d < other.size(); ++d) {
      same = same && ((axes >> d & 1u) != 0 || other[d] == index[d]);
    }
    if (same) positions.push_back(p);
  }
  return positions;
}

std::vector<Numbers> softmax(const OpCase& c, const Numbers& x) {
  const uint32_t axes = attributes_of<SoftmaxAttributes>(c).axes;
  Numbers y = blank_output(c, 0);
  std::vector<bool> done(y.values.size());
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    if (done[p]) continue;
    const std::vector<uint64_t> group = along(x, axes, index_of(y.dims, p));
    Number max = -std::numeric_limits<Number>::infinity();
    for (uint64_t q : group) max = std::fmax(max, x.values[q]);
    Number sum = 0;
    for (uint64_t q : group) sum += std::exp(x.values[q] - max);
    for (uint64_t q : group) {
      y.values[q] = std::exp(x.values[q] - max) / sum;
      done[q] = true;
    }
  }
  return {y};
}

std::vector<Numbers> reduce_mean(const OpCase& c, const Numbers& x) {
  const uint32_t axes = attributes_of<ReduceMeanAttributes>(c).axes;
  Numbers y = blank_output(c, 0);
  std::vector<uint64_t> counts(y.values.size());
  for (uint64_t p = 0; p < x.values.size(); ++p) {
    Index index = index_of(x.dims, p);
    for (size_t d = 0; d < index.size(); ++d) index[d] = (axes >> d & 1u) != 0 ? 0 : index[d];
    const uint64_t to = position_of(y.dims, index);
    y.values[to] += x.values[p];
    ++counts[to];
  }
  for (uint64_t p = 0; p < y.values.size(); ++p) y.values[p] /= static_cast<Number>(counts[p]);
  return {y};
}

std::vector<Numbers> batch_normalization(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<BatchNormalizationAttributes>(c);
  const Numbers& x = inputs[0];
  const uint32_t channels = x.dims[1];
  std::vector<Number> mean = inputs[3].values;
  std::vector<Number> variance = inputs[4].values;
  std::vector<Numbers> outputs;
  for (uint32_t i = 0; i < c.outputs.size(); ++i) outputs.push_back(blank_output(c, i));
  if (a.training != 0) {
    for (uint32_t channel = 0; channel < channels; ++channel) {
      std::vector<Number> values;
      for (uint64_t p = 0; p < x.values.size(); ++p) {
        if (index_of(x.dims, p)[1] == channel) values.push_back(x.values[p]);
      }
      const auto count = static_cast<Number>(values.size());
      Number sum = 0;
      for (Number value : values) sum += value;
      mean[channel] = sum / count;
      Number squares = 0;
      for (Number value : values) squares += (value - mean[channel]) * (value - mean[channel]);
      variance[channel] = squares / count;
    }
    const auto momentum = static_cast<Number>(a.momentum);
    for (uint32_t i = 1; i < outputs.size(); ++i) {
      const std::vector<Number>& batch = i == 1 ? mean : variance;
      for (uint32_t channel = 0; channel < channels; ++channel) {
        outputs[i].values[channel] =
            inputs[2 + i].values[channel] * momentum + batch[channel] * (1 - momentum);
      }
    }
  }
  for (uint64_t p = 0; p < x.values.size(); ++p) {
    const uint32_t channel = index_of(x.dims, p)[1];
    const Number deviation = std::sqrt(variance[channel] + static_cast<Number>(a.epsilon));
    outputs[0].values[p] = (x.values[p] - mean[channel]) / deviation * inputs[1].values[channel] +
                           inputs[2].values[channel];
  }
  return outputs;
}

}  // namespace

std::vector<Numbers> reduction_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  switch (c.op) {
    case Op::kMatMul:
      return matmul(c, inputs);
    case Op::kSoftmax:
      return softmax(c, inputs[0]);
    case Op::kReduceMean:
      return reduce_mean(c, inputs[0]);
    default:
      return batch_normalization(c, inputs);
  }
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
