// Compares the dims of each state with those of its output, symbol by symbol.
#include "core/growth.h"

#include "core/instance.h"
#include "core/shape.h"
#include "core/state.h"
#include "core/symbol_frame.h"
#include "core/symbols.h"

namespace arenite {

using format::StateRecord;
using format::SymbolicVariantRecord;
using format::SymbolRecord;
using format::ValueRecord;

// The states of an instance that is loaded, with a variant of which something follows from symbols.
class Growth {
 public:
  explicit Growth(Instance& instance)
      : instance_(instance),
        task_(instance.state_task()),
        record_(*symbolic_variant(*task_.program, *task_.variant)),
        symbols_(symbols_of(*task_.program, task_.method)),
        frame_(SymbolFrame::of(*task_.program, record_, static_cast<uint32_t>(symbols_.size()),
                               *task_.bindings)) {}

  // Those of kGrowingStates, for instances whose states may have fixed dims.
  static Status start(Instance& instance, bool keep);
  static Status reset_of(Instance& instance);
  static void commit_of(Instance& instance);

  Status settle();
  Status begin();
  Status reset();
  void commit();
  Status set(std::span<const uint32_t> numbers);
  Status change(const Tensor* input, std::span<const uint32_t> dims);

 private:
  // A dim of a state.
  struct Dim {
    uint32_t state = 0;          // index in states
    uint32_t at = kNoIndex;      // the dim's number in both
    uint32_t value = 0;          // the input's
    uint32_t symbol = 0;         // that it is of the input; kNoIndex: it is the same in both
    bool driven = false;         // runs change it
    bool last = false;           // of its state
    uint32_t now = 0, then = 0;  // of the input, and of the output
  };

  // Goes to the next dim, at first to the first one; false behind the last one of all states.
  bool next(Dim& dim) const;
  bool fits(const Dim& dim) const;
  void want_present();
  void want_least();
  Status want_next();
  Status change_symbols(const Tensor* input = nullptr, std::span<const uint32_t> dims = {}) {
    instance_.unready_ |= Instance::kStatesWait;
    return instance_.change_symbols({frame_.wanted(), symbols_.size()}, input, dims);
  }

