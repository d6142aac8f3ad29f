// Checks, resets and commits the states of a method.
#include "core/state.h"

#include <cstring>

#include "core/instance.h"
#include "core/shape.h"

namespace arenite {
namespace {

using format::ArenaKind;
using format::StateRecord;
using format::ValueRecord;

const format::MethodRecord& method_of(const StateTask& task) {
  return task.program->methods()[task.method];
}

uint32_t input_value(const StateTask& task, const StateRecord& state) {
  return task.program->inputs_of(method_of(task), *task.variant)[state.input];
}

// The state's output; its input where it has none, and keeps what it holds.
uint32_t output_value(const StateTask& task, const StateRecord& state) {
  return state.output == kNoIndex
             ? input_value(task, state)
             : task.program->outputs_of(method_of(task), *task.variant)[state.output];
}

bool in_state_arena(const StateTask& task, const ValueRecord& value) {
  return task.program->arenas_of(*task.variant)[value.place].kind ==
         static_cast<uint32_t>(ArenaKind::kState);
}

bool same_type_and_dims(const Tensor& a, const Tensor& b, bool rank_alone) {
  return a.dtype() == b.dtype() && a.rank() == b.rank() &&
         (rank_alone || std::memcmp(a.dims, b.dims, a.rank() * sizeof(uint32_t)) == 0);
}

bool holds(const StateTask& task, const StateRecord& state, bool grows) {
  const Tensor input = tensor_of(*task.bindings, input_value(task, state));
  const Tensor output = tensor_of(*task.bindings, output_value(task, state));
  const auto values = task.program->values_of(*task.variant);
  bool good =
      in_state_arena(task, values[input_value(task, state)]) &&
      (state.output == kNoIndex || !in_state_arena(task, values[output_value(task, state)])) &&
      same_type_and_dims(input, output, grows);
  if (state.initial != kNoIndex) {
    const format::ConstantRecord& constant = task.program->constants()[state.initial];
    good = good && constant.bytes == extent_bytes(input) &&
           task.bindings->sections[constant.place] != nullptr;
  }
  return good;
}

// Calls visit(record, data of the input, data of the output, bytes) for each state of the method.
// The bytes are those of the input's elements, or those of the output's, which differ where states
// grow. States of no bytes are left out, as they may have no memory.
template <typename Visit>
void each_state(const StateTask& task, bool of_output, Visit visit) {
  for (const StateRecord& state : task.program->states()) {
    if (state.method == task.method) {
      const Tensor input = tensor_of(*task.bindings, input_value(task, state));
      const Tensor output = tensor_of(*task.bindings, output_value(task, state));
      const auto bytes = static_cast<size_t>(extent_bytes(of_output ? output : input));
      // An arena's memory, which is writable.
      if (bytes != 0 && !(of_output && state.output == kNoIndex)) {
        visit(state, const_cast<std::byte*>(input.data), output.data, bytes);
      }
    }
  }
}

}  // namespace

Status check_states(const StateTask& task, bool grows) {
  const auto states = task.program->states();
  const format::MethodRecord& method = method_of(task);
  uint32_t found = 0;
  for (uint32_t i = 0; i < states.size(); ++i) {
    const StateRecord& state = states[i];
    // States are sorted by method and input, so that no input is the state of two.
    const bool rises = i == 0 || states[i - 1].method < state.method ||
                       (states[i - 1].method == state.method && states[i - 1].input < state.input);
    if (!rises || state.method >= task.program->methods().size()) {
      return error(Code::kBadIndex, i);
    }
    if (state.method != task.method) {
      continue;
    }
    if (!names_io(state, method) ||
        (state.initial != kNoIndex && state.initial >= task.program->constants().size())) {
      return error(Code::kBadIndex, i);
    }
    if (!holds(task, state, grows)) {
      return error(Code::kBadValue, i);
    }
    ++found;
  }
  // Such arenas hold as many values as there are states, so no other value lies in them. Views have
  // roots.
  const auto values = task.program->values_of(*task.variant);
  for (uint32_t i = 0; i < values.size(); ++i) {
    if (format::owns_bytes(values[i]) && in_state_arena(task, values[i]) && found-- == 0) {
      return error(Code::kBadValue, i);
    }
  }
  return ok_status();
}

void fill_states(const StateTask& task) {
  each_state(
      task, false, [&](const StateRecord& state, std::byte* data, const std::byte*, size_t bytes) {
        if (state.initial == kNoIndex) {
          std::memset(data, 0, bytes);
        } else {
          const format::ConstantRecord& constant = task.program->constants()[state.initial];
          std::memcpy(data, task.bindings->sections[constant.place] + constant.offset, bytes);
        }
      });
}

// Outputs lie in no arena of states, so that none is overwritten before it has been read.
void take_states(const StateTask& task) {
  each_state(task, true,
             [](const StateRecord&, std::byte* data, const std::byte* from, size_t bytes) {
               std::memcpy(data, from, bytes);
             });
}

namespace {

Status start(Instance& instance, bool keep) {
  const StateTask task = instance.state_task();
  ARENITE_TRY(check_states(task, false));
  if (!keep) {
    fill_states(task);
  }
  return ok_status();
}

Status reset(Instance& instance) {
  fill_states(instance.state_task());
  return ok_status();
}

void commit(Instance& instance) { take_states(instance.state_task()); }

}  // namespace

constinit const StateFunctions kStates{start, reset, commit, nullptr};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
