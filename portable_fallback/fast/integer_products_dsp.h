// Widens what a few places read to pairs of 16-bit numbers, and multiplies two at once:
//
//   rows   x0 x1 of place 0 | x0 x1 of place 1 | ... | x2 x3 of place 0 | ...
//   w      a0 b0 a1 b1 | a2 b2 a3 b3 | ...   bytes of columns a and b: even ones are a's pair
//
// 1. Of each place its window is copied to the rows, less the zero point, and what lies beside x.
// 2. A zero point of the weights adds the same to each sum of a place: that many times the sum of
//    its numbers.
// 3. A tile of two columns by four places keeps its sums in registers: they read a word of w once
//    for 16 products. A single place is a vector (integer_vector_dsp_kernel.cc).
//
// Lai, Suda and Chandra, "CMSIS-NN" (arXiv 1801.06601), widens in the same way; the interleaved
// weights need no reordering at run time.
#pragma once

#include "portable_fallback/fast/integer_copies_dsp.h"
#include "portable_fallback/fast/integer_finish_dsp.h"
#include "portable_fallback/fast/integer_finish_once_dsp.h"
#include "portable_fallback/fast/integer_products_dsp_kernel.h"
#include "portable_fallback/fast/integer_tile_dsp.h"

namespace arenite {
namespace {

// What is added to sums behind the words: the products of half a word, and what each place adds.
constexpr uint32_t kHalfWord = 1, kOfPlaces = 2;

// Pairs of columns that follow each other, at four places, with small results. The next pair's is
// what changes from one pair to the next.
struct PairRun {
  const std::byte* w;    // the next pair's
  const uint32_t* rows;  // whose words end there
  const uint32_t* end;
  // Four words are a round, and the first begins at one of them: so many bytes of instructions are
  // left out. Rounds of eight take 208 bytes more and 2 % fewer instructions.
  uint32_t left_out;
  const int32_t* bias;  // the next pair's, and bytes between columns
  size_t bias_step;
  const int8_t* shifts;  // the next pair's, and elements between columns
  size_t factor_step;
  const int32_t* multipliers;
  int32_t centres[2];  // twice the zero point of each column of a pair, plus 1
  uint32_t rest;       // kHalfWord, kOfPlaces
  size_t y_c;
  Dst<int8_t> y;  // the next pair's
  size_t y_w;
  uint32_t pairs;
  int32_t of_places[4];  // what each place adds to its sums
};

#if defined(__ARM_ARCH_7EM__) && defined(__OPTIMIZE__)
// SmallFactor::result() of a sum at y: r8 holds `added`, r9 `before`, r10 the multiplier.
#define ARENITE_PUT(sum, y) \
  "lsl " sum ", " sum       \
  ", #1\n\t"                \
  "add lr, r8, " sum        \
  ", asr #31\n\t"           \
  "smmlar " sum ", " sum    \
  ", r10, lr\n\t"           \
  "asr " sum ", " sum       \
  ", r9\n\t"                \
  "ssat " sum ", #8, " sum  \
  ", asr #1\n\t"            \
  "strb " sum ", " y "\n\t"
#define ARENITE_PUT_FOUR(sum0, sum1, sum2, sum3)   \
  ARENITE_PUT(sum0, "[r11]")                       \
  ARENITE_PUT(sum1, "[r11, r12]")                  \
  ARENITE_PUT(sum2, "[r11, r12, lsl #1]")          \
  "add r11, r12\n\t" ARENITE_PUT(sum3,             \
                                 "[r11, r12, lsl " \
                                 "#1]")

// The sums of a pair of columns, r0 to r3 of a, r4 to r7 of b, from the biases in r0 and r4 on.
// What follows the pairs goes on at 1.
#define ARENITE_PAIR_SUMS(begin, of_places)                                    \
  "1:\n\t"                                                                     \
  "ldrd r8, r9, %[bias]\n\t"                                                   \
  "ldr r0, [r8]\n\t"                                                           \
  "ldr r4, [r8, r9]\n\t"                                                       \
  "add r8, r8, r9, lsl #1\n\t"                                                 \
  "str r8, %[bias]\n\t"                                                        \
  "ldrd r8, r9, %[w]\n\t" begin                                                \
  "ldr r10, %[left_out]\n\t"                                                   \
  "add pc, r10\n\t"                                                            \
  "nop\n\t" /* pc reads as four bytes on */                                    \
  "2:\n\t" ARENITE_ADD_WORD ARENITE_ADD_WORD ARENITE_ADD_WORD ARENITE_ADD_WORD \
  "ldr r10, %[end]\n\t"                                                        \
  "cmp r9, r10\n\t"                                                            \
  "bne.w 2b\n\t"                                                               \
  "ldr r10, %[rest]\n\t"                                                       \
  "cmp r10, #0\n\t"                                                            \
  "beq 3f\n\t"                                                                 \
  "tst r10, #1\n\t"                                                            \
  "beq 4f\n\t"                                                                 \
  "ldrh r11, [r8], #2\n\t"                                                     \
  "ldrd r12, lr, [r9]\n\t"                                                     \
  "sxtb16 r10, r11\n\t"                                                        \
  "sxtb16 r11, r11, ror #8\n\t"                                                \
  "smlad r0, r10, r12, r0\n\t"                                                 \
  "smlad r4, r11, r12, r4\n\t"                                                 \
  "smlad r1, r10, lr, r1\n\t"                                                  \
  "smlad r5, r11, lr, r5\n\t"                                                  \
  "ldrd r12, lr, [r9, #8]\n\t"                                                 \
  "smlad r2, r10, r12, r2\n\t"                                                 \
  "smlad r6, r11, r12, r6\n\t"                                                 \
  "smlad r3, r10, lr, r3\n\t"                                                  \
  "smlad r7, r11, lr, r7\n\t" of_places                                        \
  "3:\n\t"                                                                     \
  "str r8, %[w]\n\t"
#define ARENITE_BEGIN_ALIKE \
  "mov r1, r0\n\t"          \
  "mov r2, r0\n\t"          \
  "mov r3, r0\n\t"          \
  "mov r5, r4\n\t"          \
  "mov r6, r4\n\t"          \
  "mov r7, r4\n\t"
#define ARENITE_ADD_OF_PLACES           \
  "ldr r10, %[rest]\n\t"                \
  "4:\n\t"                              \
  "tst r10, #2\n\t"                     \
  "beq 3f\n\t"                          \
  "ldrd r10, r11, %[of_places]\n\t"     \
  "ldrd r12, lr, %[of_last_places]\n\t" \
  "add r0, r10\n\t"                     \
  "add r1, r11\n\t"                     \
  "add r2, r12\n\t"                     \
  "add r3, lr\n\t"                      \
  "add r4, r10\n\t"                     \
  "add r5, r11\n\t"                     \
  "add r6, r12\n\t"                     \
  "add r7, lr\n\t"
// What is written.
#define ARENITE_PAIR_OUT(run)                                        \
  [w] "+m"(run.w), [bias] "+m"(run.bias), [shifts] "+m"(run.shifts), \
      [multipliers] "+m"(run.multipliers), [y] "+m"(run.y), [pairs] "+m"(run.pairs)
#define ARENITE_PAIR_IN(run)                                                                  \
  [left_out] "m"(run.left_out), [end] "m"(run.end), [rest] "m"(run.rest), [y_c] "m"(run.y_c), \
      [of_places] "m"(run.of_places[0]), [of_last_places] "m"(run.of_places[2]), "m"(run)

// `run` lies on the caller's stack, which is where the loop finds it.
[[gnu::always_inline]] inline void compute_pairs(PairRun& run) {
  asm volatile(
      ARENITE_PAIR_SUMS(ARENITE_BEGIN_ALIKE, ARENITE_ADD_OF_PLACES)
      "ldr r8, %[shifts]\n\t"
      "ldrsb r9, [r8]\n\t"
      "ldr r8, %[multipliers]\n\t"
      "ldr r10, [r8]\n\t"
      "ldr r8, %[centre_a]\n\t"
      "mvn r9, r9\n\t"
      "lsl r8, r8, r9\n\t"
      "ldrd r11, r12, %[y]\n\t"  //
      ARENITE_PUT_FOUR("r0", "r1", "r2", "r3")
      "ldrd r0, r1, %[shifts]\n\t"
      "ldrsb r9, [r0, r1]\n\t"
      "add r0, r0, r1, lsl #1\n\t"
      "str r0, %[shifts]\n\t"
      "ldr r0, %[multipliers]\n\t"
      "ldr r10, [r0, r1, lsl #2]\n\t"
      "add r0, r0, r1, lsl #3\n\t"
      "str r0, %[multipliers]\n\t"
      "ldr r8, %[centre_b]\n\t"
      "mvn r9, r9\n\t"
      "lsl r8, r8, r9\n\t"
      "ldrd r0, r1, %[y_c]\n\t"
      "add r11, r1, r0\n\t"
      "add r1, r11, r0\n\t"
      "str r1, %[y]\n\t"  //
      ARENITE_PUT_FOUR("r4", "r5", "r6", "r7")
      "ldr r0, %[pairs]\n\t"
      "subs r0, #1\n\t"
      "str r0, %[pairs]\n\t"
      "bne.w 1b"
      : ARENITE_PAIR_OUT(run)
      : ARENITE_PAIR_IN(run), [centre_a] "m"(run.centres[0]), [centre_b] "m"(run.centres[1])
      : ARENITE_TILE_REGISTERS);
}
#undef ARENITE_PUT_FOUR
#undef ARENITE_PUT

// ExactFactor of the shift in r9 and the centre at `centre`: r9 becomes `before`, r8 `added`. The
// sums are raised.
#define ARENITE_EXACT_FACTOR(centre, sum0, sum1, sum2, sum3) \
  "add r8, r9, #1\n\t"                                       \
  "mvn r9, r9\n\t"                                           \
  "usat r8, #5, r8\n\t"                                      \
  "usat r9, #5, r9\n\t"                                      \
  "add r8, r8, #1\n\t"                                       \
  "lsl " sum0 ", " sum0                                      \
  ", r8\n\t"                                                 \
  "lsl " sum1 ", " sum1                                      \
  ", r8\n\t"                                                 \
  "lsl " sum2 ", " sum2                                      \
  ", r8\n\t"                                                 \
  "lsl " sum3 ", " sum3                                      \
  ", r8\n\t"                                                 \
  "ldr r8, " centre                                          \
  "\n\t"                                                     \
  "lsl r8, r8, r9\n\t"
// ExactFactor::result() of a raised sum at y.
#define ARENITE_PUT_EXACT(saturate, sum, y)                    \
  "smmla " sum ", " sum                                        \
  ", r10, r8\n\t"                                              \
  "asr " sum ", " sum ", r9\n\t" saturate " " sum ", #8, " sum \
  ", asr #1\n\t"                                               \
  "strb " sum ", " y "\n\t"
#define ARENITE_PUT_EXACT_FOUR(saturate, sum0, sum1, sum2, sum3) \
  ARENITE_PUT_EXACT(saturate, sum0, "[r11]")                     \
  ARENITE_PUT_EXACT(saturate, sum1, "[r11, r12]")                \
  ARENITE_PUT_EXACT(saturate, sum2, "[r11, r12, lsl #1]")        \
  "add r11, r12\n\t" ARENITE_PUT_EXACT(saturate, sum3, "[r11, r12, lsl #1]")
// Those of int8, or from `of_unsigned` on of uint8.
#define ARENITE_PUT_EXACT_BYTES(of_unsigned, end, sum0, sum1, sum2, sum3)                      \
  "ldr lr, %[is_unsigned]\n\t"                                                                 \
  "cmp lr, #0\n\t"                                                                             \
  "bne " of_unsigned "f\n\t" ARENITE_PUT_EXACT_FOUR(                                           \
      "ssat", sum0, sum1, sum2, sum3) "b " end "f\n\t" of_unsigned                             \
                                      ":\n\t" ARENITE_PUT_EXACT_FOUR("usat", sum0, sum1, sum2, \
                                                                     sum3) end ":\n\t"

// As compute_pairs(), of results that are rounded once.
[[gnu::always_inline]] inline void compute_exact_pairs(PairRun& run, uint32_t is_unsigned) {
  asm volatile(
      ARENITE_PAIR_SUMS(ARENITE_BEGIN_ALIKE, ARENITE_ADD_OF_PLACES)
      "ldr r8, %[shifts]\n\t"
      "ldrsb r9, [r8]\n\t"
      "ldr r8, %[multipliers]\n\t"
      "ldr r10, [r8]\n\t"  //
      ARENITE_EXACT_FACTOR("%[centre_a]", "r0", "r1", "r2", "r3")
      "ldrd r11, r12, %[y]\n\t"  //
      ARENITE_PUT_EXACT_BYTES("5", "6", "r0", "r1", "r2", "r3")
      "ldrd r0, r1, %[shifts]\n\t"
      "ldrsb r9, [r0, r1]\n\t"
      "add r0, r0, r1, lsl #1\n\t"
      "str r0, %[shifts]\n\t"
      "ldr r0, %[multipliers]\n\t"
      "ldr r10, [r0, r1, lsl #2]\n\t"
      "add r0, r0, r1, lsl #3\n\t"
      "str r0, %[multipliers]\n\t"
      "ldrd r0, r1, %[y_c]\n\t"
      "add r11, r1, r0\n\t"
      "add r1, r11, r0\n\t"
      "str r1, %[y]\n\t"  //
      ARENITE_EXACT_FACTOR("%[centre_b]", "r4", "r5", "r6", "r7")
      ARENITE_PUT_EXACT_BYTES("7", "8", "r4", "r5", "r6", "r7")
      "ldr r0, %[pairs]\n\t"
      "subs r0, #1\n\t"
      "str r0, %[pairs]\n\t"
      "bne.w 1b"
      : ARENITE_PAIR_OUT(run)
      : ARENITE_PAIR_IN(run), [centre_a] "m"(run.centres[0]), [centre_b] "m"(run.centres[1]),
        [is_unsigned] "m"(is_unsigned)
      : ARENITE_TILE_REGISTERS);
}
#undef ARENITE_PUT_EXACT_BYTES
#undef ARENITE_PUT_EXACT_FOUR
#undef ARENITE_PUT_EXACT
#undef ARENITE_EXACT_FACTOR
#undef ARENITE_ADD_OF_PLACES
#undef ARENITE_BEGIN_ALIKE

#if defined(__ARM_FP) && (__ARM_FP & 4) != 0
#define ARENITE_BEGIN_OF_PLACES         \
  "ldrd r10, r11, %[of_places]\n\t"     \
  "ldrd r12, lr, %[of_last_places]\n\t" \
  "add r1, r0, r11\n\t"                 \
  "add r2, r0, r12\n\t"                 \
  "add r3, r0, lr\n\t"                  \
  "add r0, r10\n\t"                     \
  "add r5, r4, r11\n\t"                 \
  "add r6, r4, r12\n\t"                 \
  "add r7, r4, lr\n\t"                  \
  "add r4, r10\n\t"
// The factor of the multiplier in r10 and the shift in r9: s4.
#define ARENITE_FLOAT_FACTOR       \
  "add r9, #96\n\t" /* 127 - 31 */ \
  "lsl r9, r9, #23\n\t"            \
  "vmov s4, s5, r10, r9\n\t"       \
  "vcvt.f32.s32 s4, s4\n\t"        \
  "vmul.f32 s4, s4, s5\n\t"
// r8 holds the zero point.
#define ARENITE_PUT_FLOAT(sum, y) \
  "qadd " sum ", " sum            \
  ", r8\n\t"                      \
  "usat " sum ", #8, " sum        \
  "\n\t"                          \
  "strb " sum ", " y "\n\t"
#define ARENITE_PUT_FLOATS(sum0, sum1, sum2, sum3)                                            \
  "vmov s0, s1, " sum0 ", " sum1                                                              \
  "\n\t"                                                                                      \
  "vmov s2, s3, " sum2 ", " sum3                                                              \
  "\n\t"                                                                                      \
  "vcvt.f32.s32 s0, s0\n\t"                                                                   \
  "vcvt.f32.s32 s1, s1\n\t"                                                                   \
  "vcvt.f32.s32 s2, s2\n\t"                                                                   \
  "vcvt.f32.s32 s3, s3\n\t"                                                                   \
  "vmul.f32 s0, s0, s4\n\t"                                                                   \
  "vmul.f32 s1, s1, s4\n\t"                                                                   \
  "vmul.f32 s2, s2, s4\n\t"                                                                   \
  "vmul.f32 s3, s3, s4\n\t"                                                                   \
  "vcvtr.s32.f32 s0, s0\n\t"                                                                  \
  "vcvtr.s32.f32 s1, s1\n\t"                                                                  \
  "vcvtr.s32.f32 s2, s2\n\t"                                                                  \
  "vcvtr.s32.f32 s3, s3\n\t"                                                                  \
  "vmov " sum0 ", " sum1                                                                      \
  ", s0, s1\n\t"                                                                              \
  "vmov " sum2 ", " sum3 ", s2, s3\n\t" ARENITE_PUT_FLOAT(sum0, "[r11]")                      \
      ARENITE_PUT_FLOAT(sum1, "[r11, r12]")                                                   \
          ARENITE_PUT_FLOAT(sum2, "[r11, r12, lsl #1]") "add r11, r12\n\t" ARENITE_PUT_FLOAT( \
              sum3, "[r11, r12, lsl #1]")

// The same of results in float32.
[[gnu::always_inline]] inline void compute_float_pairs(PairRun& run, int32_t zero_point) {
  asm volatile(
      ARENITE_PAIR_SUMS(ARENITE_BEGIN_OF_PLACES, "4:\n\t")
      "ldr r8, %[shifts]\n\t"
      "ldrsb r9, [r8]\n\t"
      "ldr r8, %[multipliers]\n\t"
      "ldr r10, [r8]\n\t"
      "ldr r8, %[zero_point]\n\t"
      "ldrd r11, r12, %[y]\n\t"  //
      ARENITE_FLOAT_FACTOR ARENITE_PUT_FLOATS("r0", "r1", "r2", "r3")
      "ldrd r0, r1, %[shifts]\n\t"
      "ldrsb r9, [r0, r1]\n\t"
      "add r0, r0, r1, lsl #1\n\t"
      "str r0, %[shifts]\n\t"
      "ldr r0, %[multipliers]\n\t"
      "ldr r10, [r0, r1, lsl #2]\n\t"
      "add r0, r0, r1, lsl #3\n\t"
      "str r0, %[multipliers]\n\t"
      "ldrd r0, r1, %[y_c]\n\t"
      "add r11, r1, r0\n\t"
      "add r1, r11, r0\n\t"
      "str r1, %[y]\n\t"  //
      ARENITE_FLOAT_FACTOR ARENITE_PUT_FLOATS("r4", "r5", "r6", "r7")
      "ldr r0, %[pairs]\n\t"
      "subs r0, #1\n\t"
      "str r0, %[pairs]\n\t"
      "bne.w 1b"
      : ARENITE_PAIR_OUT(run)
      : ARENITE_PAIR_IN(run), [zero_point] "m"(zero_point)
      : ARENITE_TILE_REGISTERS, "s0", "s1", "s2", "s3", "s4", "s5");
}
#undef ARENITE_PUT_FLOATS
#undef ARENITE_PUT_FLOAT
#undef ARENITE_FLOAT_FACTOR
#undef ARENITE_BEGIN_OF_PLACES
#else
// FloatResults takes nothing.
inline void compute_float_pairs(PairRun&, int32_t) {}
#endif
#undef ARENITE_PAIR_IN
#undef ARENITE_PAIR_OUT
#undef ARENITE_PAIR_SUMS
#undef ARENITE_TILE_REGISTERS
#undef ARENITE_ADD_WORD

#else

// The sums of the next pair.
inline Tile add_pair(PairRun& run) {
  const int32_t* const bias = run.bias;
  Tile tile(*bias, bias[run.bias_step / sizeof(int32_t)], run.of_places);
  add_words(run.w, run.rows, run.end, tile);
  if ((run.rest & kHalfWord) != 0) {
    tile.add(load_half(run.w), run.end);
    run.w += 2;
  }
  run.bias += 2 * run.bias_step / sizeof(int32_t);
  return tile;
}
inline void go_on(PairRun& run) {
  run.shifts += 2 * run.factor_step;
  run.multipliers += 2 * run.factor_step;
  run.y += 2 * run.y_c;
}

inline void put_column(const PairRun& run, uint32_t of_pair, const int32_t (&sums)[4],
                       Dst<int8_t> y) {
  const size_t at = of_pair * run.factor_step;
  const SmallFactor factor(run.multipliers[at], run.shifts[at], run.centres[of_pair]);
  for (uint32_t i = 0; i < 4; ++i, y += run.y_w) *y = factor.result(dsp::doubled(sums[i]));
}

inline void compute_pairs(PairRun& run) {
  for (; run.pairs != 0; --run.pairs, go_on(run)) {
    const Tile tile = add_pair(run);
    put_column(run, 0, {tile.a0, tile.a1, tile.a2, tile.a3}, run.y);
    put_column(run, 1, {tile.b0, tile.b1, tile.b2, tile.b3}, run.y + run.y_c);
  }
}

inline void put_exact(const PairRun& run, uint32_t of_pair, bool is_unsigned,
                      const int32_t (&sums)[4], Dst<int8_t> y) {
  const size_t at = of_pair * run.factor_step;
  const ExactFactor factor(run.multipliers[at], run.shifts[at], run.centres[of_pair]);
  for (uint32_t i = 0; i < 4; ++i, y += run.y_w) *y = factor.result(sums[i], is_unsigned);
}

inline void compute_exact_pairs(PairRun& run, uint32_t is_unsigned) {
  for (; run.pairs != 0; --run.pairs, go_on(run)) {
    const Tile tile = add_pair(run);
    put_exact(run, 0, is_unsigned != 0, {tile.a0, tile.a1, tile.a2, tile.a3}, run.y);
    put_exact(run, 1, is_unsigned != 0, {tile.b0, tile.b1, tile.b2, tile.b3}, run.y + run.y_c);
  }
}

inline void put_floats(const PairRun& run, uint32_t of_pair, int32_t zero_point,
                       const int32_t (&sums)[4], Dst<int8_t> y) {
  const size_t at = of_pair * run.factor_step;
  const FloatFactor factor(run.multipliers[at], run.shifts[at]);
  for (uint32_t i = 0; i < 4; ++i, y += run.y_w) {
    *y = float_result(factor.product(sums[i]), zero_point);
  }
}

inline void compute_float_pairs(PairRun& run, int32_t zero_point) {
  for (; run.pairs != 0; --run.pairs, go_on(run)) {
    const Tile tile = add_pair(run);
    put_floats(run, 0, zero_point, {tile.a0, tile.a1, tile.a2, tile.a3}, run.y);
    put_floats(run, 1, zero_point, {tile.b0, tile.b1, tile.b2, tile.b3}, run.y + run.y_c);
  }
}

#endif

// Whether the results of a pair are made by loops for pairs. kOnce: none of its sums has a product
// halfway between two results.
template <bool kOnce>
bool is_plain(const IntegerResults& results, uint32_t column) {
  return !kOnce || !any_halves(results, column, 2);
}

// The pairs from a column on, an even one, of which no column is constant.
template <bool kOnce>
uint32_t plain_pairs(const IntegerProducts& p, uint32_t column) {
  if (!p.results.has_constant && !(kOnce && p.results.halves_bits != 0))
    return (p.columns - column) / 2;
  uint32_t end = column;
  while (end + 2 <= p.columns && constant_pair(p.results, end) == 0 &&
         is_plain<kOnce>(p.results, end)) {
    end += 2;
  }
  return (end - column) / 2;
}

template <bool kOnce>
inline void compute_run(const IntegerResults& results, PairRun& run) {
  if constexpr (kOnce) {
    compute_exact_pairs(run, results.high > INT8_MAX ? 1 : 0);
  } else {
    compute_pairs(run);
  }
}

// The factors of a pair of which one column is constant: a factor of 0 makes that column its own
// zero point.
struct MixedPair {
  int32_t multipliers[2];
  int8_t shifts[2];

