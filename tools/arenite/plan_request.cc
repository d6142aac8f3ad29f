// Declares what can be asked of a plan, and plans it.
#include "tools/arenite/plan_request.h"

#include "planner/fit/advice.h"
#include "planner/memplan/json_input.h"
#include "support/file.h"
#include "support/suggest.h"
#include "tools/arenite/common_options.h"

namespace arenite::tools {

void add_plan_request(Options& options, PlanRequest& request) {
  const auto all = memory::algorithm_names();
  const std::vector<std::string> algorithms(all.begin(), all.end());
  options
      .add("MODEL", request.models.paths, "ONNX or TensorFlow Lite models; each becomes a method")
      .required();
  options
      .add("--board", request.boards,
           "Board to plan for, by name or file; give several for a variant each (default: host)")
      .value_name("NAME|FILE");
  add_model_options(options, request.models.options);
  add_state_options(options, request.models.options);
  options
      .add("--memory-planner", request.memory_planner,
           "How tensors are placed: " + listed(algorithms))
      .value_name("NAME")
      .one_of(algorithms)
      .shows_default();
  options
      .add("--fallback", request.fallback,
           "reserve: keep what a rerun on the CPU needs when a device is lost; none: reuse its "
           "bytes")
      .value_name("KIND")
      .one_of({"reserve", "none"})
      .shows_default();
  options
      .add("--optimize", request.optimize,
           "speed: on the CPU no step runs on one thread, and nothing is copied, to save bytes; "
           "memory: fewest bytes (default: memory where a memory of the board has a limit)")
      .value_name("KIND")
      .one_of({"speed", "memory"});
  options
      .add("--constraints", request.constraints,
           "Tensors to bar from memories, to pin or to tie together, on the CPU "
           "(docs/constraints.md)")
      .value_name("FILE");
  options
      .add("--io", request.io,
           "planned: inputs and outputs lie in the arenas; caller: on the CPU they take no arena "
           "bytes, the application binds its own memory to them")
      .value_name("KIND")
      .one_of({"planned", "caller"})
      .shows_default();
  options
      .add("--constants", request.constants,
           "in_place: read where they are stored; near: those that a step reads again and again "
           "are copied, once a run, into what is left free of the board's first memory")
      .value_name("KIND")
      .one_of({"in_place", "near"})
      .shows_default();
  options
      .add("--forms", request.forms,
           "any: planned with room for the reference forms too, so that every machine can run it; "
           "exact: for the forms that suit the board alone, refused where one is missing "
           "(default: exact for boards whose firmware holds the program, else any)")
      .value_name("KIND")
      .one_of({"any", "exact"});
  options
      .add("--weights", request.models.weights,
           "How weights of convolutions and matrix products are stored; computing is in fp32 "
           "(default: as the models store them)")
      .value_name("TYPE")
      .one_of({"fp32", "fp16", "bf16"});
  options
      .add("--precision", request.models.precision,
           "How a GPU with 16-bit storage keeps floats between steps: fp16 takes half the memory, "
           "and stores weights so where --weights does not say otherwise; sums are in fp32 "
           "(default: as the models have them)")
      .value_name("TYPE")
      .one_of({"fp32", "fp16"});
  options
      .add("--keep-fp32", request.models.kept_fp32,
           "A value of the model that --precision fp16 leaves in fp32")
      .value_name("VALUE");
  options
      .add("--io-type", request.models.io_type,
           "What quantized inputs and outputs are: float (quantized inside) or native (integers; "
           "the program says what they stand for) (default: as the models have them)")
      .value_name("TYPE")
      .one_of({"float", "native"});
  options
      .add("--disable", request.models.disabled_passes,
           "Leave out a pass of the planner; a wrong name lists them all")
      .value_name("PASS");
  add_assume_code(options, request.assume_code);
  options
      .add("--image", request.image,
           "The image that is to hold the program: embedded (with code, in flash) or harness (in "
           "its "
           "store) (default: embedded with --emit-cc, else each that the board has)")
      .value_name("IMAGE")
      .one_of({"embedded", "harness"});
}

planner::PlanOptions options_of(const PlanRequest& request) {
  planner::PlanOptions options;
  const std::vector<std::string> boards =
      request.boards.empty() ? std::vector<std::string>{"host"} : request.boards;
  for (const std::string& board : boards) options.boards.push_back(planner::find_board(board));
  options.memory_planner = *memory::find_algorithm(request.memory_planner);
  options.disabled_passes = request.models.disabled_passes;
  options.image = request.image;
  options.assumed_code_bytes = assumed_code_bytes(request.assume_code);
  options.reserve_fallback = request.fallback == "reserve";
  options.caller_io = request.io == "caller";
  options.near_constants = request.constants == "near";
  if (!request.forms.empty()) options.exact_forms = request.forms == "exact";
  if (!request.optimize.empty()) {
    options.optimize =
        request.optimize == "speed" ? planner::Optimize::kSpeed : planner::Optimize::kMemory;
  }
  if (!request.constraints.empty()) {
    options.constraints =
        memory::read_constraints(read_text(request.constraints), request.constraints);
  }
  return options;
}

planner::PlanResult plan_with_advice(const std::vector<planner::NamedGraph>& graphs,
                                     const planner::PlanOptions& options) {
  try {
    return planner::plan_graphs(graphs, options);
  } catch (planner::DoesNotFitError& error) {
    planner::add_advice(graphs, options, error.report);
    throw;
  }
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
