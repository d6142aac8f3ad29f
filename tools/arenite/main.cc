// The `arenite` command: its options and help, and the exit status of whatever goes wrong.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "planner/memory/algorithms.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/errors.h"

namespace arenite::tools {
namespace {

void add_json(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "Print one JSON object on standard output and nothing else");
}

void add_report(CLI::App& app, std::string& report) {
  app.add_option("--report", report,
                 "Print a report on standard output: text, json, svg (a picture of offset against "
                 "time) or html (tables and pictures, for a browser)")
      ->check(CLI::IsMember({"text", "json", "svg", "html"}));
}

void add_tensor_io(CLI::App& app, std::vector<std::string>& inputs, std::string& output_dir) {
  app.add_option("--input", inputs,
                 "An input tensor, .npy, .pb or .bin. NAME= may be left out when there is one "
                 "input. One more leading dimension N runs N times and stacks the outputs")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  app.add_option("--output-dir", output_dir,
                 "Write each output here as NAME.npy; characters outside [A-Za-z0-9._-] become _")
      ->type_name("DIR");
}

std::vector<std::string> algorithms() {
  const auto names = memory::algorithm_names();
  return {names.begin(), names.end()};
}

// "a, b or c"
std::string algorithm_list() {
  const std::vector<std::string> names = algorithms();
  std::string text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) {
    text += (i + 1 == names.size() ? " or " : ", ") + names[i];
  }
  return text;
}

void add_plan(CLI::App& app, PlanCommand& plan) {
  app.add_option("MODEL", plan.models, "ONNX models; each becomes a method")->required();
  app.add_option("--board", plan.boards,
                 "Board to plan for, by name or file; give several for a variant each (default: "
                 "host)")
      ->type_name("NAME|FILE")
      ->allow_extra_args(false);
  app.add_option("--shape", plan.shapes, "Shape of an input")
      ->type_name("INPUT=1,3,224,224")
      ->allow_extra_args(false);
  app.add_option("--dim", plan.dims, "Value of a symbolic dimension")
      ->type_name("NAME=N")
      ->allow_extra_args(false);
  app.add_option("--memory-planner", plan.memory_planner, algorithm_list())
      ->check(CLI::IsMember(algorithms()))
      ->capture_default_str();
  app.add_option("--fallback", plan.fallback,
                 "reserve: keep what a rerun on the CPU needs when a device is lost; none: reuse "
                 "its bytes")
      ->check(CLI::IsMember({"reserve", "none"}))
      ->capture_default_str();
  app.add_option(
         "--optimize", plan.optimize,
         "speed: on the CPU no step runs on one thread, and nothing is copied, to save bytes; "
         "memory: fewest bytes (default: memory where a memory of the board has a limit)")
      ->check(CLI::IsMember({"speed", "memory"}));
  app.add_option("--constraints", plan.constraints,
                 "Tensors to bar from memories, to pin or to tie together, on the CPU "
                 "(docs/constraints.md)")
      ->type_name("FILE");
  app.add_option("--io", plan.io,
                 "planned: inputs and outputs lie in the arenas; caller: on the CPU they take no "
                 "arena bytes, the application binds its own memory to them")
      ->check(CLI::IsMember({"planned", "caller"}))
      ->capture_default_str();
  app.add_option("--constants", plan.constants,
                 "in_place: read where they are stored; near: those that a step reads again and "
                 "again are copied, once a run, into what is left free of the board's first memory")
      ->check(CLI::IsMember({"in_place", "near"}))
      ->capture_default_str();
  app.add_option("--disable", plan.disabled_passes,
                 "Leave out a pass of the planner; a wrong name lists them all")
      ->type_name("PASS")
      ->allow_extra_args(false);
  app.add_option("-o", plan.output, "Program file (default: the first model's name, here)")
      ->type_name("OUT.arn");
  app.add_option("--emit-cc", plan.emit_cc, "Write the program as C++ for firmware to this folder")
      ->type_name("DIR");
  add_report(app, plan.report);
  add_json(app, plan.json);
}

void add_run(CLI::App& app, RunCommand& run) {
  app.add_option("PROGRAM", run.program, "Program file")->required();
  app.add_option("--board", run.board, "Use only variants planned for this board");
  add_tensor_io(app, run.inputs, run.output_dir);
  app.add_option("--device", run.device, "auto, cpu, vulkan, vulkan:INDEX or vulkan:NAME")
      ->capture_default_str();
  app.add_option("--threads", run.threads, "CPU threads; results do not depend on it")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  app.add_option("--method", run.method, "Method to run (default: the first)");
  app.add_option("--repeat", run.repeat, "Run this often and report the median time")
      ->check(CLI::Range(1, 1000000000))
      ->capture_default_str();
  app.add_option("--pipeline-cache", run.pipeline_cache,
                 "File that keeps compiled shaders between runs (default: in the user's cache "
                 "folder)")
      ->type_name("FILE");
  add_json(app, run.json);
}

