// The C functions of libarenite over the runner that the commands use: nothing is thrown beyond
// this file.
#include "include/arenite.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/guarded.h"
#include "core/pauses.h"
#include "tools/run/dim_ranges.h"
#include "tools/run/program_file.h"
#include "tools/run/results.h"
#include "tools/run/saved_states.h"
#include "tools/run/tensor_args.h"

namespace tools = arenite::tools;
using arenite::element_bytes;
using arenite::InputError;
namespace format = arenite::format;
using arenite::api::require;
using tools::HostTensor;
using tools::ProgramFile;

struct arenite_program {
  std::shared_ptr<const ProgramFile> file;
  std::vector<std::string> methods;
};

namespace {

// Inputs or outputs: what the runner takes and gives, and the same as C sees it. None is added once
// the forms point to them.
struct Tensors {
  std::vector<std::string> names;
  std::vector<HostTensor> tensors;
  std::vector<const format::QuantizationRecord*> quantization;
  std::vector<arenite_tensor> forms;
  std::vector<std::vector<uint32_t>> dims;  // of the last run

  void add(std::string name, HostTensor form, const format::QuantizationRecord* record) {
    size_t bytes = element_bytes(form.dtype);
    for (const uint32_t dim : form.dims) bytes *= dim;
    form.bytes.resize(bytes);
    names.push_back(std::move(name));
    tensors.push_back(std::move(form));
    quantization.push_back(record);
  }
  void make_forms() {
    dims.resize(tensors.size());
    for (size_t i = 0; i < tensors.size(); ++i) {
      HostTensor& tensor = tensors[i];
      const format::QuantizationRecord* record = quantization[i];
      forms.push_back({names[i].c_str(), static_cast<arenite_type>(tensor.dtype),
                       static_cast<uint32_t>(tensor.dims.size()), tensor.dims.data(),
                       tensor.bytes.size(), tensor.bytes.data(),
                       record == nullptr ? 0.0f : std::bit_cast<float>(record->scale),
                       record == nullptr ? 0 : record->zero_point});
    }
  }
  // The elements of a run, which may be fewer than there is room for.
  void take(size_t i, const HostTensor& result) {
    std::copy(result.bytes.begin(), result.bytes.end(), tensors[i].bytes.begin());
    set_dims(i, result.dims);
  }
  void set_dims(size_t i, std::vector<uint32_t> now) {
    size_t bytes = element_bytes(tensors[i].dtype);
    for (const uint32_t dim : now) bytes *= dim;
    dims[i] = std::move(now);
    forms[i].dims = dims[i].data();
    forms[i].bytes = bytes;
  }
  uint32_t count() const { return static_cast<uint32_t>(forms.size()); }
  const arenite_tensor* at(uint32_t index) const {
    return index < forms.size() ? &forms[index] : nullptr;
  }
};

}  // namespace

struct arenite_session {
  std::shared_ptr<const ProgramFile> file;
  std::unique_ptr<tools::VulkanHost> vulkan;
  std::unique_ptr<tools::Runner> runner;
  Tensors inputs, outputs;
  std::vector<uint32_t> fed;      // the method's number of each input
  std::vector<HostTensor> given;  // of the method; without elements for states
  // While it, or one that has states in common with it, runs.
  std::shared_ptr<std::atomic_flag> busy = std::make_shared<std::atomic_flag>();
  arenite::Pauses pauses;
  int (*pause_call)(void* context) = nullptr;
  void* pause_context = nullptr;
};

