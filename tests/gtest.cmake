# arenite_gtest(): a test executable of GoogleTest. CTest knows its cases one by one; under sanitizers, where a process takes
# an eighth of a second to begin and a thousand cases take less, two processes share them.
#
#   arenite_gtest(name PREFIX text SOURCES files... [LIBRARIES targets...] [DEFINITIONS words...]
#                 [TREE release|sanitized] [OWN_MAIN] [PRE_TEST] [PROPERTIES words...])
#
# PREFIX       of the names in CTest
# TREE         the one kind of tree that compiles it, so that no tree compiles what another one tests as well; both
#              where it is left out, and all where ARENITE_ALL_TESTS says so
# OWN_MAIN     one of its sources holds main()
# PRE_TEST     cases are listed when CTest runs, not when it is built: for what opens Vulkan devices
# PROPERTIES   of the tests
include(GoogleTest)
find_package(GTest REQUIRED)
option(ARENITE_ALL_TESTS "Compile all tests in this tree, also those that another kind of tree has" OFF)

# The headers that most tests include, compiled once a tree.
add_library(arenite_tests_precompiled OBJECT ${CMAKE_CURRENT_LIST_DIR}/precompiled.cc)
target_include_directories(arenite_tests_precompiled PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(arenite_tests_precompiled PRIVATE arenite_sanitizers arenite_warnings GTest::gmock)
target_precompile_headers(arenite_tests_precompiled PRIVATE ${CMAKE_CURRENT_LIST_DIR}/precompiled.h)

# arenite_test_tree(tree variable): whether this is a tree that compiles tests of TREE.
function(arenite_test_tree tree variable)
  set(here release)
  if(ARENITE_SANITIZE)
    set(here sanitized)
  endif()
  set(compiled ON)
  if(tree AND NOT tree STREQUAL here AND NOT ARENITE_ALL_TESTS)
    set(compiled OFF)
  endif()
  set(${variable} ${compiled} PARENT_SCOPE)
endfunction()

function(arenite_gtest name)
  cmake_parse_arguments(PARSE_ARGV 1 test "OWN_MAIN;PRE_TEST" "PREFIX;TREE" "SOURCES;LIBRARIES;DEFINITIONS;PROPERTIES")
  if(test_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "arenite_gtest(${name}): unknown arguments: ${test_UNPARSED_ARGUMENTS}")
  endif()
  arenite_test_tree("${test_TREE}" compiled)
  if(NOT compiled)
    return()
  endif()
  add_executable(${name} ${test_SOURCES})
  target_link_libraries(${name} PRIVATE ${test_LIBRARIES} arenite_warnings GTest::gmock)
  if(NOT test_OWN_MAIN)
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
  endif()
  target_compile_definitions(${name} PRIVATE ${test_DEFINITIONS})
  target_precompile_headers(${name} REUSE_FROM arenite_tests_precompiled)
  arenite_compile_in_batches(${name} 12)
  if(ARENITE_SANITIZE)
    foreach(part 0 1)
      add_test(NAME ${test_PREFIX}${part} COMMAND ${name})
      set_tests_properties(${test_PREFIX}${part} PROPERTIES ${test_PROPERTIES}
                           ENVIRONMENT "GTEST_TOTAL_SHARDS=2;GTEST_SHARD_INDEX=${part}")
    endforeach()
  else()
    set(discovery POST_BUILD)
    if(test_PRE_TEST)
      set(discovery PRE_TEST)
    endif()
    gtest_discover_tests(${name} TEST_PREFIX ${test_PREFIX} DISCOVERY_MODE ${discovery} DISCOVERY_TIMEOUT 60
                         PROPERTIES ${test_PROPERTIES})
  endif()
  set_property(GLOBAL APPEND PROPERTY ARENITE_TESTS ${name})
endfunction()
# SPDX-License-Identifier: Apache-2.0
