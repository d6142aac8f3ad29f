// The instance that users see: a program and an instance of the core in memory it holds itself.
#include "core/model.h"

#include <bit>
#include <new>

namespace arenite {
namespace {

// Zero bytes are an empty one: it needs no constructor, and lives in a ModelInstance from its
// beginning (an implicit-lifetime class).
struct ModelState {
  Program program;
  Instance instance;
  uint32_t method;           // of what is loaded
  ConstantsCursor verified;  // how far verify_constants is

  Quantisation quantization(bool output, uint32_t index) const;
};

Quantisation ModelState::quantization(bool output, uint32_t index) const {
  if (!instance.loaded()) {
    return {};
  }
  const format::MethodRecord& record = program.methods()[method];
  if (index >= (output ? record.output_count : record.input_count)) {
    return {};
  }
  const format::QuantizationRecord* found =
      program.quantization_of(method, (output ? record.input_count : 0) + index);
  if (found == nullptr) {
    return {};
  }
  return {std::bit_cast<float>(found->scale), found->zero_point};
}

}  // namespace

// Grants this file what others need not see.
struct ModelAccess {
  static_assert(sizeof(ModelState) <= ModelInstance::kStateBytes, "kStateBytes is to be raised");
  static_assert(alignof(ModelState) <= alignof(std::uint64_t));

  static ModelState& state(ModelInstance& model) {
    return *std::launder(static_cast<ModelState*>(static_cast<void*>(model.state_)));
  }
  static const ModelState& state(const ModelInstance& model) {
    return state(const_cast<ModelInstance&>(model));
  }
  static const Instance& instance(const ModelInstance& model) { return state(model).instance; }
  static Status load(ModelState& state, const LoadOptions& options, const LoadMemory& memory,
                     const uint32_t* interface) {
    return state.instance.load_emptied(state.program, options, memory, interface);
  }
};

Status load_model(ModelInstance& model, std::span<const std::byte> program,
                  const LoadOptions& options, const LoadMemory& memory, uint32_t interface) {
  ModelState& state = ModelAccess::state(model);
  state.instance.unload();
  ARENITE_TRY(Program::open(program, state.program, FilePart::kWhole, options.verification));
  state.method = options.method;
  state.verified = {};
  return ModelAccess::load(state, options, memory, &interface);
}

Status reset_states(ModelInstance& model) {
  return ModelAccess::state(model).instance.reset_states();
}

Status settle_states(ModelInstance& model) {
  return ModelAccess::state(model).instance.settle_states();
}

Status set_shape(ModelInstance& model, std::uint32_t input, const std::uint32_t* dims,
                 std::uint32_t rank) {
  return ModelAccess::state(model).instance.set_shape(input, {dims, rank});
}

void set_pauses(ModelInstance& model, Pauses* pauses) {
  ModelAccess::state(model).instance.set_pauses(pauses);
}

Status verify_constants(ModelInstance& model, uint32_t bytes, bool& done) {
  done = false;
  ModelState& state = ModelAccess::state(model);
  if (!state.instance.loaded()) {
    return error(Code::kNotLoaded);
  }
  const Status status = state.program.verify_constants(bytes, state.verified);
  done = status.ok() && state.verified.section == state.program.sections().size();
  if (done || !status.ok()) {
    state.verified = {};
  }
  return status;
}

uint32_t ModelInstance::program_digest() const {
  return loaded() ? ModelAccess::state(*this).program.digest() : 0;
}

Quantisation ModelInstance::input_quantisation(uint32_t index) const {
  return ModelAccess::state(*this).quantization(false, index);
}

Quantisation ModelInstance::output_quantisation(uint32_t index) const {
  return ModelAccess::state(*this).quantization(true, index);
}

bool ModelInstance::loaded() const { return ModelAccess::instance(*this).loaded(); }

Status ModelInstance::run() { return ModelAccess::state(*this).instance.run(); }

Status ModelInstance::run_steps(uint32_t count, bool& done) {
  const Result<RunState> state = ModelAccess::state(*this).instance.run_steps(count);
  done = state.ok() && *state == RunState::kDone;
  return state.status();
}

void* ModelInstance::input(uint32_t index) {
  return ModelAccess::instance(*this).input(index).data();
}

const void* ModelInstance::output(uint32_t index) const {
  return ModelAccess::instance(*this).output(index).data();
}

const std::uint32_t* ModelInstance::input_dims(uint32_t index) const {
  const Tensor tensor = ModelAccess::instance(*this).input_tensor(index);
  return tensor.rank() != 0 ? tensor.dims : nullptr;
}

const std::uint32_t* ModelInstance::output_dims(uint32_t index) const {
  const Tensor tensor = ModelAccess::instance(*this).output_tensor(index);
  return tensor.rank() != 0 ? tensor.dims : nullptr;
}

Status ModelInstance::bind_input(uint32_t index, const void* memory, std::size_t bytes) {
  // Inputs that are lent are only read.
  auto* data = static_cast<std::byte*>(const_cast<void*>(memory));
  return ModelAccess::state(*this).instance.bind_input(index, {data, bytes});
}

Status ModelInstance::bind_output(uint32_t index, void* memory, std::size_t bytes) {
  return ModelAccess::state(*this).instance.bind_output(index,
                                                        {static_cast<std::byte*>(memory), bytes});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
