// Tests that Einsum's nodes compute what its equation says, index by index.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using testing::HasSubstr;
using Dims = std::vector<uint32_t>;

struct Sum {
  std::string equation;
  std::vector<Dims> operands;
  // The same without spaces and ellipsis, and with a result.
  std::string plain = {};
  Dims result = {};
};

float element(const TensorData& tensor, const std::string& labels,
              const std::map<char, uint32_t>& at) {
  const std::vector<float> all = floats_of(tensor.bytes);
  size_t place = 0;
  for (size_t d = 0; d < labels.size(); ++d) {
    place = place * tensor.dims[d] + (tensor.dims[d] == 1 ? 0 : at.at(labels[d]));
  }
  return all[place];
}

std::vector<std::string> terms_of(const std::string& equation) {
  std::vector<std::string> terms(1);
  for (const char c : equation.substr(0, equation.find('-'))) {
    if (c == ',') {
      terms.emplace_back();
    } else {
      terms.back() += c;
    }
  }
  return terms;
}

// Over all values of all labels.
std::vector<float> slow_sum(const Sum& sum, const std::vector<TensorData>& inputs) {
  const std::string& equation = sum.plain.empty() ? sum.equation : sum.plain;
  const std::vector<std::string> terms = terms_of(equation);
  const std::string result = equation.substr(equation.find('>') + 1);
  std::map<char, uint32_t> sizes, at;
  for (size_t t = 0; t < terms.size(); ++t) {
    for (size_t d = 0; d < terms[t].size(); ++d) {
      uint32_t& size = sizes[terms[t][d]];
      size = std::max(size, sum.operands[t][d]);
    }
  }
  size_t count = 1;
  for (const char c : result) count *= sizes[c];
  std::vector<float> sums(count);
  for (const auto& entry : sizes) at[entry.first] = 0;
  while (true) {
    float product = 1;
    for (size_t t = 0; t < terms.size(); ++t) product *= element(inputs[t], terms[t], at);
    size_t place = 0;
    for (const char c : result) place = place * sizes[c] + at[c];
    sums[place] += product;
    auto next = at.begin();
    while (next != at.end() && ++next->second == sizes[next->first]) (next++)->second = 0;
    if (next == at.end()) return sums;
  }
}

ModelBuilder& model_of(ModelBuilder& model, const Sum& sum) {
  std::vector<std::string> names;
  for (size_t i = 0; i < sum.operands.size(); ++i) {
    std::vector<std::string> dims;
    for (const uint32_t dim : sum.operands[i]) dims.push_back(std::to_string(dim));
    names.push_back("x" + std::to_string(i));
    model.input(names.back(), dims);
  }
  return model.node("Einsum", names, {"y"}).with("equation", sum.equation.c_str()).output("y");
}

TEST(EinsumImport, ComputesItsEquation) {
  const std::vector<Sum> sums = {
      {"ij,jk->ik", {{3, 4}, {4, 5}}},
      {"bij,bjk->bik", {{2, 3, 4}, {2, 4, 5}}},
      {"bhid,bhjd->bhij", {{2, 3, 4, 5}, {2, 3, 2, 5}}},
      {"bij, bjk -> ki", {{2, 3, 4}, {2, 4, 5}}, "bij,bjk->ki"},
      {"ij->ji", {{3, 4}}},
      {"ij->", {{3, 4}}},
      {"ii->i", {{4, 4}}},
      {"ii->", {{4, 4}}},
      {"aibi->ba", {{2, 3, 4, 3}}},
      {"iii->i", {{3, 3, 3}}},
      {"i,i->", {{5}, {5}}},
      {"i,j->ij", {{3}, {4}}},
      {"ij,ij->ij", {{3, 4}, {3, 4}}},
      {"ij,jk,kl->il", {{2, 3}, {3, 4}, {4, 5}}},
      {"ij,j,ik->jk", {{2, 3}, {3}, {2, 4}}},
      {"abc,cd,def->abef", {{2, 2, 3}, {3, 2}, {2, 2, 3}}},
      {"ijk,jl->i", {{2, 3, 4}, {3, 5}}},
      {"abcd,cdef->abef", {{2, 2, 3, 2}, {3, 2, 2, 3}}},
      {"...ij,...jk->...ik", {{2, 3, 4}, {2, 4, 5}}, "bij,bjk->bik"},
      {"...ij,jk->...ik", {{2, 2, 3, 4}, {4, 5}}, "abij,jk->abik"},
      {"i...,i...->...", {{2, 3, 4}, {2, 4}}, "iab,ib->ab"},
      {"...ij,...jk", {{1, 3, 4}, {2, 4, 5}}, "bij,bjk->bik"},
      {"ba", {{2, 3}}, "ba->ab"},
      {"ij,jk", {{2, 3}, {3, 4}}, "ij,jk->ik"},
      {"ij,kj->ik", {{1, 3}, {1, 3}}},
      {"ij,jk->ik", {{2, 1}, {4, 3}}},
  };
  for (const Sum& sum : sums) {
    SCOPED_TRACE(sum.equation);
    ModelBuilder model(12);
    model_of(model, sum);
    std::vector<TensorData> inputs;
    for (const Dims& dims : sum.operands) {
      inputs.push_back(random_tensor(dims, static_cast<uint32_t>(inputs.size()) + 1));
    }
    const std::vector<float> expected = slow_sum(sum, inputs);
    const std::vector<float> found = run_floats(model, inputs);
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5) << i;
  }
}

TEST(EinsumImport, ProductsAreMatMuls) {
  ModelBuilder attention(12), outer(12);
  const Graph graph = import_onnx(
      model_of(attention, {"bhid,bhjd->bhij", {{2, 3, 4, 5}, {2, 3, 2, 5}}}).bytes(), {});
  EXPECT_EQ(count_ops(graph, Op::kMatMul), 1u);
  EXPECT_EQ(count_ops(graph, Op::kReduceSum), 0u);
  EXPECT_EQ(count_ops(import_onnx(model_of(outer, {"i,j->ij", {{3}, {4}}}).bytes(), {}), Op::kMul),
            1u);
}

TEST(EinsumImport, RefusesWhatDoesNotFit) {
  const std::pair<Sum, const char*> wrong[] = {
      {{"ij,jk->ik", {{2, 3}}}, "has 2 terms, the node 1 inputs"},
      {{"ij->i", {{2, 3, 4}}}, "does not name the dims [2, 3, 4] of input 0"},
      {{"ij,jk->ik", {{2, 3}, {4, 5}}}, "differ: 3 and 4"},
      {{"ij->ik", {{2, 3}}}, "names a dim twice, or one that no input has"},
      {{"ij->ii", {{2, 3}}}, "names a dim twice, or one that no input has"},
      {{"i1->i", {{2, 3}}}, "holds '1'"},
      {{"", {{2, 3}}}, "does not name the dims"},
  };
  for (const auto& [sum, message] : wrong) {
    ModelBuilder model(12);
    EXPECT_THAT(import_error(model_of(model, sum)), HasSubstr(message)) << sum.equation;
  }
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
