// Tests importing attention and rotary embeddings against sums in double precision: ONNX's cases
// here are older than these operators.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "planner/passes/passes.h"
#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;

constexpr double kOut = -std::numeric_limits<double>::infinity();

// [N, heads, length, size], row-major.
struct Heads {
  size_t batch, heads, length, size;
  std::vector<double> data;

  double at(size_t n, size_t h, size_t l, size_t d) const {
    return data[((n * heads + h) * length + l) * size + d];
  }
};

Heads heads_of(const TensorData& tensor) {
  const std::vector<float> floats = floats_of(tensor.bytes);
  return {tensor.dims[0],
          tensor.dims[1],
          tensor.dims[2],
          tensor.dims[3],
          {floats.begin(), floats.end()}};
}

// Splits a tensor of [N, L, heads * size].
Heads split(const TensorData& tensor, size_t heads) {
  const std::vector<float> floats = floats_of(tensor.bytes);
  Heads result{tensor.dims[0], heads, tensor.dims[1], tensor.dims[2] / heads, {}};
  for (size_t n = 0; n < result.batch; ++n) {
    for (size_t h = 0; h < heads; ++h) {
      for (size_t l = 0; l < result.length; ++l) {
        for (size_t d = 0; d < result.size; ++d) {
          const size_t at = ((n * result.length + l) * heads + h) * result.size + d;
          result.data.push_back(double{floats[at]});
        }
      }
    }
  }
  return result;
}

struct Options {
  double scale = 0, softcap = 0;
  // The number added to a score.
  std::function<double(size_t n, size_t h, size_t i, size_t j)> bias = [](size_t, size_t, size_t,
                                                                          size_t) { return 0.0; };
};

std::vector<double> attended(const Heads& q, const Heads& k, const Heads& v, const Options& options,
                             std::vector<double>* biased = nullptr) {
  std::vector<double> y;
  const double scale =
      options.scale != 0 ? options.scale : 1 / std::sqrt(static_cast<double>(q.size));
  for (size_t n = 0; n < q.batch; ++n) {
    for (size_t h = 0; h < q.heads; ++h) {
      const size_t kv = h / (q.heads / k.heads);
      for (size_t i = 0; i < q.length; ++i) {
        std::vector<double> scores;
        for (size_t j = 0; j < k.length; ++j) {
          double s = 0;
          for (size_t d = 0; d < q.size; ++d) s += q.at(n, h, i, d) * k.at(n, kv, j, d);
          s = s * scale + options.bias(n, h, i, j);
          if (biased != nullptr) biased->push_back(s);
          if (options.softcap != 0) s = options.softcap * std::tanh(s / options.softcap);
          scores.push_back(std::exp(s));
        }
        double sum = 0;
        for (const double s : scores) sum += s;
        for (size_t d = 0; d < v.size; ++d) {
          double result = 0;
          for (size_t j = 0; j < k.length; ++j) result += scores[j] / sum * v.at(n, kv, j, d);
          y.push_back(result);
        }
      }
    }
  }
  return y;
}

// Joins heads to [N, L, heads * size].
std::vector<double> joined(const Heads& like, size_t size, const std::vector<double>& y) {
  std::vector<double> result;
  for (size_t n = 0; n < like.batch; ++n) {
    for (size_t l = 0; l < like.length; ++l) {
      for (size_t h = 0; h < like.heads; ++h) {
        for (size_t d = 0; d < size; ++d) {
          result.push_back(y[((n * like.heads + h) * like.length + l) * size + d]);
        }
      }
    }
  }
  return result;
}

TensorData int32_tensor(std::vector<uint32_t> dims, const std::vector<int32_t>& elements) {
  TensorData data{DType::kInt32, std::move(dims), std::vector<std::byte>(elements.size() * 4)};
  std::memcpy(data.bytes.data(), elements.data(), data.bytes.size());
  return data;
}

