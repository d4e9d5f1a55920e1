# Flags that every target of gnnc shares: language level, warnings, sanitizers,
# output folders. No target sets its own warning flags.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
# Tools find the runtime library beside them wherever the tree is moved.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(CMAKE_BUILD_RPATH "$ORIGIN/../lib")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

find_program(GNNC_CCACHE ccache)
if(GNNC_CCACHE)
  file(RELATIVE_PATH relative_source "${CMAKE_BINARY_DIR}" "${CMAKE_SOURCE_DIR}")
  string(REGEX REPLACE "/$" "" relative_source "${relative_source}")
  set(launcher ${CMAKE_SOURCE_DIR}/cmake/ccache-launcher
    ${CMAKE_SOURCE_DIR} "${relative_source}" ${GNNC_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

add_library(gnnc_flags INTERFACE)
target_compile_options(gnnc_flags INTERFACE
  -Wall -Wextra -Wno-unused-parameter
  $<$<BOOL:${GNNC_WERROR}>:-Werror>)
# By its build id the compiler tells its cached programs from those of another build.
target_link_options(gnnc_flags INTERFACE -Wl,--build-id)
target_include_directories(gnnc_flags INTERFACE
  ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
target_compile_definitions(gnnc_flags INTERFACE GNNC_VERSION="${PROJECT_VERSION}")
if(GNNC_SANITIZE)
  string(REPLACE ";" "," sanitizers "${GNNC_SANITIZE}")
  target_compile_options(gnnc_flags INTERFACE
    -fsanitize=${sanitizers} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(gnnc_flags INTERFACE -fsanitize=${sanitizers})
endif()

# gnnc_library(name SOURCES a.cpp ... LINK lib ...): a library that sees no MLIR.
function(gnnc_library name)
  cmake_parse_arguments(ARG "SHARED" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  set(kind STATIC)
  if(ARG_SHARED)
    set(kind SHARED)
  endif()
  add_library(${name} ${kind} ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE gnnc_flags ${ARG_PRIVATE_LINK})
endfunction()

# gnnc_tool(name SOURCES a.cpp ... LINK lib ...): a program that sees no MLIR.
function(gnnc_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE gnnc_flags ${ARG_LINK})
endfunction()
