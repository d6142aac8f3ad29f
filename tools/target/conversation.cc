// Sends what a run needs in pieces, and joins what comes back.
#include "tools/target/conversation.h"

#include <algorithm>
#include <type_traits>

#include "support/printable.h"
#include "tools/run/dim_ranges.h"
#include "tools/run/status_text.h"

namespace arenite::tools {
namespace {

harness::Request request_of(harness::Verb verb) {
  harness::Request request = arenite_schema_HarnessRequest_init_zero;
  request.verb = verb;
  return request;
}

// Of a request of the harness.
constexpr size_t kSymbolsMax = std::extent_v<decltype(harness::Request::symbols)>;

// The numbers of the method's symbols for a task, each run of which has inputs of the same dims.
std::vector<uint32_t> symbols_for_task(const ProgramFile& file, const TargetTask& task) {
  std::vector<HostTensor> forms;
  for (const HostTensor& tensor : task.inputs.tensors) {
    const bool stacked = task.inputs.stacked && !tensor.dims.empty();
    forms.push_back(
        {tensor.dtype, {tensor.dims.begin() + (stacked ? 1 : 0), tensor.dims.end()}, {}});
  }
  std::vector<uint32_t> symbols =
      symbols_for(file, task.method, forms, first_symbols(file.program(), task.method));
  if (symbols.size() > kSymbolsMax) {
    throw InputError(file.name() + ": method " + quote(file.method_name(task.method)) + " has " +
                     std::to_string(symbols.size()) + " symbols, expected at most " +
                     std::to_string(kSymbolsMax) + " on a board");
  }
  return symbols;
}

uint64_t wide(uint32_t low, uint32_t high) { return uint64_t{high} << 32 | low; }

std::string error_text(const harness::Reply& reply) {
  const std::string value = std::to_string(reply.value);
  switch (reply.error) {
    case arenite_schema_HarnessError_HARNESS_BAD_FRAME:
      return "a request arrived damaged";
    case arenite_schema_HarnessError_HARNESS_OUTSIDE_STORE:
      return "it does not fit the program store of " + value + " bytes";
    case arenite_schema_HarnessError_HARNESS_NO_SUCH_INDEX:
      return "there are only " + value;
    case arenite_schema_HarnessError_HARNESS_WRONG_SIZE:
      return "it holds " + value + " bytes";
    default:
      return "the request was not understood";
  }
}

// Appends the outputs of a run. Those that have other dims than before, which states give them, are
// no stack: the last is kept.
void append_outputs(std::vector<HostTensor> outputs, const TargetTask& task, uint32_t run,
                    std::vector<HostTensor>& all) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    std::vector<uint32_t> dims = outputs[i].dims;
    if (task.inputs.stacked) dims.insert(dims.begin(), task.inputs.runs);
    if (run == 0) {
      all[i] = std::move(outputs[i]);
      all[i].dims = std::move(dims);
    } else if (all[i].dims == dims) {
      all[i].bytes.insert(all[i].bytes.end(), outputs[i].bytes.begin(), outputs[i].bytes.end());
    } else {
      all[i] = std::move(outputs[i]);
    }
  }
}

}  // namespace

std::string Conversation::where() const {
  return file_.name() + ", method " + quote(file_.method_name(method_)) + " on board " +
         board_.name + ": ";
}

void Conversation::expect_good(const TargetReply& reply, const std::string& what) const {
  const harness::Reply& message = reply.message;
  if (message.error == arenite_schema_HarnessError_HARNESS_OK) return;
  std::string why = error_text(message);
  if (message.error == arenite_schema_HarnessError_HARNESS_STATUS) {
    const Status status{static_cast<Code>(message.code), message.step, message.value};
    why = status_text(status, file_, method_, variant_);
  }
  throw RunError(where() + what + ": " + why);
}

