/* Runs programs of Arenite on this machine: for C, and for all that can call C.
 *
 *   arenite_program* program = NULL;
 *   arenite_session* session = NULL;
 *   if (arenite_program_read("digits.arn", &program) != ARENITE_OK ||
 *       arenite_session_create(program, NULL, &session) != ARENITE_OK) {
 *     fprintf(stderr, "%s\n", arenite_last_error());
 *   }
 *   memcpy(arenite_session_input(session, 0)->data, pixels, sizeof pixels);
 *   if (arenite_session_run(session) == ARENITE_OK) use(arenite_session_output(session, 0)->data);
 *
 * Threads: a program is constant once it is read, and any number of threads may use it. A session
 * belongs to one thread at a time, from filling its inputs to reading its outputs; a run while
 * another thread runs it is an error. Different sessions run at the same time, but for those that
 * have states in common (arenite_options.states_of), which are as one here. The last error is
 * each thread's own.
 *
 * No exception leaves the library, and it ends no process. Handles are opaque; structs only grow at
 * their end. Links with -larenite; pkg-config and CMake's find_package know it as arenite.
 */
#ifndef ARENITE_H
#define ARENITE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each function that can fail returns one; arenite_last_error() says more. */
typedef enum arenite_result {
  ARENITE_OK = 0,
  ARENITE_FAILED = 1,    /* ran and failed: a device error, an index in the data out of range */
  ARENITE_BAD_INPUT = 2, /* a null argument, a damaged file, a name or device that is not there */
  ARENITE_NO_MEMORY = 3,
  ARENITE_CANCELLED = 4 /* arenite_session_set_pauses: a call ended the run */
} arenite_result;

/* Element types, numbered as in ONNX. */
typedef enum arenite_type {
  ARENITE_FLOAT32 = 1,
  ARENITE_UINT8 = 2,
  ARENITE_INT8 = 3,
  ARENITE_UINT16 = 4,
  ARENITE_INT16 = 5,
  ARENITE_INT32 = 6,
  ARENITE_INT64 = 7,
  ARENITE_BOOL = 9, /* one byte, 0 or 1 */
  ARENITE_FLOAT16 = 10,
  ARENITE_FLOAT64 = 11,
  ARENITE_UINT32 = 12,
  ARENITE_UINT64 = 13,
  ARENITE_BFLOAT16 = 16
} arenite_type;

/* A program file in memory: one or more methods, each a planned model. */
typedef struct arenite_program arenite_program;
/* A method made ready to run on a device, with its inputs and outputs. */
typedef struct arenite_session arenite_session;

/* An input or output of a session, which owns it. */
typedef struct arenite_tensor {
  const char* name; /* as in the model, UTF-8 */
  arenite_type type;
  uint32_t rank;        /* 0: a scalar */
  const uint32_t* dims; /* rank of them */
  size_t bytes;         /* of data */
  void* data;           /* row-major, aligned to the elements */
  /* Integers stand for the numbers (integer - zero_point) * scale; scale is 0 for other types. */
  float scale;
  int32_t zero_point;
} arenite_tensor;

/* Says how a session runs; null and 0 are the defaults. Begin with ARENITE_OPTIONS_INIT. */
typedef struct arenite_options {
  size_t size;                /* of this struct, as the caller knows it */
  const char* device;         /* "auto" (default), "cpu", "vulkan", "vulkan:N", "vulkan:NAME" */
  const char* method;         /* by name; default: the first */
  const char* board;          /* only variants planned for this board; default: any */
  uint32_t threads;           /* of the CPU; default: as many as the machine has for us */
  uint32_t allow_fallback;    /* not 0: where a device that is named can't be used another is, and
                                 arenite_session_fell_back() says why; else that is an error */
  const char* pipeline_cache; /* file of compiled shaders; default: in the user's cache */
  /* Another session of the program, where methods share states: this one takes what that one's runs
     leave in them, and the other way round. Its own states begin anew, unless that session is of
     the same method. May be freed before this one. Default: states of its own. */
  const arenite_session* states_of;
} arenite_options;

#define ARENITE_OPTIONS_INIT \
  { sizeof(arenite_options), NULL, NULL, NULL, 0, 0, NULL, NULL }

