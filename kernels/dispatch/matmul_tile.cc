// Chooses tiles by how many groups there are.
#include "kernels/dispatch/matmul_tile.h"

#include "kernels/dispatch/matrices.h"
#include "kernels/dispatch/weights.h"
#include "kernels/shaders/matmul_tile.h"

namespace arenite {
namespace {

constexpr uint32_t kTileColumns = 64;
// Rows of an invocation, of which a tile has eight times as many.
uint32_t rows_of(uint32_t choice) { return 8u >> choice; }
// Fewer of these groups take longer than invocations with a tile each: on an H200 a product of 228
// takes 36 us instead of 51, one of 168 takes 20 instead of 18.
constexpr uint64_t kGroupsMin = 192;
// With so many or more, larger tiles are faster.
constexpr uint64_t kGroupsMany = 256;
// Sums of fewer products are over before what the next step needs is there.
constexpr uint32_t kDepthMin = 64;

uint64_t groups_of(const Matrices& m, uint32_t choice) {
  const uint64_t tile_rows = 8 * uint64_t{rows_of(choice)};
  const uint64_t one = (uint64_t{m.rows} + tile_rows - 1) / tile_rows *
                       ((uint64_t{m.columns} + kTileColumns - 1) / kTileColumns);
  return one < kMaxInvocations ? one * m.batch.count() : kMaxInvocations;
}

}  // namespace

bool accepts_matmul_tile(const Step& step) {
  if (!are_matrices(step)) return false;
  const Operand y = output_operand(step, 0);
  if (y.count() == 0) return false;
  const Matrices m = describe_tall(step);
  return m.a.groups_of_four(m.rank - 1) && has_vectors_of_b(m) &&
         m.outer.count() <= kMaxStepDispatches &&
         groups_of(m, step.record().choice) < kMaxInvocations / kWorkgroupSize;
}

uint32_t choose_matmul_tile(const Step& step, const Capabilities&) {
  const Matrices m = describe_tall(step);
  if (m.depth < kDepthMin || m.rows < 8) return kNotSuitable;
  if (groups_of(m, 0) >= kGroupsMany) return 0;
  return groups_of(m, 1) >= kGroupsMin ? 1 : kNotSuitable;
}

Status emit_matmul_tile(const Step& step, const DispatchSink& sink) {
  const Matrices m = describe_tall(step);
  const uint32_t choice = step.record().choice;
  const uint64_t count = groups_of(m, choice);
  ARENITE_TRY(for_each_outer(m.outer, [&](const uint32_t* offsets) {
    DispatchBuilder builder(
        shaders::MatMulTile{.spec = {.rows = rows_of(choice),
                                     .activation = m.attributes.activation.kind,
                                     .has_c = m.has_c,
                                     .panels = m.panels,
                                     .vectors_y = m.y.groups_of_four(m.rank - 1),
                                     .weights = weights_type(m.b)},
                            .push = push_of(m, count, offsets)});
    builder.buffer(m.a).buffer(m.b).buffer(m.c).buffer(m.y);
    return builder.run_groups(sink, count);
  }));
  return emit_rest(step, m, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