// The reply, which must be good.
TargetReply Conversation::ask(const harness::Request& request, const std::string& what) {
  const Asked asked{request, {}};
  TargetReply reply = std::move(link_.exchange({&asked, 1})[0]);
  expect_good(reply, what);
  return reply;
}

void Conversation::greet() {
  tell(options_.progress, "starting the board", 0, 0);
  const harness::Reply hello = link_.greet();
  if (hello.protocol != harness::kProtocolVersion) {
    throw RunError("the image of board " + board_.name + " speaks protocol " +
                   std::to_string(hello.protocol) + ", expected " +
                   std::to_string(harness::kProtocolVersion) + ": build it again");
  }
  if (hello.board != board_.name) {
    throw RunError("expected the image of board " + board_.name + ", found that of " + hello.board);
  }
  const size_t bytes = file_.program().file().size();
  if (bytes > hello.store_bytes) {
    throw RunError(file_.name() + ": the harness of board " + board_.name +
                   " stores programs of at most " + std::to_string(hello.store_bytes) +
                   " bytes, found one of " + std::to_string(bytes));
  }
}

void Conversation::stream_program() {
  const std::span<const std::byte> program = file_.program().file();
  std::vector<Asked> asked;
  for (size_t at = 0; at < program.size(); at += piece_bytes_) {
    harness::Request request = request_of(arenite_schema_HarnessVerb_HARNESS_STORE);
    request.store_offset = static_cast<uint32_t>(at);
    asked.push_back({request, program.subspan(at, std::min(piece_bytes_, program.size() - at))});
  }
  tell(options_.progress, "sending the program", 0, 0);
  for (const TargetReply& reply : link_.exchange(asked)) expect_good(reply, "sending it");
}

// The requests that fill the inputs of one run, and what each does.
void Conversation::add_inputs(const TargetTask& task, uint32_t run,
                              const std::vector<uint32_t>* offsets, std::vector<Asked>& asked,
                              std::vector<std::string>& what) const {
  for (uint32_t i = 0; i < task.inputs.tensors.size(); ++i) {
    if (file_.state_of(method_, i) != nullptr) continue;
    const std::span<const std::byte> all = task.inputs.tensors[i].bytes;
    const size_t bytes = all.size() / std::max(1u, task.inputs.runs);
    const std::string name = "setting input " + quote(file_.input_name(method_, i));
    harness::Request request = request_of(arenite_schema_HarnessVerb_HARNESS_SET_INPUT);
    request.index = i;
    request.bytes = static_cast<uint32_t>(bytes);
    if (offsets != nullptr) {
      request.from_store = true;
      request.store_offset = static_cast<uint32_t>((*offsets)[i] + run * bytes);
    }
    // One without bytes is set too.
    for (size_t at = 0; at < bytes || at == 0; at += piece_bytes_) {
      what.push_back(name);
      if (offsets != nullptr) {
        asked.push_back({request, {}});
        break;
      }
      request.store_offset = static_cast<uint32_t>(at);
      asked.push_back({request, all.subspan(run * bytes + at, std::min(piece_bytes_, bytes - at))});
    }
  }
}

