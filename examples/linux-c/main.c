/* Recognizes handwritten digits with a planned program, on the best device of this machine.
 *
 * usage: digits PROGRAM.arn [DEVICE]     (auto, cpu, vulkan) */
#include <arenite.h>
#include <stdio.h>
#include <string.h>

#include "../firmware/image.h"

static int fail(const char* what) {
  fprintf(stderr, "digits: %s: %s\n", what, arenite_last_error());
  return 1;
}

int main(int argc, char** argv) {
  arenite_options options = ARENITE_OPTIONS_INIT;
  arenite_program* program = NULL;
  arenite_session* session = NULL;
  const float* logits;
  int i, best = 0;

  if (argc < 2) {
    fprintf(stderr, "usage: digits PROGRAM.arn [DEVICE]\n");
    return 2;
  }
  if (argc > 2) options.device = argv[2];
  if (arenite_program_read(argv[1], &program) != ARENITE_OK) return fail("program");
  if (arenite_session_create(program, &options, &session) != ARENITE_OK) return fail("session");
  arenite_program_free(program); /* the session keeps what it needs */

  memcpy(arenite_session_input(session, 0)->data, kImage, sizeof kImage);
  if (arenite_session_run(session) != ARENITE_OK) return fail("run");

  logits = arenite_session_output(session, 0)->data;
  for (i = 1; i < 10; ++i) {
    if (logits[i] > logits[best]) best = i;
  }
  printf("this is a %d (%s)\n", best, arenite_session_device(session));
  arenite_session_free(session);
  return 0;
}
/* SPDX-License-Identifier: Apache-2.0 */
