# ESP-IDF reads this before components: gives them arenite_add_model(). Pass it ARENAS bss, as ESP-IDF's linker script
# has no place for other arenas.
cmake_path(SET arenite_prefix NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../../../..)
find_package(arenite REQUIRED CONFIG PATHS ${arenite_prefix} NO_DEFAULT_PATH)
# SPDX-License-Identifier: Apache-2.0
