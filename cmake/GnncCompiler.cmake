# Everything that sees MLIR: one precompiled header, one list of MLIR libraries.
find_program(GNNC_LLVM_CONFIG NAMES llvm-config-22)
if(GNNC_LLVM_CONFIG)
  execute_process(COMMAND ${GNNC_LLVM_CONFIG} --cmakedir
    OUTPUT_VARIABLE llvm_cmake_dir OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
find_package(MLIR REQUIRED CONFIG HINTS "${llvm_cmake_dir}/../mlir")
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "gnnc needs MLIR/LLVM 22, found ${LLVM_VERSION} in ${MLIR_DIR}")
endif()
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
set(LLVM_RUNTIME_OUTPUT_INTDIR ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

add_library(gnnc_mlir INTERFACE)
target_include_directories(gnnc_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(gnnc_mlir INTERFACE ${llvm_definitions})
if(GNNC_STATIC_LLVM)
  include(GnncStaticLLVM)
else()
  target_link_libraries(gnnc_mlir INTERFACE MLIR LLVM)
endif()
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(gnnc_mlir INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()

# 27 s a file becomes 0.6 s: every MLIR user reuses this one header, so all of
# them must have the same flags (docs/decisions/build.md).
add_library(gnnc_pch STATIC ${CMAKE_SOURCE_DIR}/cmake/pch.cpp)
target_link_libraries(gnnc_pch PRIVATE gnnc_flags gnnc_mlir)
# In angle brackets, found through -I: a path inside would differ between clones.
target_precompile_headers(gnnc_pch PRIVATE <cmake/pch.h>)
set_target_properties(gnnc_pch PROPERTIES PCH_INSTANTIATE_TEMPLATES ON)
# A timestamp in the header would make ccache miss after every touch.
target_compile_options(gnnc_pch PRIVATE "SHELL:-Xclang -fno-pch-timestamp")

add_custom_target(gnnc_tablegen)

function(_gnnc_uses_mlir name)
  target_link_libraries(${name} PRIVATE gnnc_flags gnnc_mlir)
  target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  target_precompile_headers(${name} REUSE_FROM gnnc_pch)
  add_dependencies(${name} gnnc_tablegen)
endfunction()

# gnnc_compiler_library(name SOURCES ... LINK ...): a static library that sees MLIR.
function(gnnc_compiler_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  _gnnc_uses_mlir(${name})
endfunction()

# gnnc_compiler_tool(name SOURCES ... LINK ...): an executable that sees MLIR.
function(gnnc_compiler_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  if(GNNC_STATIC_LLVM AND NOT name IN_LIST GNNC_STATIC_APART)
    gnnc_static_tool(${name} "${ARG_SOURCES}" "${ARG_LINK}")
    return()
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  # -fPIC as in the libraries: an executable's -fPIE would not match the header.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  _gnnc_uses_mlir(${name})
endfunction()

# gnnc_tablegen(Dir/File.td OUT.inc -gen-flag ...): one TableGen output in the
# build tree beside its source's path; every MLIR target waits for all of them.
function(gnnc_tablegen_file td out)
  set(LLVM_TARGET_DEFINITIONS ${td})
  include_directories(${CMAKE_SOURCE_DIR} ${MLIR_INCLUDE_DIRS})
  mlir_tablegen(${out} ${ARGN})
  string(MAKE_C_IDENTIFIER "tablegen_${CMAKE_CURRENT_SOURCE_DIR}_${out}" target)
  add_custom_target(${target} DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${out})
  add_dependencies(gnnc_tablegen ${target})
endfunction()
