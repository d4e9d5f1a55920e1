# LibTorch, seen by benchmarks and their tests only. Input: GNNC_LIBTORCH_DIR, a
# tree with include/ and lib/: what scripts/fetch-libtorch made, or the `torch`
# folder of a Python installation. Output: the target gnnc_torch, or
# GNNC_BUILD_BENCHMARKS off when the default tree is not there.
#
# Torch's own CMake files are not used: on a host they ask for libtorch_cuda.so
# and its 3 GB of libraries, and with CUDA for a toolkit that the benchmarks do not need
# (docs/decisions/libtorch.md).
if(NOT EXISTS "${GNNC_LIBTORCH_DIR}/lib/libtorch_cpu.so")
  if(NOT GNNC_LIBTORCH_DIR STREQUAL GNNC_LIBTORCH_DEFAULT_DIR)
    message(FATAL_ERROR "GNNC_LIBTORCH_DIR (${GNNC_LIBTORCH_DIR}) has no lib/libtorch_cpu.so; "
      "run scripts/fetch-libtorch or name the torch folder of a Python installation")
  endif()
  message(STATUS "gnnc: no LibTorch in ${GNNC_LIBTORCH_DIR}: benchmarks are left out (scripts/fetch-libtorch fetches it)")
  set(GNNC_BUILD_BENCHMARKS OFF)
  return()
endif()

add_library(gnnc_torch INTERFACE)
target_include_directories(gnnc_torch SYSTEM INTERFACE
  ${GNNC_LIBTORCH_DIR}/include ${GNNC_LIBTORCH_DIR}/include/torch/csrc/api/include)
target_link_libraries(gnnc_torch INTERFACE
  ${GNNC_LIBTORCH_DIR}/lib/libtorch_cpu.so ${GNNC_LIBTORCH_DIR}/lib/libc10.so)
set(GNNC_TORCH_CUDA OFF)
if(EXISTS "${GNNC_LIBTORCH_DIR}/lib/libtorch_cuda.so")
  # No symbol of it is used by name: it registers its kernels when it is loaded.
  set(GNNC_TORCH_CUDA ON)
  target_link_libraries(gnnc_torch INTERFACE -Wl,--no-as-needed
    ${GNNC_LIBTORCH_DIR}/lib/libtorch_cuda.so ${GNNC_LIBTORCH_DIR}/lib/libc10_cuda.so -Wl,--as-needed)
endif()
# Libraries that torch's libraries need are found beside them when they are loaded.
target_link_options(gnnc_torch INTERFACE -Wl,--allow-shlib-undefined)

# torch/torch.h costs 20 s a file: one precompiled header for all of its users.
# Not for g++ (the device machine): there it makes a file no faster than on its
# own and each compiler takes 1.5 GB.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_library(gnnc_torch_pch STATIC ${CMAKE_SOURCE_DIR}/cmake/torch_pch.cpp)
  target_link_libraries(gnnc_torch_pch PRIVATE gnnc_flags gnnc_torch)
  target_precompile_headers(gnnc_torch_pch PRIVATE <cmake/torch_pch.h>) # as gnnc_pch
  set_target_properties(gnnc_torch_pch PROPERTIES PCH_INSTANTIATE_TEMPLATES ON)
  target_compile_options(gnnc_torch_pch PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
endif()

function(_gnnc_uses_torch name)
  target_link_libraries(${name} PRIVATE gnnc_flags gnnc_torch)
  set_property(TARGET ${name} APPEND PROPERTY BUILD_RPATH "${GNNC_LIBTORCH_DIR}/lib")
  if(TARGET gnnc_torch_pch)
    target_precompile_headers(${name} REUSE_FROM gnnc_torch_pch)
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# gnnc_torch_library(name SOURCES ... LINK ...): a static library that sees LibTorch.
function(gnnc_torch_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  _gnnc_uses_torch(${name})
endfunction()

# gnnc_torch_tool(name SOURCES ... LINK ...): an executable that sees LibTorch.
function(gnnc_torch_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  # -fPIC as in the libraries: an executable's -fPIE would not match the header.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  _gnnc_uses_torch(${name})
endfunction()