void add_memplan(CLI::App& app, MemplanCommand& memplan) {
  app.add_option("PROBLEM", memplan.problem, "Buffers with lifetimes and sizes, CSV")->required();
  app.add_option("--algorithm", memplan.algorithm, algorithm_list())->capture_default_str();
  app.add_option("--capacity", memplan.capacity,
                 "Bytes of the one memory: the first plan that fits will do (default: as few bytes "
                 "as possible)")
      ->type_name("BYTES");
  app.add_option("--memories", memplan.memories, "Memories, fastest first")->type_name("MEM.json");
  app.add_option("--time-limit", memplan.time_limit,
                 "Seconds of processor time for search (default: steps by the problem's size, the "
                 "same on every machine)")
      ->type_name("S");
  app.add_option("--seed", memplan.seed, "Of the search's random choices")->capture_default_str();
  app.add_option("--constraints", memplan.constraints,
                 "Buffers to bar from memories, to pin or to tie together (docs/constraints.md)")
      ->type_name("FILE");
  app.add_option("-o", memplan.output, "Write offsets here")->type_name("SOLUTION.csv");
  add_report(app, memplan.report);
  add_json(app, memplan.json);
}

int parse_and_run(int argc, char** argv) {
  CLI::App app("Plans trained networks to the last byte and runs the plans.");
  app.name("arenite");
  app.require_subcommand(1);
  app.set_version_flag("--version", ARENITE_VERSION);

  PlanCommand plan;
  CLI::App* plan_app = app.add_subcommand("plan", "Turn models into one program file");
  add_plan(*plan_app, plan);

  RunCommand run;
  CLI::App* run_app = app.add_subcommand("run", "Run a program on this machine");
  add_run(*run_app, run);

  InspectCommand inspect;
  CLI::App* inspect_app = app.add_subcommand("inspect", "Show what a program file holds");
  inspect_app->add_option("PROGRAM", inspect.program, "Program file")->required();
  add_json(*inspect_app, inspect.json);

  StripCommand strip;
  CLI::App* strip_app = app.add_subcommand("strip", "Keep one board's variants of a program");
  strip_app->add_option("PROGRAM", strip.program, "Program file")->required();
  strip_app->add_option("--board", strip.board, "The board whose variants stay")->required();
  strip_app->add_option("-o", strip.output, "Program file to write")
      ->type_name("OUT.arn")
      ->required();

  ConformCommand conform;
  CLI::App* conform_app =
      app.add_subcommand("conform", "Run ONNX test case folders and compare their outputs");
  conform_app
      ->add_option("DIR", conform.folders,
                   "Folders with model.onnx and test_data_set_N/, or folders of such folders")
      ->required();
  conform_app->add_option("--device", conform.device, "As for run")->capture_default_str();
  conform_app->add_option("--board", conform.board, "Board to plan for (default: host)");
  add_json(*conform_app, conform.json);

  MemplanCommand memplan;
  CLI::App* memplan_app = app.add_subcommand("memplan", "Plan buffers into memories");
  add_memplan(*memplan_app, memplan);

  CLI::App* target_app = app.add_subcommand("target", "Work with a board, or its emulator");
  target_app->require_subcommand(1);
  TargetRunCommand target;
  CLI::App* target_run_app = target_app->add_subcommand("run", "Run a program on a board");
  target_run_app->add_option("PROGRAM", target.program, "Program file")->required();
  target_run_app->add_option("--board", target.board, "The board")->required();
  add_tensor_io(*target_run_app, target.inputs, target.output_dir);
  target_run_app->add_option("--method", target.method, "Method to run (default: the first)");
  target_run_app->add_flag("--count-memory", target.count_memory,
                           "Also count the bytes moved in each arena (several times slower)");
  add_json(*target_run_app, target.json);

  DoctorCommand doctor;
  CLI::App* doctor_app = app.add_subcommand("doctor", "Show which devices and boards are usable");
  add_json(*doctor_app, doctor.json);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kBadInput;
  }
  const bool json = plan.json || run.json || inspect.json || conform.json || memplan.json ||
                    target.json || doctor.json;
  return report_errors(json, [&] {
    if (plan_app->parsed()) return run_plan(plan);
    if (run_app->parsed()) return run_run(run);
    if (inspect_app->parsed()) return run_inspect(inspect);
    if (strip_app->parsed()) return run_strip(strip);
    if (conform_app->parsed()) return run_conform(conform);
    if (memplan_app->parsed()) return run_memplan_command(memplan);
    if (target_run_app->parsed()) return run_target_run(target);
    return run_doctor(doctor);
  });
}

}  // namespace
}  // namespace arenite::tools

int main(int argc, char** argv) {
  try {
    return arenite::tools::parse_and_run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "arenite: %s\n", error.what());
    return arenite::tools::kBadInput;
  }
}
// SPDX-License-Identifier: Apache-2.0
