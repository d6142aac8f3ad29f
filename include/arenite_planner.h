/* Plans models of ONNX and TensorFlow Lite into programs, as `arenite plan` does: for C, and for
 * all that can call C.
 *
 *   const char* words[] = {"digits.onnx", "--board", "host", "--optimize", "memory"};
 *   arenite_plan* plan = NULL;
 *   if (arenite_plan_create(words, 5, &plan) != ARENITE_OK)
 *     fprintf(stderr, "%s\n", arenite_plan_last_error());
 *   size_t bytes = 0;
 *   const void* program = arenite_plan_program(plan, &bytes);
 *
 * The program is for arenite_program_copy(), or a file.
 *
 * A plan is constant once it is made; any number of threads may plan, and use one plan. The last
 * error is each thread's own. Links with -larenite_planner.
 */
#ifndef ARENITE_PLANNER_H
#define ARENITE_PLANNER_H

#include <stddef.h>

#include "arenite.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A planned program, or the report of one that does not fit. */
typedef struct arenite_plan arenite_plan;

/* Plans. The words are the arguments of `arenite plan` that decide what the program is, each option
 * and its value a word of its own: models, --board, --shape, --dim, --batch, --fix, --outputs,
 * --optimize,
 * --io, ...; none that writes or prints. ARENITE_FAILED where it does not fit: *plan then holds the
 * report and no program; after any other error it is null. */
arenite_result arenite_plan_create(const char* const* words, size_t count, arenite_plan** plan);
/* Null is fine. */
void arenite_plan_free(arenite_plan* plan);

/* The program file, as long as the plan; null and 0 bytes where it does not fit. */
const void* arenite_plan_program(const arenite_plan* plan, size_t* bytes);

/* A report: "text", "json" (as `arenite plan --json` prints it), "svg" or "html" (a page for a
 * browser). Null, with an error, for another kind. Give it back with arenite_plan_free_text(). */
char* arenite_plan_report(const arenite_plan* plan, const char* kind);
void arenite_plan_free_text(char* text);

/* Runs another command of `arenite` here: "quantize", "bench", "doctor"... The words are those of
 * the command line behind "arenite". *output is what it would print on standard output, which with
 * "--json" is one object, and *notes its notes and warnings, a line each; either may be null. Give
 * them back with arenite_plan_free_text(). ARENITE_FAILED with both where it ran and says no, as
 * `compare` of results that differ does; null after any other error. */
arenite_result arenite_plan_command(const char* const* words, size_t count, char** output,
                                    char** notes);

/* The names of all boards that are found, one a line. To be given back with
 * arenite_plan_free_text(). */
char* arenite_plan_boards(void);

/* The error of this thread's last call that failed; "" before any has. */
const char* arenite_plan_last_error(void);

#ifdef __cplusplus
}
#endif

#endif
/* SPDX-License-Identifier: Apache-2.0 */
