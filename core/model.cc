// The instance that users see: a program and an instance of the core in memory it holds itself.
#include "core/model.h"

#include <new>

namespace arenite {
namespace {

// Zero bytes are an empty one: it needs no constructor, and lives in a ModelInstance from its
// beginning (an implicit-lifetime class).
struct ModelState {
  Program program;
  Instance instance;
};

}  // namespace

// Grants this file what others need not see.
struct ModelAccess {
  static_assert(sizeof(ModelState) <= ModelInstance::kStateBytes, "kStateBytes is to be raised");
  static_assert(alignof(ModelState) <= alignof(std::uint64_t));

  static ModelState& state(ModelInstance& model) {
    return *std::launder(static_cast<ModelState*>(static_cast<void*>(model.state_)));
  }
  static const Instance& instance(const ModelInstance& model) {
    return state(const_cast<ModelInstance&>(model)).instance;
  }
};

Status load_model(ModelInstance& model, std::span<const std::byte> program,
                  const LoadOptions& options) {
  ModelState& state = ModelAccess::state(model);
  state.instance.unload();
  ARENITE_TRY(Program::open(program, state.program, FilePart::kWhole, options.verification));
  return state.instance.load(state.program, options);
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