  Instance& instance_;
  const StateTask task_;
  const SymbolicVariantRecord& record_;
  const Records<SymbolRecord> symbols_;
  SymbolFrame frame_;
};

bool Growth::next(Dim& dim) const {
  const Records<StateRecord> states = task_.program->states();
  ++dim.at;
  for (; dim.state < states.size(); ++dim.state, dim.at = 0) {
    const StateRecord& state = states[dim.state];
    // The dims of those without an output are numbers.
    if (state.method != task_.method || state.output == kNoIndex) {
      continue;
    }
    const Tensor input = instance_.input_tensor(state.input);
    if (dim.at >= input.rank()) {
      continue;
    }
    const Tensor output = instance_.output_tensor(state.output);
    dim.value = task_.program->io()[task_.variant->io_first + state.input];
    dim.symbol = symbol_of(*task_.program, record_, input.record->shape + dim.at);
    dim.driven = dim.symbol != kNoIndex &&
                 symbol_of(*task_.program, record_, output.record->shape + dim.at) != dim.symbol;
    dim.last = dim.at + 1 == input.rank();
    dim.now = input.dims[dim.at];
    dim.then = output.dims[dim.at];
    return true;
  }
  return false;
}

// Whether the state's memory holds its output.
bool Growth::fits(const Dim& dim) const {
  const uint32_t output = task_.program->states()[dim.state].output;
  return extent_bytes(instance_.output_tensor(output)) <= task_.bindings->values[dim.value].bytes;
}

void Growth::want_present() {
  for (uint32_t i = 0; i < symbols_.size(); ++i) {
    frame_.wanted()[i] = frame_.numbers()[i];
  }
}

// Asks for the least of those symbols that runs change and nobody asks for.
void Growth::want_least() {
  for (Dim dim; next(dim);) {
    if (dim.driven && frame_.wanted()[dim.symbol] == frame_.numbers()[dim.symbol]) {
      frame_.wanted()[dim.symbol] = symbols_[dim.symbol].least;
    }
  }
}

// The numbers that symbols have once states have what their outputs hold.
Status Growth::want_next() {
  uint32_t* wanted = frame_.wanted();
  want_present();
  for (Dim dim; next(dim);) {
    if (dim.driven) {
      wanted[dim.symbol] = dim.then;
    }
  }
  for (Dim dim; next(dim);) {
    // States that share a symbol grow alike.
    if (dim.then != (dim.symbol == kNoIndex ? dim.now : wanted[dim.symbol])) {
      return error(Code::kBadShape, dim.value);
    }
    if (dim.driven &&
        (dim.then < symbols_[dim.symbol].least || dim.then > symbols_[dim.symbol].most)) {
      return error(Code::kSymbolOutOfRange, dim.symbol);
    }
    if (dim.last && !fits(dim)) {
      return error(Code::kBadRange, dim.value);
    }
  }
  return ok_status();
}

Status Growth::settle() {
  if (!instance_.grown_) {
    return ok_status();
  }
  ARENITE_TRY(want_next());
  ARENITE_TRY(change_symbols());
  instance_.grown_ = false;
  return ok_status();
}

Status Growth::begin() {
  ARENITE_TRY(settle());
  ARENITE_TRY(want_next());
  instance_.unready_ &= ~Instance::kStatesWait;
  return ok_status();
}

Status Growth::reset() {
  want_present();
  want_least();
  ARENITE_TRY(change_symbols());
  instance_.grown_ = false;
  fill_states(task_);
  return ok_status();
}

// begin() has seen that all fits; what does not is not taken.
void Growth::commit() {
  if (!want_next().ok()) {
    return;
  }
  take_states(task_);
  instance_.grown_ = true;
  instance_.unready_ |= Instance::kStatesWait;
}

Status Growth::set(std::span<const uint32_t> numbers) {
  if (numbers.size() != symbols_.size()) {
    return error(Code::kBadIndex);
  }
  ARENITE_TRY(settle());
  for (uint32_t i = 0; i < symbols_.size(); ++i) {
    frame_.wanted()[i] = numbers[i];
  }
  return change(nullptr, {});
}

// States that the caller gives other dims begin anew. Where these are of a symbol that no run
// changes, the size of a batch, say, so do those that grow, unless their number is asked for too.
Status Growth::change(const Tensor* input, std::span<const uint32_t> dims) {
  bool anew = false, all = false;
  for (Dim dim; next(dim);) {
    const bool differs = dim.symbol != kNoIndex && frame_.wanted()[dim.symbol] != dim.now;
    anew |= differs;
    all |= differs && !dim.driven;
  }
  if (all) {
    want_least();
  }
  ARENITE_TRY(change_symbols(input, dims));
  if (anew) {
    fill_states(task_);
  }
  return ok_status();
}

namespace {

bool check(const Program& program, const format::VariantRecord& variant,
           const SymbolicVariantRecord& record, uint32_t& at) {
  const uint32_t index = method_of(program, record.variant);
  const format::MethodRecord& method = program.methods()[index];
  const ValueRecord* values = program.values_of(variant).data();
  const uint32_t* io = program.io().data() + variant.io_first;
  for (const StateRecord& state : program.states()) {
    // Records that name none are refused elsewhere.
    if (state.method != index || !names_io(state, method)) {
      continue;
    }
    const bool taken = state.output != kNoIndex;
    at = io[state.input];
    const ValueRecord& input = values[at];
    const ValueRecord& output = taken ? values[io[method.input_count + state.output]] : input;
    bool grows = false;
    for (uint32_t d = 0; d < input.rank; ++d) {
      const bool follows = expression_of(program, record, input.shape + d) != kNoIndex;
      const bool good =
          follows
              ? taken && symbol_of(program, record, input.shape + d) != kNoIndex
              : d < output.rank && expression_of(program, record, output.shape + d) == kNoIndex &&
                    program.shapes()[input.shape + d] == program.shapes()[output.shape + d];
      if (!good) {
        return false;
      }
      grows |= follows;
    }
    if (grows && state.initial != kNoIndex) {
      return false;
    }
  }
  return true;
}

bool grows(const StateTask& task) {
  const format::MethodRecord& method = task.program->methods()[task.method];
  const SymbolicVariantRecord* record = symbolic_variant(*task.program, *task.variant);
  const uint32_t* io = task.program->io().data() + task.variant->io_first;
  for (const StateRecord& state : task.program->states()) {
    if (record == nullptr || state.method != task.method || state.input >= method.input_count) {
      continue;
    }
    const ValueRecord& input = task.bindings->values[io[state.input]];
    for (uint32_t d = 0; d < input.rank; ++d) {
      if (expression_of(*task.program, *record, input.shape + d) != kNoIndex) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

Status Growth::start(Instance& instance, bool keep) {
  instance.grows_ = grows(instance.state_task());
  if (!instance.grows_) {
    return kStates.start(instance, keep);
  }
  ARENITE_TRY(check_states(instance.state_task(), true));
  return keep ? error(Code::kUnsupported) : Growth(instance).reset();
}

Status Growth::reset_of(Instance& instance) {
  return instance.grows_ ? Growth(instance).reset() : kStates.reset(instance);
}

void Growth::commit_of(Instance& instance) {
  if (instance.grows_) {
    Growth(instance).commit();
  } else {
    kStates.commit(instance);
  }
}

namespace {

Status settle(Instance& instance) { return Growth(instance).settle(); }
Status begin(Instance& instance) { return Growth(instance).begin(); }
Status set(Instance& instance, std::span<const uint32_t> numbers) {
  return Growth(instance).set(numbers);
}
Status change(Instance& instance, const Tensor* input, std::span<const uint32_t> dims) {
  return Growth(instance).change(input, dims);
}

}  // namespace

constinit const GrowthFunctions kGrowth{check, grows, settle, begin, set, change};
constinit const StateFunctions kGrowingStates{Growth::start, Growth::reset_of, Growth::commit_of,
                                              &kGrowth};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