TEST(AttentionImport, SharesKeysAmongGroupsOfHeads) {
  ModelBuilder model(23);
  model.input("q", {"2", "4", "3", "8"}).input("k", {"2", "2", "5", "8"});
  model.input("v", {"2", "2", "5", "6"}).node("Attention", {"q", "k", "v"}, {"y"}).output("y");
  const TensorData q = random_tensor({2, 4, 3, 8}, 1), k = random_tensor({2, 2, 5, 8}, 2);
  const TensorData v = random_tensor({2, 2, 5, 6}, 3);
  expect_near(run_floats(model, {q, k, v}), attended(heads_of(q), heads_of(k), heads_of(v), {}));
}

TEST(AttentionImport, FlatOperandsMaskAndPast) {
  ModelBuilder model(23);
  model.input("q", {"2", "3", "8"}).input("k", {"2", "3", "8"}).input("v", {"2", "3", "8"});
  model.input("m", {"3", "5"}, DType::kBool).input("pk", {"2", "2", "2", "4"});
  model.input("pv", {"2", "2", "2", "4"});
  model.node("Attention", {"q", "k", "v", "m", "pk", "pv"}, {"y", "kk", "vv"});
  model.with("q_num_heads", 2).with("kv_num_heads", 2).with("scale", 0.7f).with("is_causal", 1);
  model.output("y").output("kk").output("vv");
  const TensorData q = random_tensor({2, 3, 8}, 1), k = random_tensor({2, 3, 8}, 2);
  const TensorData v = random_tensor({2, 3, 8}, 3), pk = random_tensor({2, 2, 2, 4}, 4);
  const TensorData pv = random_tensor({2, 2, 2, 4}, 5);
  std::vector<bool> mask(15, true);
  mask[1] = mask[7] = false;
  const auto grown = [](const TensorData& past, const Heads& more) {
    Heads all{more.batch, more.heads, 5, more.size, {}};
    for (size_t n = 0; n < more.batch; ++n) {
      for (size_t h = 0; h < more.heads; ++h) {
        for (size_t l = 0; l < 5; ++l) {
          for (size_t d = 0; d < more.size; ++d) {
            all.data.push_back(l < 2 ? heads_of(past).at(n, h, l, d) : more.at(n, h, l - 2, d));
          }
        }
      }
    }
    return all;
  };
  const Heads keys = grown(pk, split(k, 2)), values = grown(pv, split(v, 2));
  Options options;
  options.scale = static_cast<double>(0.7f);
  options.bias = [&](size_t, size_t, size_t i, size_t j) {
    return mask[i * 5 + j] && j <= i + 2 ? 0.0 : kOut;
  };
  const auto outputs = run_model(model, {q, k, v, bool_tensor({3, 5}, mask), pk, pv});
  const Heads queries = split(q, 2);
  expect_near(floats_of(outputs[0].bytes),
              joined(queries, 4, attended(queries, keys, values, options)));
  EXPECT_THAT(outputs[1].dims, ElementsAre(2, 2, 5, 4));
  expect_near(floats_of(outputs[1].bytes), keys.data);
  expect_near(floats_of(outputs[2].bytes), values.data);
}

TEST(AttentionImport, SoftcapBiasAndScores) {
  ModelBuilder model(23);
  model.input("q", {"1", "2", "3", "4"}).input("k", {"1", "2", "3", "4"});
  model.input("v", {"1", "2", "3", "4"}).input("m", {"2", "3", "3"});
  model.node("Attention", {"q", "k", "v", "m"}, {"y", "", "", "s"}).with("softcap", 0.5f);
  model.with("qk_matmul_output_mode", 1).output("y").output("s");
  const TensorData q = random_tensor({1, 2, 3, 4}, 1), k = random_tensor({1, 2, 3, 4}, 2);
  const TensorData v = random_tensor({1, 2, 3, 4}, 3), m = random_tensor({2, 3, 3}, 4);
  Options options;
  options.softcap = 0.5;
  const std::vector<float> bias = floats_of(m.bytes);
  options.bias = [&](size_t, size_t h, size_t i, size_t j) {
    return double{bias[(h * 3 + i) * 3 + j]};
  };
  std::vector<double> scores;
  const auto expected = attended(heads_of(q), heads_of(k), heads_of(v), options, &scores);
  const auto outputs = run_model(model, {q, k, v, m});
  expect_near(floats_of(outputs[0].bytes), expected);
  expect_near(floats_of(outputs[1].bytes), scores);
}

