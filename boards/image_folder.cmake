# Says where the images of a board lie.

# arenite_image_folder(variable board): where the images of the board whose folder is the current one lie: in this tree in
# its build folder; elsewhere in images/<toolchain>/boards/<board> of the build tree, as ARENITE_IMAGES wants them.
function(arenite_image_folder variable board)
  if(COMMAND arenite_tree_rules)
    set(${variable} ${CMAKE_CURRENT_BINARY_DIR} PARENT_SCOPE)
    return()
  endif()
  file(READ ${CMAKE_CURRENT_SOURCE_DIR}/board.json board_json)
  string(JSON toolchain GET "${board_json}" cpu toolchain)
  set(${variable} ${CMAKE_BINARY_DIR}/images/${toolchain}/boards/${board} PARENT_SCOPE)
endfunction()
# SPDX-License-Identifier: Apache-2.0
