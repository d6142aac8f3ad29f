// A model that is part of an image: what the header that `arenite plan --emit-cc` writes builds
// upon.
//
// C++17, no library; compiles without exceptions and RTTI.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pauses.h"
#include "status.h"
#include "types.h"

namespace arenite {

// An input or output of a model, for code that goes through tables; the generated header also gives
// each a type of its own.
struct ModelTensor {
  const char* name;
  DType type;
  std::uint32_t rank;
  const std::uint32_t* dims;  // null for a scalar
  std::size_t bytes;
  bool lent;   // planned with `--io caller`: its memory is the application's, see bind_input
  bool state;  // an input that is kept between runs: see reset_states
};

// An integer of an input or output stands for (integer - zero_point) * scale. `scale` is 0 where it
// stands for itself.
struct Quantisation {
  float scale = 0;
  std::int32_t zero_point = 0;
};

// One loaded model: the generated header derives `Instance` from it and loads it with
// `load(instance)`. Constant when it is made and nothing happens when it goes, so it may be static
// without start-up code or exit handlers. It is neither copied nor moved. Different instances may
// be used at the same time; one instance by one thread or interrupt at a time.
class ModelInstance {
 public:
  constexpr ModelInstance() = default;
  ModelInstance(const ModelInstance&) = delete;
  ModelInstance& operator=(const ModelInstance&) = delete;

  // Runs all steps from the start. Errors: kNotLoaded; kArenaMissing while an input or output that
  // the application lends is not bound; kIndexOutOfRange for an index in the input data; kCancelled
  // by a call of set_pauses.
  Status run();
  // Runs about `count` steps from where the last call stopped, or from the start after the end or
  // an error; `done` is then whether the outputs are ready. Lets a watchdog or another task have
  // its turn.
  Status run_steps(std::uint32_t count, bool& done);

  // Address of input `index`, to write before each run, and of an output, to read after it.
  // Elements are row-major, in the model's order of dims. Null when the index is out of range,
  // nothing is loaded, or nothing is bound yet.
  void* input(std::uint32_t index);
  const void* output(std::uint32_t index) const;

  // The dims that an input or output has now: those of the header, or what set_shape made of them.
  // Null for a scalar, when the index is out of range or nothing is loaded.
  const std::uint32_t* input_dims(std::uint32_t index) const;
  const std::uint32_t* output_dims(std::uint32_t index) const;

  // For a model planned with `--io caller`: the memory that the next runs use for an input or
  // output. It stays the application's. Errors: kNotLoaded, kBadIndex, kUnsupported (planned into
  // the arenas), kArenaMissing (null), kArenaTooSmall, kBadAlignment.
  Status bind_input(std::uint32_t index, const void* memory, std::size_t bytes);
  Status bind_output(std::uint32_t index, void* memory, std::size_t bytes);

  bool loaded() const;

  // These describe the program that is loaded, which need not be the one that the header was
  // written of. They are zeros when nothing is loaded or the index is out of range.
  std::uint32_t program_digest() const;
  Quantisation input_quantisation(std::uint32_t index) const;
  Quantisation output_quantisation(std::uint32_t index) const;

 private:
  friend struct ModelAccess;  // core/model.cc

  static constexpr std::size_t kStateBytes = 88 * sizeof(void*);

  alignas(std::uint64_t) unsigned char state_[kStateBytes] = {};
};

// Gives each state what it holds before the first run, as load does. Not while a run is under way.
// Errors: kNotLoaded.
//
// A state is an input that begins each run with what an output held at the end of the run before.
// It is read and written like any input between runs: to save it, and to bring it back after load.
// A run that fails, or is not run to its end, leaves it as it was.
Status reset_states(ModelInstance& instance);

// For a model whose states grow from run to run: gives inputs, and states, the dims that the last
// run left them, see input_dims. set_shape and the next run do so first; before a state is read,
// call this. What the last run put out is lost. Errors: kNotLoaded, those of set_shape.
Status settle_states(ModelInstance& instance);

// For a model planned for the most of some dims: lets an input have these dims in the next runs,
// `rank` of them; other inputs and outputs follow, see input_dims. What they held is lost. Each set
// of dims is proved as load proves a program, so set them when they change, not before every run.
// After an error the dims are what they were. Not while a run is under way. Errors: kNotLoaded,
// kBadIndex, kBadShape (another rank, or a dim that cannot differ), kSymbolOutOfRange (less or more
// than the dim may be).
Status set_shape(ModelInstance& instance, std::uint32_t input, const std::uint32_t* dims,
                 std::uint32_t rank);

// Calls inside the steps of further runs: see Pauses. Null: none, as after load. Not while a run is
// under way. After a cancel (kCancelled) inputs may be overwritten, outputs hold anything, and
// states are as they were before the run; the next run starts from the first step. load and
// set_shape make no calls.
void set_pauses(ModelInstance& instance, Pauses* pauses);

// Compares the constants, and all else that load does not read, with their checksums: about `bytes`
// of them (at least 4), from where the last call stopped, or from the start after the end, an error
// or load. `done` is then whether every byte of the program is as it was written, but for those of
// a signature. Between runs, for a program that was received, or lies in flash that wears. Errors:
// kNotLoaded, kBadChecksum, kBadRange.
Status verify_constants(ModelInstance& instance, std::uint32_t bytes, bool& done);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