std::vector<double> doubles_of(const TensorData& tensor) {
  const std::vector<float> floats = floats_of(tensor.bytes);
  return {floats.begin(), floats.end()};
}

// Queries, keys and values, two heads of four each, of x [2, 3, 4], weights [4, 24], bias [24].
std::vector<Heads> projected(const std::vector<double>& x, const std::vector<double>& w,
                             const std::vector<double>& b) {
  std::vector<Heads> parts;
  for (size_t part = 0; part < 3; ++part) {
    parts.push_back({2, 2, 3, 4, {}});
    for (size_t n = 0; n < 2; ++n) {
      for (size_t h = 0; h < 2; ++h) {
        for (size_t l = 0; l < 3; ++l) {
          for (size_t d = 0; d < 4; ++d) {
            const size_t column = part * 8 + h * 4 + d;
            double sum = b[column];
            for (size_t i = 0; i < 4; ++i) sum += x[(n * 3 + l) * 4 + i] * w[i * 24 + column];
            parts[part].data.push_back(sum);
          }
        }
      }
    }
  }
  return parts;
}

TEST(MicrosoftAttentionImport, ProjectsAndMasks) {
  ModelBuilder model(17);
  model.input("x", {"2", "3", "4"}).input("w", {"4", "24"}).input("b", {"24"});
  model.input("m", {"2"}, DType::kInt32).node("Attention", {"x", "w", "b", "m"}, {"y"});
  model.domain("com.microsoft").with("num_heads", 2).with("unidirectional", 1).output("y");
  const TensorData x = random_tensor({2, 3, 4}, 1), w = random_tensor({4, 24}, 2);
  const TensorData b = random_tensor({24}, 3);
  const std::vector<Heads> parts = projected(doubles_of(x), doubles_of(w), doubles_of(b));
  Options options;
  options.bias = [](size_t n, size_t, size_t i, size_t j) {
    return j > i ? kOut : n == 1 && j >= 2 ? -10000.0 : 0.0;
  };
  expect_near(run_floats(model, {x, w, b, int32_tensor({2}, {3, 2})}),
              joined(parts[0], 4, attended(parts[0], parts[1], parts[2], options)));
}

// The integers of a whole range, and the numbers that they stand for.
struct Quantized {
  TensorData integers;
  std::vector<double> numbers;
};

// A scale and a zero point for each of the last dim, or one.
Quantized quantized(DType type, const std::vector<uint32_t>& dims, const std::vector<float>& scales,
                    const std::vector<int>& zeros) {
  Quantized made;
  std::vector<int> elements;
  for (const float number : floats_of(random_tensor(dims, 7).bytes)) {
    const size_t at = elements.size() % dims.back() % scales.size();
    elements.push_back(static_cast<int>(number * 127) + (type == DType::kUint8 ? 128 : 0));
    made.numbers.push_back((elements.back() - zeros[at]) * double{scales[at]});
  }
  made.integers = integer_tensor(type, dims, elements);
  return made;
}

TEST(QAttentionImport, ProjectsIntegersAndMasks) {
  ModelBuilder model(17);
  const Quantized x = quantized(DType::kUint8, {2, 3, 4}, {0.01f}, {121});
  const Quantized w = quantized(DType::kInt8, {4, 24}, {0.02f}, {-3});
  const TensorData b = random_tensor({24}, 3);
  model.input("x", {"2", "3", "4"}, DType::kUint8).input("m", {"2"}, DType::kInt32);
  model.initializer("w", w.integers).initializer("b", b);
  model.initializer("xs", float_tensor({1}, {0.01f})).initializer("ws", float_tensor({}, {0.02f}));
  model.initializer("xz", integer_tensor(DType::kUint8, {}, {121}));
  model.initializer("wz", integer_tensor(DType::kInt8, {1}, {-3}));
  model.node("QAttention", {"x", "w", "b", "xs", "ws", "m", "xz", "wz"}, {"y"}).output("y");
  model.domain("com.microsoft").with("num_heads", 2).with("unidirectional", 1);
  const std::vector<Heads> parts = projected(x.numbers, w.numbers, doubles_of(b));
  Options options;
  options.bias = [](size_t n, size_t, size_t i, size_t j) {
    return j > i ? kOut : n == 1 && j >= 2 ? -10000.0 : 0.0;
  };
  expect_near(run_floats(model, {x.integers, int32_tensor({2}, {3, 2})}),
              joined(parts[0], 4, attended(parts[0], parts[1], parts[2], options)));
  // The projection is one of integers.
  Graph graph = import_onnx(model.bytes(), {});
  optimize(graph);
  EXPECT_EQ(count_ops(graph, Op::kQuantizedMatMul), 1u);
}

