//===- Fields.h - The columns that views may have -------------------------===//
//
// One list says what each name means, its unit and type, and which member of a row it is
// read from, so that a name means the same in every view, file and figure.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_REPORT_FIELDS_H
#define GNNC_BENCHMARKS_GNN_REPORT_FIELDS_H

#include "benchmarks/gnn-report/View.h"

#include <span>

namespace gnnc::report {

struct Field {
  const char *name, *title, *unit;
  Kind kind;
  const char *member; ///< of a row, or `OBJECT.MEMBER`; null: computed
};

std::span<const Field> fields();

/// Throws std::logic_error for a name that is not in the list.
Column columnOf(const std::string &name);

} // namespace gnnc::report

#endif // GNNC_BENCHMARKS_GNN_REPORT_FIELDS_H
