// Counts a guest's instructions between two addresses and the bytes it moves: a QEMU TCG plugin.
//
//   -plugin
//   LIBRARY[,begin=ADDRESS,end=ADDRESS[,step_begin=ADDRESS,step_end=ADDRESS][,pause=ADDRESS]]
//           [,load_begin=ADDRESS,load_end=ADDRESS][,cycles=cortex-m4][,memory=NAME:BASE:BYTES]...
//           [,out=FILE]
//
// Counting is on from when execution reaches `begin` until it reaches `end`, every time it does so
// (the instruction at `begin` is counted, the one at `end` is not); without the two it is always
// on. Steps are what lies between `step_begin` and `step_end` while it is on, counted by their
// place between `begin` and `end`: the first, the second. Gaps are what lies between two arrivals
// at `pause`, or at one and `begin` or `end`. What lies between `load_begin` and `load_end` is
// counted apart, where counting is off. With `cycles` an estimate of the core's cycles is summed up
// beside the instructions (cortex_m4_cycles.h). Bit 0 of addresses is ignored, so a Thumb
// function's may be given as the linker has it. At exit one line of JSON goes to FILE, or to QEMU's
// log (-d plugin):
//
//   {"total": N, "counted": N, "intervals": N, "unfinished": false, "load": N,
//    "cycles": N, "load_cycles": N,
//    "memories": [{"name": "dtcm", "read_bytes": N, "written_bytes": N}], "steps": [N],
//    "pauses": N, "greatest_gap": N}
//
// `total` counts the whole run, the rest only what happened while counting was on; `steps` holds
// the sums of all intervals. Written for QEMU 7.2 (plugin API version 1) and one CPU.
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/qemu_plugin/cortex_m4_cycles.h"

// Debian packages no header of the plugin API, so what is used of it is declared here.
typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_info;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { kNoRegistersNeeded = 0 };
enum { kReadsAndWrites = 3 };
enum { kAddToCounter = 0 };
typedef void (*translate_callback)(qemu_plugin_id_t, struct qemu_plugin_tb*);
typedef void (*execute_callback)(unsigned cpu, void* user);
typedef void (*memory_callback)(unsigned cpu, qemu_plugin_meminfo_t, uint64_t address, void* user);
typedef void (*exit_callback)(qemu_plugin_id_t, void* user);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, translate_callback);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn*, execute_callback,
                                            int registers, void* user);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn*, int operation,
                                                void* counter, uint64_t amount);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn*, memory_callback, int registers,
                                      int direction, void* user);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, exit_callback, void* user);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb*);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb*, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn*);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn*);
const void* qemu_plugin_insn_data(const struct qemu_plugin_insn*);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb*, execute_callback, int registers,
                                          void* user);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb*);
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t);
void qemu_plugin_outs(const char* text);

#define EXPORTED __attribute__((visibility("default")))
extern EXPORTED int qemu_plugin_version;
EXPORTED int qemu_plugin_install(qemu_plugin_id_t, const struct qemu_info*, int argc, char** argv);
EXPORTED int qemu_plugin_version = 1;

enum { kMemoriesMax = 16, kNameBytesMax = 32, kStepsMax = 65536 };

struct memory {
  char name[kNameBytesMax];
  uint64_t base;
  uint64_t bytes;
  uint64_t read_bytes;
  uint64_t written_bytes;
};

// An estimate: what instructions take, bumped by generated code, and the branches taken.
struct cycles {
  bool wanted;
  uint64_t of_instructions;
  uint64_t refills;
  uint64_t next;           // address behind the last block that was executed
  uint64_t translated_to;  // and behind the last that was translated
  struct cortex_m4_before before;
  uint64_t at_begin, counted;
  uint64_t at_load, load;
};

struct counts {
  bool bounded;  // begin and end were given
  bool on;
  uint64_t begin, end;
  uint64_t total;  // bumped by generated code, without a call
  uint64_t total_at_begin;
  uint64_t counted;
  uint64_t intervals;
  char out_path[1024];
  struct memory memories[kMemoriesMax];
  size_t memory_count;
  struct cycles cycles;
  bool has_load, in_load;
  uint64_t load_begin, load_end;
  uint64_t total_at_load;
  uint64_t load;
  bool has_steps, in_step;
  uint64_t step_begin, step_end;
  uint64_t total_at_step;
  size_t step;                // in this interval, from 0
  size_t step_count;          // in the longest interval
  uint64_t steps[kStepsMax];  // those beyond are not told apart
  bool has_pauses;
  uint64_t pause;
  uint64_t pauses;
  uint64_t total_at_pause;
  uint64_t greatest_gap;
};

