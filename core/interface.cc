// Digests what a generated header states of a method.
#include "core/interface.h"

#include "core/checksum.h"

namespace arenite {

uint32_t interface_digest(const Program& program, const format::MethodRecord& method,
                          const format::VariantRecord& variant) {
  const uint32_t counts[] = {static_cast<uint32_t>(program.methods().size()), method.input_count,
                             method.output_count};
  uint32_t digest = checksum(std::as_bytes(std::span(counts)));
  const format::ArenaRecord* arenas = program.arenas_of(variant).data();
  const std::span<const uint32_t> io =
      program.io().subspan(variant.io_first, method.input_count + method.output_count);
  for (const uint32_t index : io) {
    const format::ValueRecord& value = program.values_of(variant)[index];
    const bool lent = arenas[value.place].kind == static_cast<uint32_t>(format::ArenaKind::kCaller);
    const uint32_t type[] = {value.dtype, value.rank, lent ? 1u : 0u};
    digest = checksum(std::as_bytes(std::span(type)), digest);
    digest = checksum(std::as_bytes(program.shapes().subspan(value.shape, value.rank)), digest);
  }
  // Last: its size need be no multiple of a word.
  const std::string_view name = program.string(method.name_offset, method.name_bytes);
  return checksum(std::as_bytes(std::span(name)), digest);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
