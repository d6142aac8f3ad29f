// A program made ready to run once, twice, forever: its arenas, its verified steps, its place in
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/backend.h"
#include "core/form_choice.h"
#include "core/growth.h"
#include "core/platform.h"
#include "core/predicate.h"
#include "core/program.h"
#include "core/state.h"
#include "core/symbols.h"

namespace arenite {

// The memory of an instance.
struct LoadMemory {
  // Room for an address of each section that holds constants, those before it included, and of each
  // arena of the variant, kept until the instance is gone; less is refused (kArenaTooSmall). An
  // AnyInstance has its own.
  std::span<const std::byte*> section_addresses;
  std::span<std::byte*> arena_addresses;
  // Memory for each arena of the variant, in its order; entries of device arenas are empty. Each
  // must hold the arena's bytes at its alignment. The caller owns it and keeps it until the
  // instance is gone. Arenas of kind kCaller may be left empty and bound later.
  std::span<const std::span<std::byte>> arenas;
  // Memory for what follows from symbols, frame_words() of it, kept until the instance is gone;
  // less is refused (kArenaTooSmall, no value).
  std::span<uint32_t> frame;
};

struct LoadOptions : LoadMemory {
  uint32_t method = 0;
  uint32_t variant = 0;  // relative to the method
  OpTable ops;
  CpuFeatures features = 0;            // of this CPU, as forms name them
  const Platform* platform = nullptr;  // null: no hooks
  const Backend* backend = nullptr;    // null: no backend
  // &kStates where programs may have states; null: those are refused (kUnsupported).
  // &kGrowingStates where their dims may follow from symbols; else such are refused (kBadValue).
  const StateFunctions* states = nullptr;
  // &kPredicates where steps may be left out on a condition; null: such programs are refused
  // (kUnsupported).
  const PredicateFunctions* predicates = nullptr;
  // &kSymbols where dims may follow from symbols; null: such programs are refused (kUnsupported).
  const SymbolFunctions* symbols = nullptr;
  // The states' memory holds what an earlier instance left there. Not for states that grow, whose
  // dims are not known then (kUnsupported).
  bool keep_states = false;
  // Memory for sections that are not addressable (FilePart::kPlan), by section index; filled by
  // Platform::read_constants at load, 64-aligned, kept until the instance is gone.
  std::span<const std::span<std::byte>> sections;
  // Memory for the overlap proof, 4 bytes for each value of the variant, free again after load;
  // when it is too small the largest host arena serves.
  std::span<uint32_t> proof;
  // Null: the program is believed, as one that the same image holds may be.
  const Verification* verification = &kVerification;
};

enum class RunState : uint32_t { kDone, kMore };

// Its construction is constant and its destructor does nothing, so it may be static where there is
// no start-up code. A caller that loads with a backend calls unload(), or takes a ScopedInstance.
class Instance {
 public:
  constexpr Instance() = default;
  Instance& operator=(const Instance&) = delete;

  // Verifies the variant wholly (values, overlap, each op's contract, a form for each step), binds
  // its arenas and lets the backend attach. The arenas serve as scratch memory of the proof, so
  // their contents are lost. Nothing allocates after it. The instance keeps pointers to the program
  // and must not move.
  Status load(const Program& program, const LoadOptions& options) {
    return load(program, options, options);
  }
  // With other memory than the options', which may then be constant.
  Status load(const Program& program, const LoadOptions& options, const LoadMemory& memory) {
    unload();
    return load_emptied(program, options, memory, nullptr);
  }
  // Gives the states of the method what they hold before the first run, as load does. Not while a
  // run is under way. Errors: kNotLoaded.
  Status reset_states();
  // Lets the backend detach; before the backend goes.
  void unload();

  // Gives the inputs and outputs of the next run the dims that the last one left states with. What
  // the last run put out is lost. Calls that set symbols and a new run do so first. Errors:
  // kNotLoaded, those of set_symbols.
  Status settle_states() {
    if (program_ == nullptr) {
      return error(Code::kNotLoaded);
    }
    return grows_ ? states_->growth->settle(*this) : ok_status();
  }

  // Sets the numbers of the method's symbols, one for each, in their order; load sets each to the
  // most that it can be, or where runs change it to the least. Shapes, steps and forms that follow
  // from them are proved again, unless load proved nothing. What inputs and outputs hold is lost.
  // States whose dims change hold zeros then; where that is by a symbol that no run changes, the
  // size of a batch, say, those that grow begin with their least. After an error all symbols are
  // what they were. Not while a run is under way. Errors: kNotLoaded, kBadIndex (another count of
  // numbers), kSymbolOutOfRange (value = the symbol), kBadExpression (value = the record of the
  // expression that has no result), kUnsupported (nothing of the variant follows from symbols, the
  // backend takes none, or nothing is proved and the plan is not for its own forms alone), what
  // load says of steps and values, and what the backend says.
  Status set_symbols(std::span<const uint32_t> numbers);
  // Sets the symbols that dims of an input are, so that it has these dims; other inputs and outputs
  // follow. Errors: kBadIndex (no such input), kBadShape (value = the dim: another rank, or a dim
  // that no symbol lets differ), and those of set_symbols.
  Status set_shape(uint32_t input, std::span<const uint32_t> dims);
  // The number that a symbol of the method has; 0 where there is no such symbol.
  uint32_t symbol(uint32_t i) const;