  void set(const IntegerResults& results, uint32_t column, uint32_t constant, PairRun& run) {
    for (uint32_t j = 0; j < 2; ++j) {
      const bool is_constant = (constant >> j & 1) != 0;
      const size_t at = (column + j) * results.factor_step;
      multipliers[j] = is_constant ? 0 : results.multipliers[at];
      shifts[j] = is_constant ? int8_t{-1} : results.shifts[at];
      if (is_constant) run.centres[j] = 2 * result_of_bias_dsp(results, column + j) + 1;
    }
    run.multipliers = multipliers;
    run.shifts = shifts;
    run.factor_step = 1;
    run.pairs = 1;
  }
};

// Computes up to two columns of any kind at four places.
template <bool kOnce>
[[gnu::noinline]] void compute_any(const IntegerProducts& p, const PairRun& run, uint32_t column,
                                   uint32_t count, uint32_t constant) {
  const IntegerResults& results = p.results;
  if (constant == (1u << count) - 1) {
    Dst<int8_t> y = run.y;
    for (uint32_t j = 0; j < count; ++j, y += run.y_c) {
      const auto result = static_cast<int8_t>(result_of_bias_dsp(results, column + j));
      for (uint32_t i = 0; i < 4; ++i) y[i * run.y_w] = result;
    }
    return;
  }
  const std::byte* w = run.w;
  Tile tile(*run.bias, run.bias[count == 2 ? results.bias_step : 0], run.of_places);
  add_words(w, run.rows, run.end, tile);
  if ((run.rest & kHalfWord) != 0) tile.add(load_half(w), run.end);
  const int32_t sums[2][4] = {{tile.a0, tile.a1, tile.a2, tile.a3},
                              {tile.b0, tile.b1, tile.b2, tile.b3}};
  finish_results<kOnce>(results, column, count, sums[0], 4, run.y, run.y_c, run.y_w);
}

// Computes all columns of four places, two at once; rows hold what these read.
template <bool kOnce>
[[gnu::noinline]] void compute_four_places(const IntegerProducts& p, uint32_t depth,
                                           const int32_t* of_places, Dst<int8_t> y) {
  const IntegerResults& results = p.results;
  const uint32_t words = depth / 2;
  const int32_t centre = 2 * results.zero_point + 1;
  PairRun run = {p.w,
                 p.rows,
                 p.rows + size_t{4} * words,
                 (0 - words) % 4 * (13 * 4),
                 results.bias,
                 results.bias_step * sizeof(int32_t),
                 results.shifts,
                 results.factor_step,
                 results.multipliers,
                 {centre, centre},
                 (depth % 2 != 0 ? kHalfWord : 0) | (p.w_zero_point != 0 ? kOfPlaces : 0),
                 p.y_c,
                 y,
                 p.y_w,
                 0,
                 {of_places[0], of_places[1], of_places[2], of_places[3]}};
  MixedPair mixed;
  uint32_t column = 0;
  if constexpr (kOnce) {
    if (FloatResults::takes(results) && words != 0 && p.columns >= 2) {
      run.pairs = p.columns / 2;
      column = 2 * run.pairs;
      compute_float_pairs(run, results.zero_point);
    }
  }
  const bool small = results.small && words != 0 && (!kOnce || is_whole_range(results));
  while (column < p.columns) {
    run.w = p.w + size_t{column} * depth;
    run.bias = results.bias + column * results.bias_step;
    run.shifts = results.shifts + column * results.factor_step;
    run.multipliers = results.multipliers + column * results.factor_step;
    run.factor_step = results.factor_step;
    run.y = y + column * p.y_c;
    run.pairs = small ? plain_pairs<kOnce>(p, column) : 0;
    if (run.pairs == 0) {
      const uint32_t count = column + 1 == p.columns ? 1 : 2;
      const uint32_t constant = constant_pair(results, column);
      if (!small || count != 2 || constant == 3 || !is_plain<kOnce>(results, column)) {
        compute_any<kOnce>(p, run, column, count, constant);
        column += count;
        continue;
      }
      mixed.set(results, column, constant, run);
    }
    column += 2 * run.pairs;
    compute_run<kOnce>(results, run);
    run.centres[0] = run.centres[1] = centre;
  }
}

// Computes all columns of one place.
template <bool kOnce>
void compute_one_place(const IntegerProducts& p, uint32_t depth, int32_t of_place, Dst<int8_t> y) {
  VectorProducts vector = {p.rows, p.w, depth, depth, p.columns, of_place, y, p.y_c};
  if constexpr (!kOnce) {
    multiply_vector_dsp(vector, p.results);
  } else {
    constexpr uint32_t kColumns = 16;  // whose sums are made, then their results
    int32_t sums[kColumns];
    for (uint32_t column = 0; column < p.columns; column += kColumns) {
      vector.columns = p.columns - column < kColumns ? p.columns - column : kColumns;
      for (uint32_t i = 0; i < vector.columns; ++i) {
        sums[i] = wrapped_sum(p.results.bias[(column + i) * p.results.bias_step], of_place);
      }
      add_vector_dsp(vector, sums);
      finish_once_dsp(p.results, column, vector.columns, sums, 1, y + column * p.y_c, p.y_c, 0);
      vector.w += size_t{kColumns} * depth;
    }
  }
}

// What the zero point of the weights adds to all sums of each place.
[[gnu::noinline]] void add_zero_points(const IntegerProducts& p, uint32_t depth, uint32_t places,
                                       int32_t* of_places) {
  for (uint32_t i = 0; i < places; ++i) {
    const uint32_t* pair = p.rows + i;
    int32_t sum = 0;
    for (uint32_t words = depth / 2; words != 0; --words, pair += places) {
      dsp::add_products(*pair, 0x00010001, sum);
    }
    if (depth % 2 != 0) sum += dsp::load_lower(pair);
    const uint32_t added = static_cast<uint32_t>(-p.w_zero_point) * static_cast<uint32_t>(sum);
    of_places[i] = static_cast<int32_t>(added);
  }
}

#ifdef __ARM_FEATURE_DSP
// The same of four places, with more code. GCC 12 makes wrong vectors of it on other machines.
[[gnu::noinline, maybe_unused]] void add_four_zero_points(const IntegerProducts& p, uint32_t depth,
                                                          int32_t* of_places) {
  constexpr uint32_t kOnes = 0x00010001;
  const uint32_t* pairs = p.rows;
  int32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma GCC unroll 4
  for (uint32_t words = depth / 2; words != 0; --words, pairs += 4) {
    dsp::add_products(pairs[0], kOnes, s0);
    dsp::add_products(pairs[1], kOnes, s1);
    dsp::add_products(pairs[2], kOnes, s2);
    dsp::add_products(pairs[3], kOnes, s3);
  }
  if (depth % 2 != 0) {
    s0 += dsp::load_lower(pairs);
    s1 += dsp::load_lower(pairs + 1);
    s2 += dsp::load_lower(pairs + 2);
    s3 += dsp::load_lower(pairs + 3);
  }
  const auto product = [&p](int32_t sum) {
    return static_cast<int32_t>(static_cast<uint32_t>(-p.w_zero_point) *
                                static_cast<uint32_t>(sum));
  };
  of_places[0] = product(s0);
  of_places[1] = product(s1);
  of_places[2] = product(s2);
  of_places[3] = product(s3);
}
#else
inline void add_four_zero_points(const IntegerProducts& p, uint32_t depth, int32_t* of_places) {
  add_zero_points(p, depth, 4, of_places);
}
#endif

template <uint32_t kPlaces, bool kOnce>
void compute_places(const IntegerProducts& p, uint32_t line, uint32_t place) {
  copy_windows<kPlaces>(p, line, place);
  const uint32_t depth = depth_of(p);
  const Dst<int8_t> y = p.y + line * p.y_h + place * p.y_w;
  int32_t of_places[4] = {};
  if (p.w_zero_point != 0) {
    if constexpr (kOnce && kPlaces == 4) {
      add_four_zero_points(p, depth, of_places);
    } else {
      add_zero_points(p, depth, kPlaces, of_places);
    }
  }
  if constexpr (kPlaces == 4) {
    compute_four_places<kOnce>(p, depth, of_places, y);
  } else {
    compute_one_place<kOnce>(p, depth, of_places[0], y);
  }
}

// What add_products_dsp() says.
template <bool kOnce>
[[gnu::always_inline]] inline void compute_line(const IntegerProducts& p, uint32_t line,
                                                uint32_t place, uint32_t end) {
  while (place < end) {
    const uint32_t places = dsp_places_at_once(end - place);
    if (places == 4) {
      compute_places<4, kOnce>(p, line, place);
    } else {
      compute_places<1, kOnce>(p, line, place);
    }
    place += places;
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
