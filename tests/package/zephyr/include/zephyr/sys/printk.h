/* Of Zephyr's header of this name what an example uses. */
#pragma once
int printk(const char* format, ...);
/* SPDX-License-Identifier: Apache-2.0 */
