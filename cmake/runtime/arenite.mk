# Models as static libraries, in a project that GNU make builds: STM32CubeMX's Makefiles, for instance.
#
#   ARENITE = PREFIX                     where Arenite is installed
#   include $(ARENITE)/share/arenite/arenite.mk
#   $(eval $(call arenite_add_model,NAME,MODEL,BOARD,OPTIONS))
#
# NAME     the library and the prefix of its functions; MODEL, BOARD: as `arenite plan` takes them, a board's name or a
#          file; OPTIONS: more of `arenite plan`, or none
#
# Afterwards NAME_LIBRARY is the archive to depend on and to link, NAME_CFLAGS finds NAME_c.h and NAME.h,
# NAME_LDFLAGS finds NAME.ld, which the linker script INCLUDEs. The planner runs when make reads the Makefile, so that
# only the kernels are compiled that the model needs; it runs again when the model or the board's file changes.
#
# It uses these variables of the project: BUILD_DIR (default: build), PREFIX (of the compiler's name: arm-none-eabi-),
# MCU (the flags of the CPU). The rest may be set before the include:
#   ARENITE_TOOL  the arenite command of this machine         ARENITE_CXX, ARENITE_AR  compiler and archiver
#   ARENITE_OPT   -Os; hot loops are compiled with -O2        ARENITE_DEFINES  -DARENITE_WITHOUT_VERIFIER, ...
BUILD_DIR ?= build
ARENITE_TOOL ?= $(ARENITE)/bin/arenite
ARENITE_CXX ?= $(PREFIX)g++
ARENITE_AR ?= $(PREFIX)ar
ARENITE_OPT ?= -Os
ARENITE_RUNTIME := $(ARENITE)/share/arenite/runtime
ARENITE_OBJECTS := $(BUILD_DIR)/arenite/runtime

ARENITE_RULES = -std=c++20 -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-use-cxa-atexit \
  -fno-unwind-tables -fno-asynchronous-unwind-tables \
  -fno-fast-math -ffp-contract=off -fno-math-errno -fno-tree-vectorize -ffunction-sections -fdata-sections \
  -I$(ARENITE_RUNTIME) -isystem $(ARENITE_RUNTIME)/nanopb -DPB_NO_ERRMSG -DPB_BUFFER_ONLY -DPB_WITHOUT_64BIT \
  -DPB_FIELD_32BIT '-DPB_SYSTEM_HEADER=<schema/nanopb_names.h>' $(ARENITE_DEFINES)
ARENITE_COMPILE = $(ARENITE_CXX) $(MCU) $(ARENITE_OPT) $(ARENITE_RULES) -MMD -MP -c

# The runtime without kernels; what an image does not call, its linker drops.
ARENITE_CORE := $(patsubst $(ARENITE_RUNTIME)/%,$(ARENITE_OBJECTS)/%.o,$(wildcard $(ARENITE_RUNTIME)/core/*.cc) \
  $(ARENITE_RUNTIME)/schema/program.pb.c $(ARENITE_RUNTIME)/nanopb/pb_common.c $(ARENITE_RUNTIME)/nanopb/pb_decode.c \
  $(ARENITE_RUNTIME)/ops/check.cc $(ARENITE_RUNTIME)/portable_fallback/shared/safe_distance.cc)

$(ARENITE_OBJECTS)/portable_fallback/fast/%.cc.o: $(ARENITE_RUNTIME)/portable_fallback/fast/%.cc
	@mkdir -p $(@D)
	$(ARENITE_COMPILE) -O2 -fomit-frame-pointer -fno-schedule-insns -ffp-contract=fast $< -o $@
$(ARENITE_OBJECTS)/%.cc.o: $(ARENITE_RUNTIME)/%.cc
	@mkdir -p $(@D)
	$(ARENITE_COMPILE) $< -o $@
$(ARENITE_OBJECTS)/%.c.o: $(ARENITE_RUNTIME)/%.c
	@mkdir -p $(@D)
	$(ARENITE_COMPILE) -w -x c++ $< -o $@

-include $(shell test -d $(ARENITE_OBJECTS) && find $(ARENITE_OBJECTS) -name '*.d')

# NAME, MODEL, BOARD, OPTIONS. What is planned is written beside the objects, and last NAME.mk, which make reads.
define arenite_add_model
$(1)_FOLDER := $$(BUILD_DIR)/arenite/$(1)
$(1)_LIBRARY := $$($(1)_FOLDER)/lib$(1).a
$(1)_CFLAGS := -I$$($(1)_FOLDER) -I$$(ARENITE_RUNTIME)/include
$(1)_LDFLAGS := -L$$($(1)_FOLDER)

$$($(1)_FOLDER)/$(1).mk: $(2) $$(wildcard $(3)) $$(ARENITE_TOOL)
	@mkdir -p $$(@D)
	$$(ARENITE_TOOL) plan $(2) --board $(3) -o $$($(1)_FOLDER)/$(1).arn --emit-cc $$($(1)_FOLDER) --cc-name $(1) \
	  --cc-data incbin $(4)
	sed 's|.*|$(1)_KERNELS += $$$$(ARENITE_OBJECTS)/&.o|' $$($(1)_FOLDER)/$(1).sources > $$@
ifneq ($$(MAKECMDGOALS),clean)
-include $$($(1)_FOLDER)/$(1).mk
endif

$$($(1)_FOLDER)/%.cc.o: $$($(1)_FOLDER)/%.cc $$($(1)_FOLDER)/$(1).mk
	$$(ARENITE_COMPILE) -fno-lto -I$$($(1)_FOLDER) -I$$(ARENITE_RUNTIME)/include $$< -o $$@

$$($(1)_LIBRARY): $$($(1)_FOLDER)/$(1).cc.o $$($(1)_FOLDER)/$(1)_c.cc.o $$(ARENITE_CORE) $$(sort $$($(1)_KERNELS))
	@rm -f $$@
	$$(ARENITE_AR) qcs $$@ $$^
endef
# SPDX-License-Identifier: Apache-2.0
