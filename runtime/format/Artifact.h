//===- Artifact.h - The .gnnx file ----------------------------------------===//
//
// Input: a plan, code and weights. Output: one zip that runs with the runtime
// alone. Written by the compiler, read by the runtime; docs/formats.md lists
// the members. Every member's size and CRC-32 stand in manifest.json.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_FORMAT_ARTIFACT_H
#define GNNC_RUNTIME_FORMAT_ARTIFACT_H

#include "runtime/format/SafeTensors.h"

namespace gnnc::format {

/// Compiled code: "host.so" for the host; "sm_90.cubin" and "sm_90.ptx" (the
/// name is the least chip it runs on) for cuda. Member kernels/<name> of the zip.
struct Code {
  std::string name;
  Bytes bytes;
};

struct Artifact {
  Plan plan;
  std::vector<Code> code;
  TensorFile weights;
};

/// Writes the artefact, atomically. On failure returns false and sets `error`.
bool writeArtifact(const std::string &path, const Artifact &artifact, std::string &error);

/// Reads and checks an artefact: zip structure, format version, size and
/// checksum of each member, plan, and that the plan's weights are there with
/// type and shape. On failure returns false and sets `error` to one line that
/// names the path, the member and what was found.
bool readArtifact(const std::string &path, Artifact &artifact, std::string &error);

} // namespace gnnc::format

#endif // GNNC_RUNTIME_FORMAT_ARTIFACT_H