// QEMU hands its callbacks no state at translation, so there is one of these.
static struct counts counts;

static uint64_t cycles_now(void) {
  return counts.cycles.of_instructions + kCortexM4RefillCycles * counts.cycles.refills;
}

// A block that does not begin where the last one ended was branched to. Its bounds are what `user`
// is: the address in the upper 32 bits, the bytes in the lower.
static void enter_block(unsigned cpu, void* user) {
  (void)cpu;
  const uint64_t bounds = (uint64_t)(uintptr_t)user;
  const uint64_t begin = bounds >> 32;
  if (begin != counts.cycles.next) counts.cycles.refills += 1;
  counts.cycles.next = begin + (bounds & UINT32_MAX);
}

static void reach_begin(unsigned cpu, void* user) {
  (void)cpu, (void)user;
  if (counts.on) return;
  counts.on = true;
  counts.total_at_begin = counts.total;
  counts.cycles.at_begin = cycles_now();
  counts.step = 0;
  counts.in_step = false;
  counts.total_at_pause = counts.total;
}

static void end_gap(void) {
  const uint64_t gap = counts.total - counts.total_at_pause;
  if (gap > counts.greatest_gap) counts.greatest_gap = gap;
  counts.total_at_pause = counts.total;
}

static void reach_end(unsigned cpu, void* user) {
  (void)cpu, (void)user;
  if (!counts.on) return;
  counts.on = false;
  end_gap();
  counts.counted += counts.total - counts.total_at_begin;
  counts.cycles.counted += cycles_now() - counts.cycles.at_begin;
  counts.intervals += 1;
}

static void reach_load_begin(unsigned cpu, void* user) {
  (void)cpu, (void)user;
  if (counts.on || counts.in_load) return;
  counts.in_load = true;
  counts.total_at_load = counts.total;
  counts.cycles.at_load = cycles_now();
}

static void reach_load_end(unsigned cpu, void* user) {
  (void)cpu, (void)user;
  if (!counts.in_load) return;
  counts.in_load = false;
  counts.load += counts.total - counts.total_at_load;
  counts.cycles.load += cycles_now() - counts.cycles.at_load;
}

static void reach_step_begin(unsigned cpu, void* user) {
  (void)cpu, (void)user;
  if (!counts.on || counts.in_step) return;
  counts.in_step = true;
  counts.total_at_step = counts.total;
}

static void reach_step_end(unsigned cpu, void* user) {
  (void)cpu, (void)user;
  if (!counts.on || !counts.in_step) return;
  counts.in_step = false;
  if (counts.step == kStepsMax) return;
  counts.steps[counts.step] += counts.total - counts.total_at_step;
  counts.step += 1;
  if (counts.step > counts.step_count) counts.step_count = counts.step;
}

static void reach_pause(unsigned cpu, void* user) {
  (void)cpu, (void)user;
  if (!counts.on) return;
  end_gap();
  counts.pauses += 1;
}

static void access_memory(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void* user) {
  (void)cpu, (void)user;
  if (!counts.on) return;
  const uint64_t bytes = UINT64_C(1) << qemu_plugin_mem_size_shift(info);
  for (size_t i = 0; i < counts.memory_count; ++i) {
    struct memory* memory = &counts.memories[i];
    if (address - memory->base >= memory->bytes) continue;  // unsigned: below the base is huge
    if (qemu_plugin_mem_is_store(info)) {
      memory->written_bytes += bytes;
    } else {
      memory->read_bytes += bytes;
    }
    return;
  }
}

