// Binds a verified variant to memory.
#include "core/instance.h"

#include "core/shape.h"
#include "core/verify.h"

namespace arenite {
namespace {

using format::ArenaKind;
using format::ArenaRecord;

bool aligned(const void* data, uint32_t alignment) {
  return (reinterpret_cast<uintptr_t>(data) & (alignment - 1)) == 0;
}

// The caller's memory for the proof, or the largest host arena.
std::span<uint32_t> proof_memory(std::span<const ArenaRecord> arenas, std::byte* const* memory,
                                 const LoadOptions& options) {
  std::span<uint32_t> best = options.proof;
  for (uint32_t i = 0; i < arenas.size(); ++i) {
    if (memory[i] != nullptr && arenas[i].alignment % alignof(uint32_t) == 0 &&
        arenas[i].bytes / 4 > best.size()) {
      best = {static_cast<uint32_t*>(static_cast<void*>(memory[i])), arenas[i].bytes / 4};
    }
  }
  return best;
}

}  // namespace

Status Instance::load(const Program& program, const LoadOptions& options) {
  unload();
  if (options.method >= program.methods().size()) {
    return error(Code::kNoSuchMethod);
  }
  const format::MethodRecord& method = program.methods()[options.method];
  if (options.variant >= method.variant_count) {
    return error(Code::kNoUsableVariant);
  }
  const format::VariantRecord& variant = program.variants()[method.variant_first + options.variant];
  platform_ = options.platform != nullptr ? *options.platform : Platform();
  backend_ = options.backend != nullptr ? *options.backend : null_backend();
  kernels_ = options.kernels;
  next_step_ = 0;
  bindings_ = program.bindings_of(variant);
  bindings_.sections = sections_;
  bindings_.arenas = arenas_;
  ARENITE_TRY(bind_sections(program, options));
  ARENITE_TRY(bind_arenas(program.arenas_of(variant), options));
  const VerifyTask task{&program, &method, &variant, &bindings_, kernels_};
  ARENITE_TRY(verify_variant(task, proof_memory(program.arenas_of(variant), arenas_, options)));
  ARENITE_TRY(attach(program, variant, options));
  program_ = &program;
  method_ = &method;
  variant_ = &variant;
  return ok_status();
}

Status Instance::bind_sections(const Program& program, const LoadOptions& options) {
  const auto sections = program.sections();
  for (uint32_t i = 0; i < sections.size(); ++i) {
    const auto mapped = program.section_bytes(i);
    sections_[i] = mapped.data();
    if (sections[i].kind != static_cast<uint32_t>(format::SectionKind::kConstants)) {
      continue;
    }
    if (mapped.empty() && i < options.sections.size() && !options.sections[i].empty()) {
      std::byte* to = options.sections[i].data();
      if (options.sections[i].size() < sections[i].bytes || platform_.read_constants == nullptr ||
          !platform_.read_constants(platform_.context, sections[i].offset, to, sections[i].bytes)) {
        return error(Code::kTruncated, i);
      }
      sections_[i] = to;
    }
    // The largest element; what a kernel asks beyond that is compared with the address itself.
    if (!aligned(sections_[i], 8)) {
      return error(Code::kBadAlignment, i);
    }
  }
  return ok_status();
}

Status Instance::bind_arenas(std::span<const ArenaRecord> arenas, const LoadOptions& options) {
  for (uint32_t i = 0; i < arenas.size(); ++i) {
    arenas_[i] = nullptr;
    if (static_cast<ArenaKind>(arenas[i].kind) != ArenaKind::kHost || arenas[i].bytes == 0) {
      continue;
    }
    if (i >= options.arenas.size() || options.arenas[i].empty()) {
      return error(Code::kArenaMissing, i);
    }
    if (options.arenas[i].size() < arenas[i].bytes) {
      return error(Code::kArenaTooSmall, i);
    }
    if (!aligned(options.arenas[i].data(), arenas[i].alignment)) {
      return error(Code::kBadAlignment, i);
    }
    arenas_[i] = options.arenas[i].data();
  }
  return ok_status();
}

// Lets the backend make what it needs, and checks the arenas it gives.
Status Instance::attach(const Program& program, const format::VariantRecord& variant,
                        const LoadOptions& options) {
  const auto arenas = program.arenas_of(variant);
  bool device = false;
  for (const ArenaRecord& arena : arenas) {
    device = device || static_cast<ArenaKind>(arena.kind) != ArenaKind::kHost;
  }
  if (!device) {
    return ok_status();
  }
  const BackendTask task{&program, &variant, &bindings_, options.method};
  ARENITE_TRY(backend_.attach(backend_.context, task, {arenas_, arenas.size()}));
  attached_ = true;
  for (uint32_t i = 0; i < arenas.size(); ++i) {
    const auto kind = static_cast<ArenaKind>(arenas[i].kind);
    const bool mapped = kind == ArenaKind::kUpload || kind == ArenaKind::kReadback;
    const bool missing = mapped && arenas[i].bytes != 0 && arenas_[i] == nullptr;
    if (missing || !aligned(arenas_[i], arenas[i].alignment)) {
      unload();
      return error(missing ? Code::kArenaMissing : Code::kBadAlignment, i);
    }
  }
  return ok_status();
}

void Instance::unload() {
  if (attached_) {
    backend_.detach(backend_.context);
    attached_ = false;
  }
  program_ = nullptr;
}

Tensor Instance::io_tensor(uint32_t index, uint32_t first, uint32_t count) const {
  if (index >= count) {
    return {};
  }
  return tensor_of(bindings_, program_->io()[variant_->io_first + first + index]);
}

Tensor Instance::input_tensor(uint32_t i) const {
  return program_ != nullptr ? io_tensor(i, 0, method_->input_count) : Tensor();
}

Tensor Instance::output_tensor(uint32_t i) const {
  return program_ != nullptr ? io_tensor(i, method_->input_count, method_->output_count) : Tensor();
}

std::span<std::byte> Instance::input(uint32_t i) const {
  const Tensor tensor = input_tensor(i);
  // Inputs are verified to lie in arenas, which are writable memory.
  return {const_cast<std::byte*>(tensor.data), static_cast<size_t>(extent_bytes(tensor))};
}

std::span<const std::byte> Instance::output(uint32_t i) const {
  const Tensor tensor = output_tensor(i);
  return {tensor.data, static_cast<size_t>(extent_bytes(tensor))};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
