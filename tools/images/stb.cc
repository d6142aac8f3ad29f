// The one file that holds stb's code, compiled as it is: without our warnings, with wrapping
// integers.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include "tools/images/stb.h"
// SPDX-License-Identifier: Apache-2.0
