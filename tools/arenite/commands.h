// The subcommands of `arenite`: their options as parsed, and what each returns as exit status.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/memory/algorithms.h"

namespace arenite::tools {

// Exit statuses of every command.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;    // ran and failed: mismatch, device error, does not fit
inline constexpr int kBadInput = 2;  // bad usage or bad input

struct PlanCommand {
  std::vector<std::string> models;
  std::vector<std::string> boards;
  std::vector<std::string> shapes;  // INPUT=1,3,224,224
  std::vector<std::string> dims;    // NAME=N
  std::string memory_planner{memory::name_of(memory::kDefaultAlgorithm)};
  std::vector<std::string> disabled_passes;
  std::string fallback = "reserve";
  std::string io = "planned";
  std::string constants = "in_place";
  std::string optimize;  // "speed", "memory", or empty: by the board
  std::string constraints;
  std::string output;
  std::string emit_cc;
  std::string report;  // "", "text", "json", "svg" or "html"
  bool json = false;
};

struct RunCommand {
  std::string program;
  std::string board;
  std::vector<std::string> inputs;  // NAME=FILE, or FILE where the method has one input
  std::string output_dir;
  std::string device = "auto";
  std::string method;
  std::string pipeline_cache;
  uint32_t threads = 1;
  uint32_t repeat = 1;
  bool json = false;
};

struct InspectCommand {
  std::string program;
  bool json = false;
};

struct StripCommand {
  std::string program, board, output;
};

struct MemplanCommand {
  std::string problem;
  std::string algorithm{memory::name_of(memory::kDefaultAlgorithm)};
  std::optional<uint64_t> capacity;
  std::string memories;
  std::optional<double> time_limit;
  uint64_t seed = memory::PackLimits{}.seed;
  std::string constraints;
  std::string report;  // as of plan
  std::string output;
  bool json = false;
};

struct ConformCommand {
  std::vector<std::string> folders;
  std::string board;
  std::string device = "auto";
  bool json = false;
};

struct TargetRunCommand {
  std::string program;
  std::string board;
  std::vector<std::string> inputs;
  std::string output_dir;
  std::string method;
  bool count_memory = false;
  bool json = false;
};

struct DoctorCommand {
  bool json = false;
};

// Each prints its result and returns the exit status. What goes wrong is thrown: InputError and its
// kin.
int run_plan(const PlanCommand& command);
int run_run(const RunCommand& command);
int run_inspect(const InspectCommand& command);
int run_strip(const StripCommand& command);
int run_memplan_command(const MemplanCommand& command);
int run_conform(const ConformCommand& command);
int run_target_run(const TargetRunCommand& command);
int run_doctor(const DoctorCommand& command);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
