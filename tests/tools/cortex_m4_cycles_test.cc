// The estimate of cycles on a Cortex-M4, by the timings that its manual gives.
#include "tools/qemu_plugin/cortex_m4_cycles.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

// Half-words of a straight piece of code.
unsigned cycles_of(const std::vector<uint16_t>& code) {
  cortex_m4_before before = {false, 0};
  unsigned cycles = 0;
  for (size_t i = 0; i < code.size(); ++i) {
    const uint16_t first = code[i];
    const uint16_t second = thumb_has_two_halves(first) ? code[++i] : uint16_t{0};
    cycles += cortex_m4_cycles(first, second, &before);
  }
  return cycles;
}

TEST(CortexM4Cycles, MostTakeOne) {
  EXPECT_EQ(cycles_of({0x1840}), 1u) << "adds r0, r0, r1";
  EXPECT_EQ(cycles_of({0x4348}), 1u) << "muls r0, r1";
  EXPECT_EQ(cycles_of({0xFB01, 0x2003}), 1u) << "mla r0, r1, r3, r2";
  EXPECT_EQ(cycles_of({0xFB21, 0x2003}), 1u) << "smlad r0, r1, r3, r2";
  EXPECT_EQ(cycles_of({0xFBC0, 0x2301}), 1u) << "smlal r2, r3, r0, r1";
  EXPECT_EQ(cycles_of({0xF44F, 0x7080}), 1u) << "mov.w r0, #256";
  EXPECT_EQ(cycles_of({0xFA0F, 0xF080}), 1u) << "sxth.w r0, r0";
  EXPECT_EQ(cycles_of({0xD1FE}), 1u) << "bne, not taken";
}

TEST(CortexM4Cycles, LoadsFollowLoads) {
  EXPECT_EQ(cycles_of({0x6808}), 2u) << "ldr r0, [r1]";
  EXPECT_EQ(cycles_of({0x6808, 0x6811}), 3u) << "ldr r0, [r1]; ldr r1, [r2]";
  EXPECT_EQ(cycles_of({0x594A, 0x6811, 0x685A}), 5u) << "the second waits for r2 of the first";
  EXPECT_EQ(cycles_of({0x5948, 0x6811, 0x685A}), 4u)
      << "ldr r0, [r1, r5]; ldr r1, [r2]; ldr r2, [r3, #4]";
  EXPECT_EQ(cycles_of({0x5888, 0x6158}), 3u) << "ldr r0, [r1, r2]; str r0, [r3, #20]";
  EXPECT_EQ(cycles_of({0x5888, 0x5099}), 3u) << "ldr r0, [r1, r2]; str r1, [r3, r2]";
  EXPECT_EQ(cycles_of({0xF852, 0x0B04, 0xF853, 0x1B04}), 3u)
      << "ldr r0, [r2], #4; ldr r1, [r3], #4";
}

TEST(CortexM4Cycles, StoresLeaveThroughTheWriteBuffer) {
  EXPECT_EQ(cycles_of({0x6008}), 1u) << "str r0, [r1]";
  EXPECT_EQ(cycles_of({0x5088}), 2u) << "str r0, [r1, r2]";
  EXPECT_EQ(cycles_of({0x9001}), 1u) << "str r0, [sp, #4]";
  EXPECT_EQ(cycles_of({0xF841, 0x0002}), 2u) << "str.w r0, [r1, r2]";
}

TEST(CortexM4Cycles, SeveralRegistersTakeOneEach) {
  EXPECT_EQ(cycles_of({0xB5F0}), 6u) << "push {r4-r7, lr}";
  EXPECT_EQ(cycles_of({0xE92D, 0x47F0}), 9u) << "push {r4-r10, lr}";
  EXPECT_EQ(cycles_of({0xBDF0}), 6u) << "pop {r4-r7, pc}, but for the refill";
  EXPECT_EQ(cycles_of({0xC80F}), 5u) << "ldmia r0!, {r0-r3}";
  EXPECT_EQ(cycles_of({0xE9D1, 0x0200}), 3u) << "ldrd r0, r2, [r1]";
}

TEST(CortexM4Cycles, DivisionsAndTheFloatingPointUnit) {
  EXPECT_EQ(cycles_of({0xFB90, 0xF0F1}), 7u) << "sdiv r0, r0, r1: 2 to 12";
  EXPECT_EQ(cycles_of({0xFBB0, 0xF0F1}), 7u) << "udiv";
  EXPECT_EQ(cycles_of({0xEE30, 0x0A20}), 1u) << "vadd.f32 s0, s0, s1";
  EXPECT_EQ(cycles_of({0xEE20, 0x0A20}), 1u) << "vmul.f32 s0, s0, s1";
  EXPECT_EQ(cycles_of({0xEE00, 0x0A81}), 3u) << "vmla.f32 s0, s1, s2";
  EXPECT_EQ(cycles_of({0xEEA0, 0x0A81}), 3u) << "vfma.f32 s0, s1, s2";
  EXPECT_EQ(cycles_of({0xEE80, 0x0A20}), 14u) << "vdiv.f32 s0, s0, s1";
  EXPECT_EQ(cycles_of({0xEEB1, 0x0AC0}), 14u) << "vsqrt.f32 s0, s0";
  EXPECT_EQ(cycles_of({0xEEB1, 0x0A40}), 1u) << "vneg.f32 s0, s0";
  EXPECT_EQ(cycles_of({0xED90, 0x0A00}), 2u) << "vldr s0, [r0]";
  EXPECT_EQ(cycles_of({0xECB0, 0x0A04}), 5u) << "vldmia r0!, {s0-s3}";
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
