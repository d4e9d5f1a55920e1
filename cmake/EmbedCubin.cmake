# Assembles the PTX file FROM for CHIP by PTXAS and writes it, as numbers of bytes for
# #include, to TO. Without PTXAS the file is empty: the driver assembles the PTX.
set(bytes "")
if(PTXAS)
  execute_process(COMMAND "${PTXAS}" -arch=${CHIP} "${FROM}" -o "${FROM}.cubin"
    COMMAND_ERROR_IS_FATAL ANY)
  file(READ "${FROM}.cubin" bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
endif()
file(WRITE "${TO}" "${bytes}\n")
