// Cases of batch_normalization: inference, and training with no, one and two running outputs.
#include <cmath>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

OpCase normalize(const char* name, Operand x, float epsilon = 1e-5f) {
  OpCase c;
  c.name = name;
  c.tolerance = 1e-5;
  c.attributes = words(BatchNormalizationAttributes{epsilon, 0.9f, 0});
  const std::vector<uint32_t> channels = {x.dims[1]};
  c.outputs = {x};
  c.inputs = {std::move(x), tensor(channels), tensor(channels), tensor(channels),
              ranged(tensor(channels), 0.1, 2)};
  return c;
}

OpCase training(OpCase c, uint32_t running_outputs, float momentum = 0.9f) {
  c.name += "_training_" + std::to_string(running_outputs);
  auto a = attributes_of<BatchNormalizationAttributes>(c);
  a.training = 1;
  a.momentum = momentum;
  c.attributes = words(a);
  for (uint32_t i = 0; i < running_outputs; ++i) {
    c.outputs.push_back(tensor(c.inputs[1].dims));
  }
  return c;
}

}  // namespace

std::vector<OpCase> batch_normalization_cases() {
  std::vector<OpCase> cases = {
      normalize("image", channels_last(tensor({2, 5, 4, 3}))),
      normalize("image_row_major", tensor({2, 5, 4, 3})),
      normalize("many_channels", channels_last(tensor({1, 37, 3, 3}))),
      normalize("matrix", tensor({6, 19})),
      normalize("rank_3", tensor({2, 3, 7})),
      normalize("rank_5", tensor({2, 4, 2, 3, 2})),
      normalize("rank_8", tensor({2, 3, 1, 2, 1, 2, 2, 1})),
      normalize("epsilon", tensor({2, 5, 4}), 0.5f),
      normalize("no_channels", tensor({2, 0, 4})),
      normalize("large", channels_last(tensor({1, 40, 33, 31}))),
  };
  for (size_t i = 0, count = cases.size(); i < count; ++i) {
    for (uint32_t outputs = 0; outputs < 3; ++outputs) {
      cases.push_back(training(cases[i], outputs, outputs == 1 ? 0.25f : 0.9f));
    }
  }
  cases.push_back(normalize("no_images", tensor({0, 3, 4})));
  return cases;
}

std::vector<Numbers> batch_normalization_oracle(const OpCase& c,
                                                const std::vector<Numbers>& inputs) {
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

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
