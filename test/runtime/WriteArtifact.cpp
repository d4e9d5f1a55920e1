// Writes the hand-written program as an artefact, for tests of tools and the C
// example: write-test-artifact OUT.gnnx [IN [OUT [CHIP]]]
#include "TestProgram.h"

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  TestProgram program;
  if (argc > 2)
    program.in = std::stoll(argv[2]);
  if (argc > 3)
    program.out = std::stoll(argv[3]);
  if (argc > 4)
    program.chip = argv[4];
  std::string error;
  if (gnnc::format::writeArtifact(argv[1], program.make(), error))
    return 0;
  std::fprintf(stderr, "%s\n", error.c_str());
  return 1;
}