// Has the block bump the estimate of cycles.
static void estimate(struct qemu_plugin_tb* block) {
  // Code goes on where the emulator cuts it, at the end of a page for instance.
  struct cortex_m4_before before = {false, 0};
  if (qemu_plugin_tb_vaddr(block) == counts.cycles.translated_to) before = counts.cycles.before;
  uint64_t bytes = 0;
  const size_t instructions = qemu_plugin_tb_n_insns(block);
  for (size_t i = 0; i < instructions; ++i) {
    struct qemu_plugin_insn* instruction = qemu_plugin_tb_get_insn(block, i);
    uint16_t halves[2] = {0, 0};
    const size_t size = qemu_plugin_insn_size(instruction);
    memcpy(halves, qemu_plugin_insn_data(instruction), size < 4 ? size : 4);
    // QEMU counts half of the next one with the last before a page's end.
    bytes += thumb_has_two_halves(halves[0]) ? 4 : 2;
    qemu_plugin_register_vcpu_insn_exec_inline(instruction, kAddToCounter,
                                               &counts.cycles.of_instructions,
                                               cortex_m4_cycles(halves[0], halves[1], &before));
  }
  counts.cycles.translated_to = qemu_plugin_tb_vaddr(block) + bytes;
  counts.cycles.before = before;
  const uint64_t bounds = qemu_plugin_tb_vaddr(block) << 32 | bytes;
  qemu_plugin_register_vcpu_tb_exec_cb(block, enter_block, kNoRegistersNeeded,
                                       (void*)(uintptr_t)bounds);
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb* block) {
  (void)id;
  if (counts.cycles.wanted) estimate(block);
  const size_t instructions = qemu_plugin_tb_n_insns(block);
  for (size_t i = 0; i < instructions; ++i) {
    struct qemu_plugin_insn* instruction = qemu_plugin_tb_get_insn(block, i);
    const uint64_t address = qemu_plugin_insn_vaddr(instruction);
    // QEMU runs these calls before it bumps the counter.
    if (counts.bounded && address == counts.begin) {
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, reach_begin, kNoRegistersNeeded, NULL);
    }
    if (counts.bounded && address == counts.end) {
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, reach_end, kNoRegistersNeeded, NULL);
    }
    if (counts.has_load && address == counts.load_begin) {
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, reach_load_begin, kNoRegistersNeeded,
                                             NULL);
    }
    if (counts.has_load && address == counts.load_end) {
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, reach_load_end, kNoRegistersNeeded, NULL);
    }
    if (counts.has_steps && address == counts.step_begin) {
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, reach_step_begin, kNoRegistersNeeded,
                                             NULL);
    }
    if (counts.has_steps && address == counts.step_end) {
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, reach_step_end, kNoRegistersNeeded, NULL);
    }
    if (counts.has_pauses && address == counts.pause) {
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, reach_pause, kNoRegistersNeeded, NULL);
    }
    qemu_plugin_register_vcpu_insn_exec_inline(instruction, kAddToCounter, &counts.total, 1);
    if (counts.memory_count != 0) {
      qemu_plugin_register_vcpu_mem_cb(instruction, access_memory, kNoRegistersNeeded,
                                       kReadsAndWrites, NULL);
    }
  }
}

static void put(FILE* file, const char* text) {
  if (file != NULL) {
    fputs(text, file);
  } else {
    qemu_plugin_outs(text);
  }
}

static void report(qemu_plugin_id_t id, void* user) {
  (void)id, (void)user;
  const bool unfinished = counts.bounded && counts.on;
  if (counts.on) {
    counts.counted += counts.total - counts.total_at_begin;
    counts.cycles.counted += cycles_now() - counts.cycles.at_begin;
  }
  FILE* file = NULL;
  if (counts.out_path[0] != '\0') {
    file = fopen(counts.out_path, "w");
    if (file == NULL) {
      fprintf(stderr, "count plugin: cannot write %s\n", counts.out_path);
      return;
    }
  }
  char text[512];
  snprintf(text, sizeof text,
           "{\"total\": %" PRIu64 ", \"counted\": %" PRIu64 ", \"intervals\": %" PRIu64
           ", \"unfinished\": %s, \"load\": %" PRIu64 ", \"cycles\": %" PRIu64
           ", \"load_cycles\": %" PRIu64 ", \"memories\": [",
           counts.total, counts.counted, counts.intervals, unfinished ? "true" : "false",
           counts.load, counts.cycles.counted, counts.cycles.load);
  put(file, text);
  for (size_t i = 0; i < counts.memory_count; ++i) {
    const struct memory* memory = &counts.memories[i];
    snprintf(text, sizeof text,
             "%s{\"name\": \"%s\", \"read_bytes\": %" PRIu64 ", \"written_bytes\": %" PRIu64 "}",
             i == 0 ? "" : ", ", memory->name, memory->read_bytes, memory->written_bytes);
    put(file, text);
  }
  put(file, "], \"steps\": [");
  for (size_t i = 0; i < counts.step_count; ++i) {
    snprintf(text, sizeof text, "%s%" PRIu64, i == 0 ? "" : ", ", counts.steps[i]);
    put(file, text);
  }
  snprintf(text, sizeof text, "], \"pauses\": %" PRIu64 ", \"greatest_gap\": %" PRIu64 "}\n",
           counts.pauses, counts.greatest_gap);
  put(file, text);
  if (file != NULL) fclose(file);
}

// Reads a number (0x... or decimal) that ends where `stop` is.
static bool parse_number(const char* text, char stop, uint64_t* number, const char** rest) {
  char* end;
  *number = strtoull(text, &end, 0);
  *rest = end;
  return end != text && *end == stop;
}