/* "0.1.0": of the library that is linked, the header's being ARENITE_VERSION. */
#define ARENITE_VERSION "0.1.0"
const char* arenite_version(void);

/* The error of this thread's last call that failed: what, where, expected, found. "" before any
 * has. Valid until the next call that fails. */
const char* arenite_last_error(void);

/* Reads a program file and verifies its checksums. *program is null after an error. */
arenite_result arenite_program_read(const char* path, arenite_program** program);
/* The same from memory, which is copied. */
arenite_result arenite_program_copy(const void* data, size_t bytes, arenite_program** program);
/* Sessions keep what they need of it. Null is fine. */
void arenite_program_free(arenite_program* program);

/* The number of the program's methods, and their names; null when the index is out of range. */
uint32_t arenite_program_methods(const arenite_program* program);
const char* arenite_program_method(const arenite_program* program, uint32_t index);

/* Chooses a variant, proves it safe and loads it. `options` may be null. *session is null after an
 * error. */
arenite_result arenite_session_create(const arenite_program* program,
                                      const arenite_options* options, arenite_session** session);
/* Null is fine. */
void arenite_session_free(arenite_session* session);

/* Inputs and outputs, in the model's order; null when the index is out of range. They stay where
 * they are as long as the session. Inputs are the caller's to fill and keep their contents; outputs
 * are read only. Inputs that are states, kept by the session between runs, are not among them.
 * Where the data of a run decides how many rows an output has, its dims and bytes are those of the
 * last run, and the most that there may be before the first. */
uint32_t arenite_session_inputs(const arenite_session* session);
uint32_t arenite_session_outputs(const arenite_session* session);
const arenite_tensor* arenite_session_input(const arenite_session* session, uint32_t index);
const arenite_tensor* arenite_session_output(const arenite_session* session, uint32_t index);

/* Gives an input of a method whose sizes callers choose (`plan --dim NAME=LO..HI`) these dims;
 * other inputs and outputs follow, and their tensors say so. A session begins with the most that
 * there may be. Data stays where it is, and holds nothing of use afterwards. ARENITE_BAD_INPUT, and
 * nothing has changed, where the input cannot have such dims, or another thread runs the session.
 */
arenite_result arenite_session_set_shape(arenite_session* session, uint32_t input,
                                         const uint32_t* dims, uint32_t rank);

/* Runs once over the inputs; the outputs then hold the results. ARENITE_BAD_INPUT where another
 * thread runs the session: nothing is touched then. */
arenite_result arenite_session_run(arenite_session* session);

/* Lets runs of the session call `call` between two pieces of a step's work, after at most about so
 * many operations (multiply-adds, comparisons...) of each thread, and behind what a GPU does in one
 * go: to show progress, or to end the run. It is called by the thread that runs the session, must
 * not use the session, and returns 0 to end the run, which is then ARENITE_CANCELLED: outputs hold
 * anything, states are as they were, and the session runs again. A null `call` ends the calls. */
arenite_result arenite_session_set_pauses(arenite_session* session, int (*call)(void* context),
                                          void* context, uint32_t operations);

/* What the session keeps between runs: each state begins as the model says, and takes what its
 * output holds at the end of a run that succeeds. Another session begins anew. Reset: as before the
 * first run. */
arenite_result arenite_session_reset_states(arenite_session* session);
/* Copies all states to `data`, as bytes for another session or process, which may run another plan
 * of the model on another device. *bytes is how many: before the call those that there is room for,
 * after it those that there are; a null `data` only asks. */
arenite_result arenite_session_save_states(arenite_session* session, void* data, size_t* bytes);
/* Takes what was saved. ARENITE_BAD_INPUT, and all states are as before, where it is damaged or of
 * other states. */
arenite_result arenite_session_load_states(arenite_session* session, const void* data,
                                           size_t bytes);

/* "cpu", or the name of the Vulkan device that the session runs on. */
const char* arenite_session_device(const arenite_session* session);
/* Why a device or variant that was preferred was not used, or null. May change when a device is
 * lost. */
const char* arenite_session_fell_back(const arenite_session* session);

#ifdef __cplusplus
}
#endif

#endif
/* SPDX-License-Identifier: Apache-2.0 */
