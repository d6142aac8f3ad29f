/* The functions that a board gives the application. */
#ifndef BOARD_H
#define BOARD_H

/* Prints on the console of the debugger or emulator (semihosting). `text` ends with a NUL. */
void print(const char* text);

#endif
/* SPDX-License-Identifier: Apache-2.0 */