static bool parse_memory(const char* text) {
  if (counts.memory_count == kMemoriesMax) return false;
  struct memory* memory = &counts.memories[counts.memory_count++];
  const size_t name_bytes = strcspn(text, ":\"\\");
  if (name_bytes == 0 || name_bytes >= kNameBytesMax || text[name_bytes] != ':') return false;
  memcpy(memory->name, text, name_bytes);
  const char* rest = text + name_bytes + 1;
  return parse_number(rest, ':', &memory->base, &rest) &&
         parse_number(rest + 1, '\0', &memory->bytes, &rest);
}

// The text after `name`, or NULL when the argument is another one.
static const char* value_of(const char* argument, const char* name) {
  const size_t name_bytes = strlen(name);
  return strncmp(argument, name, name_bytes) == 0 ? argument + name_bytes : NULL;
}

struct bounds_given {
  bool begin, end, step_begin, step_end, pause, load_begin, load_end;
};

static bool parse_argument(const char* argument, struct bounds_given* given) {
  const char* value;
  const char* rest;
  if ((value = value_of(argument, "begin=")) != NULL) {
    return given->begin = parse_number(value, '\0', &counts.begin, &rest);
  }
  if ((value = value_of(argument, "end=")) != NULL) {
    return given->end = parse_number(value, '\0', &counts.end, &rest);
  }
  if ((value = value_of(argument, "step_begin=")) != NULL) {
    return given->step_begin = parse_number(value, '\0', &counts.step_begin, &rest);
  }
  if ((value = value_of(argument, "step_end=")) != NULL) {
    return given->step_end = parse_number(value, '\0', &counts.step_end, &rest);
  }
  if ((value = value_of(argument, "pause=")) != NULL) {
    return given->pause = parse_number(value, '\0', &counts.pause, &rest);
  }
  if ((value = value_of(argument, "load_begin=")) != NULL) {
    return given->load_begin = parse_number(value, '\0', &counts.load_begin, &rest);
  }
  if ((value = value_of(argument, "load_end=")) != NULL) {
    return given->load_end = parse_number(value, '\0', &counts.load_end, &rest);
  }
  if ((value = value_of(argument, "cycles=")) != NULL) {
    return counts.cycles.wanted = strcmp(value, "cortex-m4") == 0;
  }
  if ((value = value_of(argument, "memory=")) != NULL) return parse_memory(value);
  if ((value = value_of(argument, "out=")) != NULL && strlen(value) < sizeof counts.out_path) {
    strcpy(counts.out_path, value);
    return true;
  }
  return false;
}

EXPORTED int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info* info, int argc,
                                 char** argv) {
  (void)info;
  struct bounds_given given = {false, false, false, false, false, false, false};
  for (int i = 0; i < argc; ++i) {
    if (!parse_argument(argv[i], &given)) {
      fprintf(stderr,
              "count plugin: bad argument '%s': expected begin=ADDRESS, end=ADDRESS, "
              "step_begin=ADDRESS, step_end=ADDRESS, pause=ADDRESS, load_begin=ADDRESS, "
              "load_end=ADDRESS, cycles=cortex-m4, memory=NAME:BASE:BYTES (at most %d) or "
              "out=FILE\n",
              argv[i], kMemoriesMax);
      return 1;
    }
  }
  if (given.begin != given.end) {
    fprintf(stderr, "count plugin: begin and end belong together\n");
    return 1;
  }
  if (given.step_begin != given.step_end || (given.step_begin && !given.begin)) {
    fprintf(stderr, "count plugin: step_begin and step_end belong together, and to a begin\n");
    return 1;
  }
  if (given.load_begin != given.load_end || (given.load_begin && !given.begin)) {
    fprintf(stderr, "count plugin: load_begin and load_end belong together, and to a begin\n");
    return 1;
  }
  if (given.pause && !given.begin) {
    fprintf(stderr, "count plugin: pause belongs to a begin and an end\n");
    return 1;
  }
  counts.begin &= ~UINT64_C(1);
  counts.end &= ~UINT64_C(1);
  counts.step_begin &= ~UINT64_C(1);
  counts.step_end &= ~UINT64_C(1);
  counts.load_begin &= ~UINT64_C(1);
  counts.load_end &= ~UINT64_C(1);
  counts.has_load = given.load_begin;
  counts.pause &= ~UINT64_C(1);
  counts.has_steps = given.step_begin;
  counts.has_pauses = given.pause;
  counts.bounded = given.begin;
  counts.on = !counts.bounded;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
  qemu_plugin_register_atexit_cb(id, report, NULL);
  return 0;
}
// SPDX-License-Identifier: Apache-2.0
