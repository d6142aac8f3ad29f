# The flags of kernels for one kind of CPU: the files of portable_fallback/fast/, alone in their tree.

# arenite_feature_flags(variable needs): the flags of the needs of a row of schema/forms.def, "kAvx2 | kFma".
function(arenite_feature_flags variable needs)
  # By which GCC and Clang compile for a feature of schema/cpu_features.def that their target may lack. Those of Arm
  # M-profile come with the toolchain's -mcpu. Flags of another kind of CPU are left out: a kernel's file is empty there.
  set(known
      "Sse41=-msse4.1" "Avx2=-mavx2 -mf16c" "Fma=-mfma" "Avx512f=-mavx512f -mfma" "Avx512vnni=-mavx512vnni -mavx512bw -mavx512dq -mavx512vl" "Avxvnni=-mavxvnni"
      "Dotprod=-march=armv8.2-a+dotprod" "Dsp=" "Mve=" "MveFp=" "Fpu=" "F32x4=")
  set(flags)
  string(REGEX MATCHALL "[A-Za-z0-9]+" features "${needs}")
  list(REMOVE_ITEM features kNone)
  foreach(feature IN LISTS features)
    string(REGEX REPLACE "^k" "" feature ${feature})
    set(row ${known})
    list(FILTER row INCLUDE REGEX "^${feature}=")
    if(NOT row)
      message(FATAL_ERROR "cmake/fast_kernels.cmake: no flags are known for the CPU feature ${feature}")
    endif()
    string(REPLACE "${feature}=" "" flag "${row}")
    set(processors ".*")
    if(feature MATCHES "^(Sse|Avx|Fma)")
      set(processors "^(x86_64|AMD64|amd64)$")
    elseif(feature STREQUAL Dotprod)
      set(processors "^(aarch64|arm64|ARM64)$")
    endif()
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "${processors}")
      separate_arguments(flag)
      list(APPEND flags ${flag})
    endif()
  endforeach()
  set(${variable} ${flags} PARENT_SCOPE)
endfunction()

# arenite_compile_fast_kernels(target root): the target's sources FORM_kernel.cc of portable_fallback/fast/ are compiled
# for what the row of schema/forms.def needs whose file is FORM.cc.
function(arenite_compile_fast_kernels target root)
  file(STRINGS ${root}/schema/forms.def rows REGEX "^ARENITE_FORM\\(")
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "portable_fallback/fast/[^/]*\\.cc$")
  foreach(source IN LISTS sources)
    cmake_path(GET source FILENAME name)
    string(REGEX REPLACE "_kernel\\.cc$" "" form ${name})
    set(row ${rows})
    list(FILTER row INCLUDE REGEX "[\"/]${form}\\.cc\"")
    if(NOT row MATCHES ", ([A-Za-z0-9| ]+), \"[^\"]*\"\\)$")
      message(FATAL_ERROR "${source}: expected a row of schema/forms.def whose file is ${form}.cc, found none")
    endif()
    arenite_feature_flags(flags "${CMAKE_MATCH_1}")
    # A product and a sum of floats may be one instruction with one rounding, which is what these kernels are for.
    list(APPEND flags -ffp-contract=fast)
    # Inner loops are worth their code where all other code is compiled for size, which projects may say by flags of
    # their own, without a build type. They take all registers, and before these are given GCC would move more loads up
    # than they hold.
    set(for_size $<NOT:$<CONFIG:Debug,Release,RelWithDebInfo>>)
    list(APPEND flags $<${for_size}:-O2> $<${for_size}:-fomit-frame-pointer>
         $<$<AND:${for_size},$<CXX_COMPILER_ID:GNU>>:-fno-schedule-insns>)
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS "${flags}")
  endforeach()
endfunction()
# SPDX-License-Identifier: Apache-2.0