// Scales of columns, a mask of keys, and a past of two.
TEST(QAttentionImport, ScalesOfColumnsAndAPast) {
  ModelBuilder model(17);
  std::vector<float> scales;
  std::vector<int> zeros;
  for (int i = 0; i < 24; ++i) {
    scales.push_back(0.01f + 0.001f * static_cast<float>(i));
    zeros.push_back(100 + i);
  }
  const Quantized x = quantized(DType::kInt8, {2, 3, 4}, {0.01f}, {0});
  const Quantized w = quantized(DType::kUint8, {4, 24}, scales, zeros);
  const TensorData b = random_tensor({24}, 3), past = random_tensor({2, 2, 2, 2, 4}, 4);
  model.input("x", {"2", "3", "4"}, DType::kInt8).input("m", {"2", "5"}, DType::kInt32);
  model.input("p", {"2", "2", "2", "2", "4"}).initializer("w", w.integers).initializer("b", b);
  model.initializer("xs", float_tensor({}, {0.01f})).initializer("ws", float_tensor({24}, scales));
  model.initializer("wz", integer_tensor(DType::kUint8, {24}, zeros));
  model.node("QAttention", {"x", "w", "b", "xs", "ws", "m", "", "wz", "p"}, {"y", "present"});
  model.domain("com.microsoft").with("num_heads", 2).output("y").output("present");
  std::vector<Heads> parts = projected(x.numbers, w.numbers, doubles_of(b));
  const std::vector<double> before = doubles_of(past);
  std::vector<double> present;
  for (size_t part = 1; part < 3; ++part) {
    Heads longer = {2, 2, 5, 4, {}};
    for (size_t i = 0; i < 2 * 2 * 5 * 4; ++i) {
      const size_t head = i / 20, l = i / 4 % 5, d = i % 4;
      longer.data.push_back(l < 2 ? before[((part - 1) * 4 + head) * 8 + l * 4 + d]
                                  : parts[part].data[head * 12 + (l - 2) * 4 + d]);
    }
    parts[part] = longer;
    present.insert(present.end(), longer.data.begin(), longer.data.end());
  }
  const std::vector<int32_t> mask = {1, 1, 1, 0, 0, 1, 0, 1, 1, 1};
  Options options;
  options.bias = [&](size_t n, size_t, size_t, size_t j) {
    return mask[n * 5 + j] != 0 ? 0.0 : -10000.0;
  };
  const auto y = run_model(model, {x.integers, int32_tensor({2, 5}, mask), past});
  expect_near(floats_of(y[0].bytes),
              joined(parts[0], 4, attended(parts[0], parts[1], parts[2], options)));
  EXPECT_EQ(y[1].dims, (std::vector<uint32_t>{2, 2, 2, 5, 4}));
  expect_near(floats_of(y[1].bytes), present);
}

