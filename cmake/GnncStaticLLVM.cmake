# Links MLIR and LLVM from their archives, so that a compiler tool runs on a
# machine without either (preset `device`). Included by GnncCompiler.cmake in
# place of the shared libraries.
#
# Debian's MLIR archives name the shared libLLVM in their link interface; using
# those CMake targets would load LLVM twice, which registers its command-line
# options twice and aborts. The archives are therefore passed as plain files.
# lld takes members of an archive only when something refers to them, whatever
# the order, so passing all archives costs no size: the list below leaves out
# only code that must not slip in (foreign targets, test and C API libraries).
get_filename_component(llvm_archive_dir "${LLVM_CMAKE_DIR}/../.." ABSOLUTE)
file(GLOB mlir_archives "${llvm_archive_dir}/libMLIR*.a")
file(GLOB llvm_archives "${llvm_archive_dir}/libLLVM*.a")
list(FILTER mlir_archives EXCLUDE REGEX "libMLIR(CAPI|Test|.*Test)")
# Code generators: the host (x86-64) and NVPTX. A reference to another one, as
# InitializeAllTargets makes, is an undefined symbol at link time on purpose.
list(FILTER llvm_archives EXCLUDE REGEX
  "libLLVM(AArch64|AMDGPU|ARM|AVR|BPF|Hexagon|Lanai|LoongArch|M68k|MSP430|Mips|PowerPC|RISCV|SPIRV|Sparc|SystemZ|VE|WebAssembly|XCore|Xtensa)")
list(FILTER llvm_archives EXCLUDE REGEX "libLLVM(BOLT|Exegesis|Testing|Debuginfod|LineEditor)")
if(NOT mlir_archives OR NOT llvm_archives)
  message(FATAL_ERROR "GNNC_STATIC_LLVM: no libMLIR*.a or libLLVM*.a in ${llvm_archive_dir}; "
    "install libmlir-22-dev and llvm-22-dev, or configure with GNNC_STATIC_LLVM=OFF")
endif()

# What LLVM itself needs, as archives too: the shared ones are of another
# version, or missing, where the binary is to run.
set(support_archives "")
foreach(name zstd z)
  find_library(GNNC_STATIC_${name} NAMES lib${name}.a)
  if(NOT GNNC_STATIC_${name})
    message(FATAL_ERROR "GNNC_STATIC_LLVM: lib${name}.a not found; install lib${name}-dev (zlib1g-dev for z)")
  endif()
  list(APPEND support_archives ${GNNC_STATIC_${name}})
endforeach()

target_link_libraries(gnnc_mlir INTERFACE
  ${mlir_archives} ${llvm_archives} ${support_archives} dl m rt)
target_link_options(gnnc_mlir INTERFACE
  -static-libstdc++ -static-libgcc -Wl,--as-needed -Wl,--gc-sections -Wl,--strip-all)
target_compile_options(gnnc_mlir INTERFACE -ffunction-sections -fdata-sections)

# Compiler tools are one binary, gnnc-tools, that does what the name it is called
# by says: with LLVM inside, each of them would be as large as all. None of them
# may have llvm::cl options as global variables: options of one name would meet in
# one process and LLVM would abort. gnnc_static_tool compiles a tool with its
# main() renamed; gnnc_static_binary, called once after all of them, links the
# binary and makes the names. Left apart: what no bundle holds.
set(GNNC_STATIC_APART gnn-lsp-server gnn-translate)

function(gnnc_static_tool name sources link)
  string(MAKE_C_IDENTIFIER "${name}_main" entry)
  add_library(${name}_main OBJECT ${sources})
  target_link_libraries(${name}_main PUBLIC ${link})
  target_compile_definitions(${name}_main PRIVATE main=${entry})
  _gnnc_uses_mlir(${name}_main)
  set_property(GLOBAL APPEND PROPERTY GNNC_STATIC_TOOLS ${name})
endfunction()

function(gnnc_static_binary)
  get_property(tools GLOBAL PROPERTY GNNC_STATIC_TOOLS)
  set(declarations "")
  set(entries "")
  foreach(name ${tools})
    string(MAKE_C_IDENTIFIER "${name}_main" entry)
    string(APPEND declarations "int ${entry}(int argc, char **argv);\n")
    string(APPEND entries "    {\"${name}\", ${entry}},\n")
  endforeach()
  configure_file(${CMAKE_SOURCE_DIR}/cmake/gnnc-tools.cpp.in gnnc-tools.cpp @ONLY)
  add_executable(gnnc-tools ${CMAKE_CURRENT_BINARY_DIR}/gnnc-tools.cpp)
  target_link_libraries(gnnc-tools PRIVATE gnnc_flags gnnc_mlir)
  foreach(name ${tools})
    target_link_libraries(gnnc-tools PRIVATE ${name}_main)
    add_custom_target(${name} DEPENDS gnnc-tools
      COMMAND ${CMAKE_COMMAND} -E create_symlink gnnc-tools ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name})
  endforeach()
endfunction()