namespace {

// Each thread's own.
thread_local std::string last_error;

template <typename Body>
arenite_result guarded(Body body) noexcept {
  return arenite::api::guarded(last_error, body);
}

std::string text_or(const char* text, const char* otherwise) {
  return text != nullptr ? text : otherwise;
}

std::unique_ptr<arenite_program> program_of(std::unique_ptr<const ProgramFile> file) {
  auto program = std::make_unique<arenite_program>();
  for (uint32_t m = 0; m < file->program().methods().size(); ++m) {
    program->methods.push_back(file->method_name(m));
  }
  program->file = std::move(file);
  return program;
}

// The options as this library knows them, from a caller that may know fewer or more.
arenite_options options_of(const arenite_options* given) {
  arenite_options options = ARENITE_OPTIONS_INIT;
  if (given == nullptr) return options;
  if (given->size < offsetof(arenite_options, device)) {
    throw InputError(
        "options: expected a struct that begins as ARENITE_OPTIONS_INIT says, found size " +
        std::to_string(given->size));
  }
  std::memcpy(&options, given, std::min(given->size, sizeof options));
  options.size = sizeof options;
  return options;
}

// A session that runs, which is one thread's alone. Throws InputError where another runs it.
class Running {
 public:
  explicit Running(arenite_session& session) : session_(session) {
    if (session_.busy->test_and_set(std::memory_order_acquire)) {
      throw InputError(
          "session: busy: another thread runs it, or one that has states in common with it, and "
          "its inputs and outputs are one run's; expected a session for each thread, or one run "
          "after the other");
    }
  }
  ~Running() { session_.busy->clear(std::memory_order_release); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  arenite_session& session_;
};

std::vector<uint32_t> dims_of(const arenite::Tensor& tensor) {
  return {tensor.dims, tensor.dims + tensor.rank()};
}

// Gives inputs and outputs the dims that the next run has.
void take_dims(arenite_session& session) {
  const arenite::Instance& instance = session.runner->instance();
  for (size_t i = 0; i < session.fed.size(); ++i) {
    session.inputs.set_dims(i, dims_of(instance.input_tensor(session.fed[i])));
    HostTensor& tensor = session.inputs.tensors[i];
    tensor.dims = session.inputs.dims[i];
    tensor.bytes.resize(session.inputs.forms[i].bytes);  // in the memory that it has
  }
  for (uint32_t i = 0; i < session.runner->output_count(); ++i) {
    session.outputs.set_dims(i, dims_of(instance.output_tensor(i)));
  }
}

std::unique_ptr<arenite_session> session_of(const arenite_program& program,
                                            const arenite_options& options) {
  auto session = std::make_unique<arenite_session>();
  session->file = program.file;
  tools::RunnerOptions runner;
  runner.device = tools::parse_device(text_or(options.device, "auto"), options.allow_fallback != 0);
  runner.board = text_or(options.board, "");
  runner.method = text_or(options.method, "");
  runner.threads = options.threads;
  if (runner.threads > tools::kThreadsMax) {
    throw InputError("threads: expected at most " + std::to_string(tools::kThreadsMax) +
                     ", found " + std::to_string(runner.threads));
  }
  if (runner.device.kind != tools::DeviceKind::kCpu) {
    session->vulkan = std::make_unique<tools::VulkanHost>(
        tools::vulkan_options(runner.device, text_or(options.pipeline_cache, "")));
  }
  const ProgramFile& file = *session->file;
  std::optional<Running> other;  // until the states are shared
  if (options.states_of != nullptr) {
    if (options.states_of->file != program.file) {
      throw InputError("states_of: expected a session of this program, found one of another");
    }
    if (options.states_of->runner->state_memory() == nullptr) {
      throw InputError(
          "states_of: the methods of " + program.file->name() +
          " share no state: expected a program that was planned with --share-state, or "
          "of a model whose methods share variables");
    }
    session->busy = options.states_of->busy;
    runner.states = options.states_of->runner->state_memory();
    other.emplace(*session);
  }
  session->runner = std::make_unique<tools::Runner>(file, runner, session->vulkan.get());
  if (session->runner->info().on_vulkan) session->vulkan->save_cache();
  const uint32_t method = session->runner->method();
  const arenite::Program& tables = file.program();
  const uint32_t inputs = session->runner->input_count();
  session->given.resize(inputs);
  for (uint32_t i = 0; i < inputs; ++i) {
    if (file.state_of(method, i) != nullptr) continue;
    session->fed.push_back(i);
    session->inputs.add(file.input_name(method, i), tools::input_form(tables, method, i),
                        tables.quantization_of(method, i));
  }
  for (uint32_t i = 0; i < session->runner->output_count(); ++i) {
    session->outputs.add(file.output_name(method, i), tools::output_form(tables, method, i),
                         tables.quantization_of(method, inputs + i));
  }
  session->inputs.make_forms();
  session->outputs.make_forms();
  take_dims(*session);
  return session;
}

void set_shape(arenite_session& session, uint32_t input, std::span<const uint32_t> dims) {
  if (input >= session.fed.size()) {
    throw InputError("input: expected one of " + std::to_string(session.fed.size()) + ", found " +
                     std::to_string(input));
  }
  const Running running(session);
  tools::set_shape(*session.runner, session.fed[input], dims);
  take_dims(session);
}

void run(arenite_session& session) {
  const Running running(session);
  // Lent, and taken back whatever happens.
  const auto exchange = [&session] {
    for (size_t i = 0; i < session.fed.size(); ++i) {
      std::swap(session.given[session.fed[i]], session.inputs.tensors[i]);
    }
  };
  exchange();
  std::vector<HostTensor> results;
  try {
    results = session.runner->run(session.given);
  } catch (...) {
    exchange();
    throw;
  }
  exchange();
  tools::keep_results(*session.file, session.runner->method(), results);
  for (size_t i = 0; i < results.size(); ++i) session.outputs.take(i, results[i]);
}

}  // namespace

const char* arenite_version(void) { return ARENITE_VERSION; }

const char* arenite_last_error(void) { return last_error.c_str(); }

arenite_result arenite_program_read(const char* path, arenite_program** program) {
  return guarded([&] {
    require(program, "program");
    *program = nullptr;
    require(path, "path");
    *program = program_of(std::make_unique<ProgramFile>(std::filesystem::path(path))).release();
  });
}

arenite_result arenite_program_copy(const void* data, size_t bytes, arenite_program** program) {
  return guarded([&] {
    require(program, "program");
    *program = nullptr;
    require(data, "data");
    const std::span<const std::byte> file{static_cast<const std::byte*>(data), bytes};
    *program = program_of(std::make_unique<ProgramFile>(file, "program in memory")).release();
  });
}

void arenite_program_free(arenite_program* program) { delete program; }

uint32_t arenite_program_methods(const arenite_program* program) {
  return program == nullptr ? 0 : static_cast<uint32_t>(program->methods.size());
}

const char* arenite_program_method(const arenite_program* program, uint32_t index) {
  return index < arenite_program_methods(program) ? program->methods[index].c_str() : nullptr;
}

arenite_result arenite_session_create(const arenite_program* program,
                                      const arenite_options* options, arenite_session** session) {
  return guarded([&] {
    require(session, "session");
    *session = nullptr;
    require(program, "program");
    *session = session_of(*program, options_of(options)).release();
  });
}

void arenite_session_free(arenite_session* session) { delete session; }

uint32_t arenite_session_inputs(const arenite_session* session) {
  return session == nullptr ? 0 : session->inputs.count();
}

uint32_t arenite_session_outputs(const arenite_session* session) {
  return session == nullptr ? 0 : session->outputs.count();
}

const arenite_tensor* arenite_session_input(const arenite_session* session, uint32_t index) {
  return session == nullptr ? nullptr : session->inputs.at(index);
}

const arenite_tensor* arenite_session_output(const arenite_session* session, uint32_t index) {
  return session == nullptr ? nullptr : session->outputs.at(index);
}

arenite_result arenite_session_set_shape(arenite_session* session, uint32_t input,
                                         const uint32_t* dims, uint32_t rank) {
  return guarded([&] {
    require(session, "session");
    if (rank != 0) require(dims, "dims");
    set_shape(*session, input, {dims, rank});
  });
}

arenite_result arenite_session_run(arenite_session* session) {
  return guarded([&] {
    require(session, "session");
    run(*session);
  });
}

arenite_result arenite_session_set_pauses(arenite_session* session, int (*call)(void* context),
                                          void* context, uint32_t operations) {
  return guarded([&] {
    require(session, "session");
    const Running running(*session);
    session->pause_call = call;
    session->pause_context = context;
    session->pauses = {};
    session->pauses.call = [](void* of) {
      const auto& self = *static_cast<const arenite_session*>(of);
      return self.pause_call(self.pause_context) != 0;
    };
    session->pauses.context = session;
    session->pauses.operations = operations;
    session->runner->set_pauses(call != nullptr ? &session->pauses : nullptr);
  });
}

arenite_result arenite_session_reset_states(arenite_session* session) {
  return guarded([&] {
    require(session, "session");
    const Running running(*session);
    session->runner->reset_states();
    take_dims(*session);
  });
}

arenite_result arenite_session_save_states(arenite_session* session, void* data, size_t* bytes) {
  return guarded([&] {
    require(session, "session");
    require(bytes, "bytes");
    const Running running(*session);
    const std::vector<std::byte> saved = tools::save_states(*session->runner);
    const size_t room = *bytes;
    *bytes = saved.size();
    if (data == nullptr) return;
    if (room < saved.size()) {
      throw InputError("bytes: expected room for " + std::to_string(saved.size()) + ", found " +
                       std::to_string(room));
    }
    std::memcpy(data, saved.data(), saved.size());
  });
}

arenite_result arenite_session_load_states(arenite_session* session, const void* data,
                                           size_t bytes) {
  return guarded([&] {
    require(session, "session");
    require(data, "data");
    const Running running(*session);
    tools::load_states(*session->runner, {static_cast<const std::byte*>(data), bytes});
    take_dims(*session);
  });
}

const char* arenite_session_device(const arenite_session* session) {
  return session == nullptr ? nullptr : session->runner->info().device_name.c_str();
}

const char* arenite_session_fell_back(const arenite_session* session) {
  if (session == nullptr || !session->runner->info().fell_back) return nullptr;
  return session->runner->info().fell_back->c_str();
}
// SPDX-License-Identifier: Apache-2.0
