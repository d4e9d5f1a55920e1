//===- CompilerProcess.cpp - gnn-compile for jit::Program -----------------===//
#include "lib/Jit/CompilerProcess.h"

#include "lib/Jit/RunProcess.h"

#include <charconv>
#include <optional>

namespace gnnc::jit {

static std::vector<std::string> shapeFlags(const ShapeOptions &shape) {
  std::vector<std::string> flags = {"--dynamic", shape.any() ? "false" : "true"};
  if (!shape.any())
    return flags;
  auto constant = [&](const char *flag, std::int64_t count) {
    if (count >= 0)
      flags.insert(flags.end(), {flag, std::to_string(count)});
  };
  constant("--destinations", shape.dst);
  constant("--sources", shape.src);
  constant("--edges", shape.edges);
  // Where --graph names what is measured on, its counts are not all to be constants.
  if (shape.dst < 0 || shape.src < 0)
    flags.insert(flags.end(), {"--keep-dynamic", "nodes"});
  if (shape.edges < 0)
    flags.insert(flags.end(), {"--keep-dynamic", "edges"});
  return flags;
}

/// What follows `label` on a line of its own; nothing where there is no such line.
static std::optional<std::string> valueOf(const std::string &output, const std::string &label) {
  std::string text = "\n" + output;
  std::size_t at = text.find("\n" + label);
  if (at == std::string::npos)
    return std::nullopt;
  at += 1 + label.size();
  return text.substr(at, text.find('\n', at) - at);
}

Compiler compileByCommand(std::vector<std::string> command) {
  return [command = std::move(command)](const ShapeOptions &shape,
                                        const std::string &output) -> Result<Compiled> {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"-o", output, "--timing"});
    std::vector<std::string> flags = shapeFlags(shape);
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    ProcessResult result;
    std::string error;
    if (!runProcess(arguments, result, error))
      return Error{GNNC_UNSUPPORTED, error};
    if (error = failureOf(arguments[0], result); !error.empty())
      return Error{GNNC_INVALID_FILE, error};
    Compiled compiled;
    compiled.isFromDisk = valueOf(result.output, "cache hit;").has_value();
    if (auto runs = valueOf(result.output, "tuning runs "))
      std::from_chars(runs->data(), runs->data() + runs->size(), compiled.tuningRuns);
    return compiled;
  };
}

} // namespace gnnc::jit
