/* A model that is part of an image, for C: what the header NAME_c.h that `arenite plan --emit-cc`
 * writes builds upon. C99, and C++; the functions are C++ behind it, with the same meaning as those
 * of model.h. */
#ifndef ARENITE_MODEL_C_H
#define ARENITE_MODEL_C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What went wrong; arenite/status.h says what each means. */
typedef enum arenite_code {
  ARENITE_CODE_OK = 0,
  ARENITE_CODE_TRUNCATED,
  ARENITE_CODE_BAD_MAGIC,
  ARENITE_CODE_BAD_VERSION,
  ARENITE_CODE_UNKNOWN_FEATURE,
  ARENITE_CODE_WRONG_CONSTANTS,
  ARENITE_CODE_BAD_SIGNATURE,
  ARENITE_CODE_BAD_CHECKSUM,
  ARENITE_CODE_BAD_PLAN,
  ARENITE_CODE_BAD_TABLE,
  ARENITE_CODE_BAD_INDEX,
  ARENITE_CODE_BAD_RANGE,
  ARENITE_CODE_BAD_ALIGNMENT,
  ARENITE_CODE_BAD_VALUE,
  ARENITE_CODE_BAD_STEP,
  ARENITE_CODE_OVERLAP,
  ARENITE_CODE_NO_SUCH_METHOD,
  ARENITE_CODE_NO_USABLE_VARIANT,
  ARENITE_CODE_WRONG_INTERFACE,
  ARENITE_CODE_ARENA_TOO_SMALL,
  ARENITE_CODE_ARENA_MISSING,
  ARENITE_CODE_NO_FORM,
  ARENITE_CODE_BAD_OPERAND_COUNT,
  ARENITE_CODE_BAD_TYPE,
  ARENITE_CODE_BAD_SHAPE,
  ARENITE_CODE_BAD_ATTRIBUTE,
  ARENITE_CODE_BAD_LAYOUT,
  ARENITE_CODE_BAD_SCRATCH,
  ARENITE_CODE_INDEX_OUT_OF_RANGE,
  ARENITE_CODE_DEVICE_LOST,
  ARENITE_CODE_DEVICE_ERROR,
  ARENITE_CODE_DEVICE_MEMORY,
  ARENITE_CODE_NOT_LOADED,
  ARENITE_CODE_UNSUPPORTED,
  ARENITE_CODE_SYMBOL_OUT_OF_RANGE,
  ARENITE_CODE_BAD_EXPRESSION,
  ARENITE_CODE_CANCELLED
} arenite_code;

#define ARENITE_NO_INDEX UINT32_C(0xffffffff)

/* `step` and `value`: what is at fault, or ARENITE_NO_INDEX. */
typedef struct arenite_status {
  uint32_t code; /* arenite_code */
  uint32_t step, value;
} arenite_status;

/* A few English words for a code. Costs about 2 KiB of an image that calls it. */
const char* arenite_text_of(uint32_t code);

/* Element types, numbered as in ONNX's TensorProto. */
typedef enum arenite_dtype {
  ARENITE_DTYPE_NONE = 0,
  ARENITE_DTYPE_FLOAT32 = 1,
  ARENITE_DTYPE_UINT8 = 2,
  ARENITE_DTYPE_INT8 = 3,
  ARENITE_DTYPE_UINT16 = 4,
  ARENITE_DTYPE_INT16 = 5,
  ARENITE_DTYPE_INT32 = 6,
  ARENITE_DTYPE_INT64 = 7,
  ARENITE_DTYPE_BOOL = 9,
  ARENITE_DTYPE_FLOAT16 = 10,
  ARENITE_DTYPE_FLOAT64 = 11,
  ARENITE_DTYPE_UINT32 = 12,
  ARENITE_DTYPE_UINT64 = 13,
  ARENITE_DTYPE_BFLOAT16 = 16
} arenite_dtype;

/* An input or output of a model, for code that goes through tables. */
typedef struct arenite_model_tensor {
  const char* name;
  uint32_t type; /* arenite_dtype */
  uint32_t rank;
  const uint32_t* dims; /* null for a scalar */
  size_t bytes;
  bool lent;  /* planned with `--io caller`: its memory is the application's */
  bool state; /* an input that is kept between runs */
} arenite_model_tensor;

/* An integer stands for (integer - zero_point) * scale; `scale` is 0 where it stands for itself. */
typedef struct arenite_quantisation {
  float scale;
  int32_t zero_point;
} arenite_quantisation;

/* The part of an instance that all models have: zeros until it is loaded. */
typedef union arenite_model_state {
  uint64_t alignment;
  void* words[88];
} arenite_model_state;

/* Calls inside the steps of a run, of which arenite/pauses.h says more. Begin with zeros, and set
 * the first three. */
typedef struct arenite_pauses {
  bool (*call)(void* context); /* returns whether the run goes on */
  void* context;
  uint32_t operations; /* the most from one call to the next */
  /* The runtime's own. */
  uint32_t done;
  bool was_cut, cancelled;
  const void* functions;
} arenite_pauses;

#ifdef __cplusplus
}
#endif

#endif
/* SPDX-License-Identifier: Apache-2.0 */