  // Bytes of an input to be filled before each run, and of an output, valid until the next run.
  // Row-major in the model's layout. Empty when the index is out of range or the caller has bound
  // nothing to it yet.
  std::span<std::byte> input(uint32_t i) const { return io_bytes(false, i); }
  std::span<const std::byte> output(uint32_t i) const { return io_bytes(true, i); }
  // Sets the memory that the next runs use for an input or output, instead of the memory it was
  // bound to. The program must leave it to the caller (kCaller). The memory must hold the arena's
  // bytes at its alignment, must not be memory of another value, and stays the caller's. Inputs are
  // only read. Must not be called while a run is under way. Errors: kNotLoaded, kBadIndex,
  // kUnsupported (the value lies in another arena), kArenaMissing (null), kArenaTooSmall,
  // kBadAlignment.
  Status bind_input(uint32_t i, std::span<std::byte> memory) { return bind_io(false, i, memory); }
  Status bind_output(uint32_t i, std::span<std::byte> memory) { return bind_io(true, i, memory); }
  Tensor input_tensor(uint32_t i) const { return io_tensor(false, i); }
  Tensor output_tensor(uint32_t i) const { return io_tensor(true, i); }

  // Runs all steps from the start. kArenaMissing (value = the arena) while an arena of kind kCaller
  // is not bound; kSymbolOutOfRange (value = the symbol) where a state would grow beyond its most:
  // nothing has run then. kCancelled where a call of Platform::pauses said so: outputs hold
  // anything, inputs may be overwritten, states are as before the run.
  Status run();
  // Runs about `count` steps from where the last call stopped (from the start after kDone or an
  // error): stretches of device steps that are one submission run together, and count as their
  // steps. kDone once the outputs are ready, and states have taken what their outputs hold.
  Result<RunState> run_steps(uint32_t count);

  // Calls inside the steps of further runs, instead of those of LoadOptions::platform; null: none.
  // Not while a run is under way.
  void set_pauses(Pauses* pauses) { platform_.pauses = pauses; }

  // The step from which the next call of run_steps goes on.
  uint32_t next_step() const { return next_step_; }

  bool loaded() const { return program_ != nullptr; }
  // These need a loaded instance.
  const Program& program() const { return *program_; }
  const format::VariantRecord& variant() const { return *variant_; }
  const Bindings& bindings() const { return bindings_; }
  const Platform& platform() const { return platform_; }
  StateTask state_task() const;

 private:
  friend class Growth;
  friend class DeviceRun;
  friend struct ModelAccess;

  // The bit of unready_ that lets a run look first at what states have become.
  static constexpr uint32_t kStatesWait = 1u << 31;
  static_assert(kMaxArenas <= 31);

  // Nobody copies one; trivial, so that storage may hold one without a constructor (core/model.cc).
  Instance(const Instance&) = default;

  // Loads after unload(). Where `interface` is not null, the program must have that digest
  // (core/interface.h), or the error is kWrongInterface.
  Status load_emptied(const Program& program, const LoadOptions& options, const LoadMemory& memory,
                      const uint32_t* interface);
  // These two return a code about section or arena `at`.
  Code bind_sections(const Program& program, const LoadOptions& options, const LoadMemory& memory,
                     uint32_t& at);
  Code bind_arenas(const Program& program, const format::VariantRecord& variant,
                   const LoadMemory& memory, std::span<uint32_t>& proof, uint32_t& kinds,
                   uint32_t& at);
  Code bind_arena(const format::ArenaRecord& arena, uint32_t at, std::span<std::byte> memory);
  Status bind_io(bool output, uint32_t i, std::span<std::byte> memory);
  Status start(const LoadOptions& options, uint32_t kinds);
  Status make_ready();
  Tensor io_tensor(bool output, uint32_t i) const;
  std::span<std::byte> io_bytes(bool output, uint32_t i) const;
  Status change_symbols(std::span<const uint32_t> numbers, const Tensor* input,
                        std::span<const uint32_t> dims);
  Status prove_again(bool& planned) const;
  Status run_on_cpu(const Step& step) const;
  const Form* form_of(const Step& step) const;

  const Program* program_ = nullptr;  // null while nothing is loaded
  const format::MethodRecord* method_ = nullptr;
  const format::VariantRecord* variant_ = nullptr;
  OpTable ops_;
  CpuFeatures features_ = 0;
  bool attached_ = false;
  bool grows_ = false;                          // dims of states follow from symbols
  bool grown_ = false;                          // a run has given states what is not settled yet
  bool planned_ = false;                        // every CPU step has its planned form
  const Verification* verification_ = nullptr;  // null: the program is believed
  Platform platform_;
  Backend backend_{.functions = nullptr};
  const StateFunctions* states_ = nullptr;          // null while the method has none
  const PredicateFunctions* predicates_ = nullptr;  // null while the program has none
  uint32_t next_step_ = 0;
  uint32_t next_predicate_ = 0;
  uint32_t unready_ = 0;  // arenas of the caller that have no memory yet, a bit each; kStatesWait
  Bindings bindings_;
  std::byte** arenas_ = nullptr;  // those of bindings_
};

// An instance with room for the addresses of any program.
class AnyInstance : public Instance {
 public:
  Status load(const Program& program, const LoadOptions& options);

 private:
  const std::byte* section_addresses_[kMaxSections] = {};
  std::byte* arena_addresses_[kMaxArenas] = {};
};

// Unloads when it goes.
class ScopedInstance : public AnyInstance {
 public:
  ScopedInstance() = default;
  ~ScopedInstance() { unload(); }
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
