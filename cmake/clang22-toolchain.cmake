# The compilers of the project (docs/decisions/build.md): one clang for
# everything, the linker that goes with it.
set(CMAKE_C_COMPILER clang-22)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fuse-ld=lld-22")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-fuse-ld=lld-22")
set(CMAKE_MODULE_LINKER_FLAGS_INIT "-fuse-ld=lld-22")
