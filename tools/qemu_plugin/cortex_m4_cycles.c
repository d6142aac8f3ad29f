// Decodes Thumb as far as timings differ: Arm's Cortex-M4 Technical Reference Manual (100166),
// table 3-1 and the load and store timings behind it, table 7-1 for the floating-point unit.
//
//   1 cycle: all but what follows
//   2: a load or store of one register; 1 behind a load of one, unless its address is what that
//      load brings; 1 for any store at a constant offset, which leaves through the write buffer
//   1 + N: several registers, N of them
//   2 to 12: a division, by its operands; the middle is taken
//   3: floating-point multiply-accumulate; 14: division, square root
//
// Left out: a cycle where an address was computed by the instruction before, contention of literals
// with the fetch, folded IT, instructions that their condition skips, which take 1.
#include "tools/qemu_plugin/cortex_m4_cycles.h"

enum { kDivisionCycles = 7, kFloatAccumulateCycles = 3, kFloatDivisionCycles = 14 };
enum { kNoRegister = 16 };

static unsigned bits_set(unsigned bits) {
  unsigned count = 0;
  for (; bits != 0; bits &= bits - 1) count += 1;
  return count;
}

// A load or store of one register.
struct transfer {
  bool loads;
  bool by_register;  // the offset is a register
  uint8_t moved, base, offset;
};

static unsigned cycles_of_transfer(struct transfer transfer, struct cortex_m4_before* before) {
  const bool waits = transfer.base == before->loads_to ||
                     (transfer.by_register && transfer.offset == before->loads_to);
  const bool follows_load = before->is_load && !waits;
  before->is_load = transfer.loads;
  before->loads_to = transfer.moved;
  if (follows_load) return 1;
  return !transfer.loads && !transfer.by_register ? 1 : 2;
}

// Loads and stores with 16 bits: 0x4800 to 0x9FFF.
static struct transfer short_transfer(uint16_t word) {
  struct transfer transfer = {(word & 0x0800) != 0, false, (uint8_t)(word & 7),
                              (uint8_t)(word >> 3 & 7), kNoRegister};
  if (word < 0x5000) {  // a literal
    transfer.moved = (uint8_t)(word >> 8 & 7);
    transfer.base = kNoRegister;
  } else if (word < 0x6000) {
    transfer.loads = (word >> 9 & 7) >= 3;
    transfer.by_register = true;
    transfer.offset = (uint8_t)(word >> 6 & 7);
  } else if (word >= 0x9000) {  // on the stack
    transfer.moved = (uint8_t)(word >> 8 & 7);
    transfer.base = 13;
  }
  return transfer;
}

static unsigned short_cycles(uint16_t word, struct cortex_m4_before* before) {
  if (word >= 0x4800 && word < 0xA000) return cycles_of_transfer(short_transfer(word), before);
  before->is_load = false;
  const bool pushes_or_pops = (word & 0xF600) == 0xB400;
  if (pushes_or_pops) return 1 + bits_set(word & 0x01FF);
  const bool moves_several = (word & 0xF000) == 0xC000;
  if (moves_several) return 1 + bits_set(word & 0x00FF);
  return 1;
}

// Coprocessors 10 and 11.
static unsigned float_cycles(uint16_t first, uint16_t second) {
  const bool is_double = (second & 0x0100) != 0;
  if ((first & 0x0E00) == 0x0C00) {  // 0xEC.., 0xED..
    const bool moves_two_registers = (first & 0x0FE0) == 0x0C40;
    if (moves_two_registers) return 2;
    const bool moves_one = (first & 0x0120) == 0x0100;
    return moves_one ? (is_double ? 3 : 2) : 1 + (second & 0x00FFu);
  }
  const bool is_register_move = (second & 0x0010) != 0;
  if (is_register_move) return 1;
  switch (first >> 4 & 0xB) {
    case 0x0:
    case 0x1:
    case 0x9:
    case 0xA:
      return kFloatAccumulateCycles;
    case 0x8:
      return kFloatDivisionCycles;
    case 0xB: {
      const bool is_root = (first & 0xF) == 1 && (second & 0x00C0) == 0x00C0;
      return is_root ? kFloatDivisionCycles : 1;
    }
    default:
      return 1;
  }
}

// 0xE800 to 0xE9FF: several registers, two, exclusive accesses, tables of branches.
static unsigned several_cycles(uint16_t first, uint16_t second) {
  const bool is_list = (first & 0x0040) == 0;
  if (is_list) return 1 + bits_set(second);
  const bool is_pair = (first & 0x0120) != 0;
  return is_pair ? 3 : 2;
}

// 0xF800 to 0xF9FF.
static struct transfer long_transfer(uint16_t first, uint16_t second) {
  const bool literal = (first & 0xF) == 0xF;
  const bool by_register = !literal && (first & 0x0080) == 0 && (second & 0x0FC0) == 0;
  return (struct transfer){(first & 0x0010) != 0, by_register, (uint8_t)(second >> 12),
                           literal ? kNoRegister : (uint8_t)(first & 0xF), (uint8_t)(second & 0xF)};
}

unsigned cortex_m4_cycles(uint16_t first, uint16_t second, struct cortex_m4_before* before) {
  if (!thumb_has_two_halves(first)) return short_cycles(first, before);
  if ((first & 0xFE00) == 0xF800) return cycles_of_transfer(long_transfer(first, second), before);
  before->is_load = false;
  if ((first & 0xFE00) == 0xE800) return several_cycles(first, second);
  const bool is_float = (first & 0xFC00) == 0xEC00 && (second & 0x0E00) == 0x0A00;
  if (is_float) return float_cycles(first, second);
  const bool is_division = (first & 0xFFD0) == 0xFB90;
  return is_division ? kDivisionCycles : 1;
}
// SPDX-License-Identifier: Apache-2.0
