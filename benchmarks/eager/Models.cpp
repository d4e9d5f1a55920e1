//===- Models.cpp - The list of model families ----------------------------===//
#include "benchmarks/eager/EagerModel.h"

namespace gnnc::bench {

extern const ModelKind gcnKind; // Gcn.cpp

static const ModelKind *const kinds[] = {&gcnKind};

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
