// Binds a verified variant to memory.
#include "core/instance.h"

#include "core/interface.h"
#include "core/range.h"
#include "core/shape.h"
#include "core/verify.h"

namespace arenite {
namespace {

using format::ArenaKind;
using format::ArenaRecord;
using format::SectionRecord;

// The largest element; what a form asks beyond that is compared with the address itself.
constexpr uint32_t kSectionAlignment = 8;

// Kinds of arenas as a set.
constexpr uint32_t bit_of(ArenaKind kind) { return uint32_t{1} << static_cast<uint32_t>(kind); }
constexpr uint32_t kDeviceKinds =
    bit_of(ArenaKind::kDevice) | bit_of(ArenaKind::kUpload) | bit_of(ArenaKind::kReadback);

}  // namespace

Status Instance::load_emptied(const Program& program, const LoadOptions& options,
                              const LoadMemory& memory, const uint32_t* interface) {
  if (options.method >= program.methods().size()) {
    return error(Code::kNoSuchMethod);
  }
  const format::MethodRecord& method = program.methods()[options.method];
  if (options.variant >= method.variant_count) {
    return error(Code::kNoUsableVariant);
  }
  const format::VariantRecord& variant = program.variants()[method.variant_first + options.variant];
  if (interface != nullptr && interface_digest(program, method, variant) != *interface) {
    return error(Code::kWrongInterface);
  }
  platform_ = {};
  if (options.platform != nullptr) {
    platform_ = *options.platform;
  }
  backend_ = {.functions = nullptr};
  if (options.backend != nullptr) {
    backend_ = *options.backend;
  }
  next_step_ = 0;
  bindings_ = program.bindings_of(variant);
  ops_ = options.ops;
  features_ = options.features;
  const FormTask forms = form_task(bindings_, program, variant, ops_, features_);
  if (platform_.threads > forms.threads) {
    platform_.threads = forms.threads;
  }
  bindings_.sections = memory.section_addresses.data();
  arenas_ = memory.arena_addresses.data();
  bindings_.arenas = arenas_;
  std::span<uint32_t> proof = options.proof;
  uint32_t kinds = 0;
  uint32_t at = 0;
  Code code = bind_sections(program, options, memory, at);
  if (code == Code::kOk) {
    code = bind_arenas(program, variant, memory, proof, kinds, at);
  }
  if (code != Code::kOk) {
    return error(code, at);
  }
  verification_ = options.verification;
  planned_ = true;
  if (verification_ != nullptr) {
    ARENITE_TRY(verification_->variant({&program, &method, &variant, &forms}, proof, planned_));
  }
  program_ = &program;
  method_ = &method;
  variant_ = &variant;
  const Status status = start(options, kinds);
  if (!status.ok()) {
    unload();
  }
  return status;
}

Status AnyInstance::load(const Program& program, const LoadOptions& options) {
  const LoadMemory& given = options;
  LoadMemory with_room = given;
  with_room.section_addresses = section_addresses_;
  with_room.arena_addresses = arena_addresses_;
  return Instance::load(program, options, with_room);
}

// Starts what a variant with arenas of these kinds needs besides memory.
Status Instance::start(const LoadOptions& options, uint32_t kinds) {
  if ((kinds & kDeviceKinds) != 0) {
    if (backend_.functions == nullptr) {
      return error(Code::kUnsupported);
    }
    const BackendTask task{program_, variant_, &bindings_, options.method};
    ARENITE_TRY(backend_.functions->attach(backend_, task,
                                           {arenas_, program_->arenas_of(*variant_).size()}));
    attached_ = true;
  }
  if (options.symbols == nullptr && !program_->symbolic_variants().empty()) {
    return error(Code::kUnsupported);
  }
  predicates_ = nullptr;
  if (!program_->predicates().empty()) {
    predicates_ = options.predicates;
    if (predicates_ == nullptr) {
      return error(Code::kUnsupported);
    }
    ARENITE_TRY(predicates_->check({program_, variant_, &bindings_}));
  }
  states_ = nullptr;
  grows_ = false;
  grown_ = false;
  if ((kinds & bit_of(ArenaKind::kState)) == 0 && program_->states().empty()) {
    return ok_status();
  }
  if (options.states == nullptr) {
    return error(Code::kUnsupported);
  }
  states_ = options.states;
  return states_->start(*this, options.keep_states);
}

StateTask Instance::state_task() const {
  return {program_, variant_, static_cast<uint32_t>(method_ - program_->methods().data()),
          &bindings_};
}

Status Instance::reset_states() {
  if (program_ == nullptr) {
    return error(Code::kNotLoaded);
  }
  return states_ != nullptr ? states_->reset(*this) : ok_status();
}

// Before the sections, the bindings get what follows from symbols.
Code Instance::bind_sections(const Program& program, const LoadOptions& options,
                             const LoadMemory& memory, uint32_t& at) {
  if (options.symbols != nullptr) {
    const Code code = options.symbols->bind(program, options, memory.frame, bindings_, at);
    if (code != Code::kOk) return code;
  }
  for (at = 0; at < program.sections().size(); ++at) {
    const SectionRecord& section = program.sections()[at];
    const std::byte* base = program.section_bytes(at).data();
    const bool has_room = at < memory.section_addresses.size();
    if (!format::holds_constants(section.kind)) {
      if (has_room) memory.section_addresses[at] = base;
      continue;
    }
    if (!has_room) {
      return Code::kArenaTooSmall;
    }
    if (section.kind == static_cast<uint32_t>(format::SectionKind::kConstants) && base == nullptr &&
        at < options.sections.size() && !options.sections[at].empty()) {
      std::byte* to = options.sections[at].data();
      if (options.sections[at].size() < section.bytes || platform_.read_constants == nullptr ||
          !platform_.read_constants(platform_.context, section.offset, to, section.bytes)) {
        return Code::kTruncated;
      }
      base = to;
    }
    if (!is_aligned(base, kSectionAlignment)) {
      return Code::kBadAlignment;
    }
    memory.section_addresses[at] = base;
  }
  return Code::kOk;
}

// Binds the arenas. The caller's own may come later. Also collects the arenas' kinds, and takes the
// largest host arena for the proof if it is larger than `proof`.
Code Instance::bind_arenas(const Program& program, const format::VariantRecord& variant,
                           const LoadMemory& memory, std::span<uint32_t>& proof, uint32_t& kinds,
                           uint32_t& at) {
  const Records<ArenaRecord> arenas = program.arenas_of(variant);
  unready_ = 0;
  for (at = 0; at < arenas.size(); ++at) {
    const ArenaRecord& arena = arenas[at];
    if (at == memory.arena_addresses.size()) {
      return Code::kArenaTooSmall;
    }
    arenas_[at] = nullptr;
    const auto kind = static_cast<ArenaKind>(arena.kind);
    kinds |= bit_of(kind);
    if (format::is_device_arena(kind) || arena.bytes == 0) {
      continue;
    }
    if (at >= memory.arenas.size() || memory.arenas[at].empty()) {
      if (kind == ArenaKind::kCaller) {
        unready_ |= uint32_t{1} << at;
        continue;
      }
      return Code::kArenaMissing;
    }
    if (const Code code = bind_arena(arena, at, memory.arenas[at]); code != Code::kOk) {
      return code;
    }
    std::byte* base = arenas_[at];
    // The memory that the caller lends for inputs is only read, here too.
    if (kind == ArenaKind::kHost && is_aligned(base, alignof(uint32_t)) &&
        arena.bytes / 4 > proof.size()) {
      proof = {static_cast<uint32_t*>(static_cast<void*>(base)), arena.bytes / 4};
    }
  }
  return Code::kOk;
}

Code Instance::bind_arena(const ArenaRecord& arena, uint32_t at, std::span<std::byte> memory) {
  if (memory.size() < arena.bytes) {
    return Code::kArenaTooSmall;
  }
  if (memory.data() == nullptr && arena.bytes != 0) {
    return Code::kArenaMissing;
  }
  if (!is_aligned(memory.data(), arena.alignment)) {
    return Code::kBadAlignment;
  }
  arenas_[at] = memory.data();
  unready_ &= ~(uint32_t{1} << at);
  return Code::kOk;
}

Status Instance::bind_io(bool output, uint32_t i, std::span<std::byte> memory) {
  if (program_ == nullptr) {
    return error(Code::kNotLoaded);
  }
  if (i >= (output ? method_->output_count : method_->input_count)) {
    return error(Code::kBadIndex, i);
  }
  const uint32_t first = variant_->io_first + (output ? method_->input_count : 0);
  const format::ValueRecord& value = program_->values_of(*variant_)[program_->io()[first + i]];
  const ArenaRecord& arena = program_->arenas_of(*variant_)[value.place];
  if (static_cast<ArenaKind>(arena.kind) != ArenaKind::kCaller) {
    return error(Code::kUnsupported, i);
  }
  const Code code = bind_arena(arena, value.place, memory);
  return code == Code::kOk ? ok_status() : error(code, value.place);
}

void Instance::unload() {
  if (attached_) {
    backend_.detach(backend_.context);
    attached_ = false;
  }
  program_ = nullptr;
}

Tensor Instance::io_tensor(bool output, uint32_t i) const {
  if (program_ == nullptr || i >= (output ? method_->output_count : method_->input_count)) {
    return {};
  }
  const uint32_t first = variant_->io_first + (output ? method_->input_count : 0);
  return tensor_of(bindings_, program_->io()[first + i]);
}

std::span<std::byte> Instance::io_bytes(bool output, uint32_t i) const {
  const Tensor tensor = io_tensor(output, i);
  if (tensor.data == nullptr || (unready_ >> tensor.record->place & 1u) != 0) {
    return {};
  }
  // Inputs are verified to lie in arenas, which are writable memory.
  return {const_cast<std::byte*>(tensor.data), static_cast<size_t>(extent_bytes(tensor))};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
