// The JSON objects that commands print; json*.cc write them, and alone include the JSON library.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/fit/fit.h"
#include "planner/graph/obstacles.h"
#include "planner/memplan/memplan.h"
#include "planner/quantizer/quantizer.h"
#include "planner/report/op_support.h"
#include "tools/arenite/expect.h"
#include "tools/arenite/labels.h"
#include "tools/compare/comparison.h"
#include "tools/evaluate/evaluation.h"
#include "tools/io/tensor.h"
#include "tools/run/cost_table.h"
#include "tools/run/measure.h"
#include "tools/run/runner.h"
#include "tools/run/tensor_args.h"
#include "tools/simulate/simulate.h"
#include "tools/target/embedded_image.h"
#include "tools/target/target.h"
#include "tools/target/vectors.h"

namespace arenite::tools {

struct RunReport {
  RunInfo info;
  std::vector<OutputLine> outputs;
  RunTimes times;
  ResidentMemory memory;
  uint32_t runs = 1;             // that the inputs are stacked for
  double pipeline_ms = -1;       // below 0: no Vulkan
  double cold_pipeline_ms = -1;  // below 0: not known
  std::string pipeline_cache;    // "cold", "partly" or "warm"
  uint32_t validation_messages = 0;
  std::vector<ExpectLine> expected;
  std::optional<TopReport> top;
  std::optional<CostTable> profile;
  std::optional<Simulation> simulation;  // in a board's memories
};

struct BenchReport {
  RunInfo info;
  RunTimes times;
  ResidentMemory memory;
  bool made_up_inputs = false;
  CostTable profile;  // of other runs than those that were timed
};

struct TargetReport {
  std::string board;
  RunInfo info;  // of the variant, as the host sees it
  std::vector<OutputLine> outputs;
  TargetResult result;  // of one task
  std::optional<TopReport> top;
  std::optional<ImageParts> parts;   // of an embedded image
  std::optional<CostTable> profile;  // instructions of a run
  bool has_pauses = false;           // result.pauses and greatest_gap were counted
  std::string begin_symbol, end_symbol;
};

struct TargetTestLine {
  std::string program;
  VectorResult result;
};

struct TargetTestReport {
  std::string board;
  bool in_emulator = true;
  std::vector<TargetTestLine> tests;

  uint64_t failed() const;
};

struct TargetBenchReport {
  std::string board;
  TargetResult result;               // of one task
  std::optional<CostTable> profile;  // instructions of a run
  bool made_up_inputs = false;
  std::vector<uint64_t> sorted_clock() const;  // of the runs, least first
};

struct ConformCase {
  std::string name;
  std::string result;  // "passed", "failed", "skipped" or "wrong": the case itself is
  std::string why;
  bool bound = false;                    // shape-deciding inputs were taken as constants
  std::string device;                    // "cpu" or "vulkan"; empty when nothing ran
  std::optional<std::string> fell_back;  // why it was not the device asked for
  uint32_t vulkan_steps = 0, cpu_steps = 0;
};

struct DoctorReport {
  std::vector<VulkanDeviceLine> vulkan;
  std::string vulkan_problem;  // why there are none
  struct Board {
    std::string name;
    bool ready = false;
    std::vector<std::string> missing;
  };
  std::vector<Board> boards;
};

// An operator, of ONNX or of a model.
struct OpLine {
  planner::OpSupport support;
  uint32_t count = 0;        // in the model
  std::string why, instead;  // of one that is not supported, or not as the model uses it
};

struct OpsReport {
  std::string model;  // "" where there is none
  std::vector<OpLine> operators;
};

std::string to_json(const OpsReport& report);
// About the model written to `output`, made from that many samples.
std::string to_json(const planner::QuantizedModel& model, const std::string& output,
                    size_t samples);
std::string to_json(const RunReport& report);
std::string to_json(const Comparison& comparison, bool made_up_inputs);
std::string to_json(const BenchReport& report);
std::string to_json(const Evaluation& evaluation, uint64_t top);
std::string to_json(const TargetReport& report);
std::string to_json(const TargetTestReport& report);
std::string to_json(const TargetBenchReport& report);
std::string to_json(const std::vector<ConformCase>& cases);
std::string to_json(const DoctorReport& report);
// With `whole`, what a report shows beyond the figures: memories, peak and buffers.
std::string to_json(const memory::MemplanResult& result, bool whole);
std::string to_json(const std::vector<planner::FitRow>& rows);
std::string error_json(const std::string& message);
std::string error_json(const planner::ObstaclesError& error);
std::string error_json(const SimulatedFault& error);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
