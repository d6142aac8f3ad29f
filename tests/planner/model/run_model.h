// Imports a built model and interprets it, with and without the passes.
#pragma once

#include <string>
#include <vector>

#include "planner/import/import.h"
#include "tests/planner/model/model_builder.h"

namespace arenite::planner {

// The outputs as the graph gives them before any pass. Optimized results are checked to be within
// 1e-5 of them (relative to the largest element).
std::vector<TensorData> run_model(const ModelBuilder& model, const std::vector<TensorData>& inputs,
                                  const ImportOptions& options = {});

// The same of a graph that no pass has seen.
std::vector<TensorData> run_graph(Graph graph, const std::vector<TensorData>& inputs);

// Output 0 of run_model().
std::vector<float> run_floats(const ModelBuilder& model, const std::vector<TensorData>& inputs);

// Imports a model and runs the passes on it, but for those that are disabled.
Graph optimized(const ModelBuilder& model, const std::vector<std::string>& disabled = {});

// Expects each element to be within 2e-5 of the one expected.
void expect_near(const std::vector<float>& found, const std::vector<double>& expected);

// The message of the error that importing gives, "" where it gives none.
std::string import_error(const ModelBuilder& model, const ImportOptions& options = {});

// Counts the graph's nodes of an operator.
size_t count_ops(const Graph& graph, Op op);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