// All requests of a run go out ahead of their replies, where the line lets them. The outputs have
// types and dims; they get their bytes.
std::vector<HostTensor> Conversation::run_once(const TargetTask& task, uint32_t run,
                                               const std::vector<uint32_t>* offsets,
                                               std::vector<HostTensor> outputs) {
  std::vector<Asked> asked;
  std::vector<std::string> what;
  add_inputs(task, run, offsets, asked, what);
  asked.push_back({request_of(arenite_schema_HarnessVerb_HARNESS_RUN), {}});
  what.emplace_back("running");
  if (task.inputs.stacked) what.back() += " (inputs " + std::to_string(run) + " of the stack)";
  const size_t first_part = asked.size();
  for (uint32_t i = 0; i < outputs.size(); ++i) {
    uint64_t bytes = element_bytes(outputs[i].dtype);
    for (const uint32_t dim : outputs[i].dims) bytes *= dim;
    harness::Request request = request_of(arenite_schema_HarnessVerb_HARNESS_GET_OUTPUT);
    request.index = i;
    for (uint64_t at = 0; at < bytes || at == 0; at += piece_bytes_) {
      request.store_offset = static_cast<uint32_t>(at);
      // The last part is all that is left, so that another size than is expected is seen.
      request.bytes = bytes - at > piece_bytes_ ? static_cast<uint32_t>(piece_bytes_) : 0;
      asked.push_back({request, {}});
      what.push_back("reading output " + quote(file_.output_name(method_, i)));
    }
    outputs[i].bytes.reserve(bytes);
  }
  const std::vector<TargetReply> replies = link_.exchange(asked);
  for (size_t i = 0; i < replies.size(); ++i) {
    expect_good(replies[i], what[i]);
    if (i < first_part) continue;
    std::vector<std::byte>& bytes = outputs[asked[i].request.index].bytes;
    bytes.insert(bytes.end(), replies[i].payload.begin(), replies[i].payload.end());
  }
  for (uint32_t i = 0; i < outputs.size(); ++i) {
    uint64_t bytes = element_bytes(outputs[i].dtype);
    for (const uint32_t dim : outputs[i].dims) bytes *= dim;
    if (outputs[i].bytes.size() != bytes) {
      throw RunError(where() + "expected " + std::to_string(bytes) + " bytes of output " +
                     quote(file_.output_name(method_, i)) + ", found " +
                     std::to_string(outputs[i].bytes.size()));
    }
  }
  return outputs;
}

void Conversation::load(uint32_t variant) {
  harness::Request load = request_of(arenite_schema_HarnessVerb_HARNESS_LOAD);
  load.method = method_;
  load.variant = variant;
  load.bytes = static_cast<uint32_t>(file_.program().file().size());
  load.mark_steps = options_.profile_steps;
  load.pause_operations = options_.pause_operations;
  tell(options_.progress, "loading the program", 0, 0);
  static_cast<void>(ask(load, "loading"));
}

harness::Reply Conversation::profile() {
  return ask(request_of(arenite_schema_HarnessVerb_HARNESS_PROFILE), "profiling").message;
}

TargetTaskResult Conversation::run(const TargetTask& task, const std::vector<uint32_t>* offsets) {
  method_ = task.method;
  variant_ = find_target_variant(file_, method_, board_);
  TargetTaskResult result;
  std::vector<uint32_t> symbols = symbols_for_task(file_, task);
  result.outputs.resize(file_.program().methods()[method_].output_count);
  load(variant_);
  if (!symbols.empty()) {
    harness::Request set = request_of(arenite_schema_HarnessVerb_HARNESS_SET_SYMBOLS);
    set.symbols_count = static_cast<pb_size_t>(symbols.size());
    std::ranges::copy(symbols, set.symbols);
    static_cast<void>(ask(set, "setting sizes"));
  }
  uint64_t clock = 0;
  for (uint32_t run = 0; run < task.inputs.runs; ++run) {
    tell(options_.progress, "running", run, task.inputs.runs);
    std::vector<HostTensor> outputs;
    if (options_.read_outputs) outputs = output_forms(file_.program(), method_, symbols);
    append_outputs(run_once(task, run, offsets, std::move(outputs)), task, run, result.outputs);
    grow_symbols(file_.program(), method_, symbols);
    if (!options_.time_each_run) continue;
    const harness::Reply reply = profile();
    result.run_clock.push_back(wide(reply.run_low, reply.run_high) - clock);
    clock += result.run_clock.back();
  }
  const harness::Reply reply = profile();
  result.load_instructions = wide(reply.load_low, reply.load_high);
  result.clock_instructions = wide(reply.run_low, reply.run_high);
  result.runs = reply.runs;
  result.load_stack_bytes = reply.load_stack_bytes;
  result.run_stack_bytes = reply.run_stack_bytes;
  return result;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
