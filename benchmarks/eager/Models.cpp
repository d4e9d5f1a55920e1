//===- Models.cpp - The list of model families ----------------------------===//
#include "benchmarks/eager/EagerModel.h"

namespace gnnc::bench {

extern const ModelKind gcnKind;            // Gcn.cpp
extern const ModelKind sageKind;           // Sage.cpp
extern const ModelKind ginKind;            // Gin.cpp
extern const ModelKind gatKind, gatv2Kind; // Gat.cpp

static const ModelKind *const kinds[] = {&gcnKind, &sageKind, &ginKind, &gatKind, &gatv2Kind};

const ModelKind &modelKind(const std::string &name) {
  std::string known;
  for (const ModelKind *kind : kinds) {
    if (name == kind->name)
      return *kind;
    known += (known.empty() ? "" : ", ") + std::string(kind->name);
  }
  throw Failure("model '" + name + "' is not known; known: " + known);
}

} // namespace gnnc::bench