TEST(MultiHeadAttentionImport, AddsBiasesAndTakesPackedQueries) {
  ModelBuilder model(17), packed(17);
  model.input("q", {"2", "3", "8"}).input("k", {"2", "5", "8"}).input("v", {"2", "5", "8"});
  model.input("m", {"2", "5"}, DType::kInt32);
  model.node("MultiHeadAttention", {"q", "k", "v", "", "m"}, {"y"}).domain("com.microsoft");
  model.with("num_heads", 2).with("mask_filter_value", -1e9f).output("y");
  const TensorData q = random_tensor({2, 3, 8}, 1), k = random_tensor({2, 5, 8}, 2);
  const TensorData v = random_tensor({2, 5, 8}, 3);
  const std::vector<int32_t> mask = {1, 1, 1, 0, 0, 1, 0, 1, 1, 1};
  Options options;
  options.bias = [&](size_t n, size_t, size_t, size_t j) {
    return mask[n * 5 + j] != 0 ? 0.0 : -1e9;
  };
  const Heads queries = split(q, 2);
  expect_near(run_floats(model, {q, k, v, int32_tensor({2, 5}, mask)}),
              joined(queries, 4, attended(queries, split(k, 2), split(v, 2), options)));
  packed.input("x", {"1", "3", "2", "3", "4"}).node("MultiHeadAttention", {"x"}, {"y"});
  packed.domain("com.microsoft").with("num_heads", 2).output("y");
  const TensorData x = random_tensor({1, 3, 2, 3, 4}, 1);
  Heads parts[3];
  for (size_t part = 0; part < 3; ++part) {
    parts[part] = {1, 2, 3, 4, {}};
    for (size_t i = 0; i < 24; ++i) {
      const size_t h = i / 12, l = i / 4 % 3, d = i % 4;
      parts[part].data.push_back(double{floats_of(x.bytes)[((l * 2 + h) * 3 + part) * 4 + d]});
    }
  }
  expect_near(run_floats(packed, {x}),
              joined(parts[0], 4, attended(parts[0], parts[1], parts[2], {})));
}

// Element pairs of x [N, heads, L, size] turned by the angles of their places.
std::vector<double> turned(const Heads& x, const std::vector<float>& cos,
                           const std::vector<float>& sin, size_t half, bool interleaved) {
  std::vector<double> y = x.data;
  for (size_t row = 0; row < x.batch * x.heads * x.length; ++row) {
    for (size_t i = 0; i < half; ++i) {
      const size_t a = row * x.size + (interleaved ? 2 * i : i);
      const size_t b = row * x.size + (interleaved ? 2 * i + 1 : i + half);
      const size_t place = row % x.length * half + i;
      y[a] = x.data[a] * double{cos[place]} - x.data[b] * double{sin[place]};
      y[b] = x.data[a] * double{sin[place]} + x.data[b] * double{cos[place]};
    }
  }
  return y;
}

TEST(RotaryEmbeddingImport, HalvesPairsAndRests) {
  for (const bool interleaved : {false, true}) {
    for (const int64_t size : {int64_t{0}, int64_t{4}}) {
      ModelBuilder model(23);
      const uint32_t half = size == 0 ? 3 : 2;
      model.input("x", {"1", "2", "3", "6"}).input("c", {"1", "3", std::to_string(half)});
      model.input("s", {"1", "3", std::to_string(half)});
      model.node("RotaryEmbedding", {"x", "c", "s"}, {"y"})
          .with("interleaved", interleaved ? 1 : 0);
      model.with("rotary_embedding_dim", size).output("y");
      const TensorData x = random_tensor({1, 2, 3, 6}, 1), c = random_tensor({1, 3, half}, 2);
      const TensorData s = random_tensor({1, 3, half}, 3);
      expect_near(run_floats(model, {x, c, s}),
                  turned(heads_of(x), floats_of(c.bytes), floats_of(s.bytes), half, interleaved));
    }
  }
}

TEST(RotaryEmbeddingImport, LooksUpPlaces) {
  ModelBuilder model(17);
  model.input("x", {"1", "3", "8"}).input("p", {"1"}, DType::kInt64).input("c", {"5", "2"});
  model.input("s", {"5", "2"}).node("RotaryEmbedding", {"x", "p", "c", "s"}, {"y"});
  model.domain("com.microsoft").output("y");
  const TensorData x = random_tensor({1, 3, 8}, 1), c = random_tensor({5, 2}, 2);
  const TensorData s = random_tensor({5, 2}, 3);
  const auto from_1 = [](const TensorData& cache) {
    const std::vector<float> all = floats_of(cache.bytes);
    return std::vector<float>(all.begin() + 2, all.begin() + 8);
  };
  const Heads heads = split(x, 2);
  expect_near(run_floats(model, {x, int64_tensor({1}, {1}), c, s}),
              joined(heads, 4, turned(heads, from_1(c), from_1(s), 2, false)));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
