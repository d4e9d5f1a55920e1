//===- Environment.cpp - What a row says about the machine ----------------===//
#include "benchmarks/gnn-bench/Environment.h"

#include "benchmarks/data/GraphData.h"
#include "benchmarks/gnn-bench/Process.h"

#include <torch/version.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/utsname.h>
#include <thread>

namespace gnnc::bench {

using Json = nlohmann::ordered_json;

/// What follows the first `key` and its separator in a file of "key: value" lines.
static Json fileEntry(const char *path, const std::string &key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::size_t at = line.find(separator);
    if (line.starts_with(key) && at != std::string::npos) {
      std::string text = line.substr(line.find_first_not_of(" \t\"", at + 1));
      while (!text.empty() && (text.back() == '"' || text.back() == ' '))
        text.pop_back();
      return text;
    }
  }
  return nullptr;
}

/// First line of a program's output; null if it cannot be run or fails.
static Json firstLine(const std::vector<std::string> &command) {
  try {
    ProcessResult result = runProcess(command);
    std::string line = result.output.substr(0, result.output.find('\n'));
    return result.status == 0 && !line.empty() ? Json(line) : Json(nullptr);
  } catch (const Failure &) {
    return nullptr;
  }
}

std::string nowUtc() {
  std::time_t time = std::time(nullptr);
  std::tm utc;
  gmtime_r(&time, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

std::string withGpuState(const std::string &environment) {
  Json env = Json::parse(environment);
  auto number = [](const char *what) {
    Json line = firstLine(
        {"nvidia-smi", std::string("--query-gpu=") + what, "--format=csv,noheader,nounits"});
    // "[N/A]" where the GPU does not say it
    return line.is_string() ? Json::parse(line.get<std::string>(), nullptr, false) : Json(nullptr);
  };
  for (auto [name, what] :
       {std::pair("sm_clock_mhz", "clocks.sm"), std::pair("memory_clock_mhz", "clocks.mem"),
        std::pair("temperature_c", "temperature.gpu")}) {
    Json value = number(what);
    env[name] = value.is_number() ? value : Json(nullptr);
  }
  return env.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string describeEnvironment(bool cuda, int threads) {
  utsname system = {};
  uname(&system);
  Json env = {
      {"date", nowUtc()},
      {"os", fileEntry("/etc/os-release", "PRETTY_NAME", '=')},
      {"kernel", std::string(system.release)},
      {"cpu", fileEntry("/proc/cpuinfo", "model name", ':')},
      {"cores", std::thread::hardware_concurrency()},
      {"threads", threads},
      {"compiler", __VERSION__},
      {"torch", TORCH_VERSION},
      {"gnnc", GNNC_VERSION},
      {"tf32", false},
      {"gpu", nullptr},
      {"driver", nullptr},
  };
  if (cuda) {
    auto query = [](const char *what) {
      return firstLine({"nvidia-smi", std::string("--query-gpu=") + what, "--format=csv,noheader"});
    };
    env["gpu"] = query("name");
    env["driver"] = query("driver_version");
  }
  return env.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<std::string> findCommit() {
  if (const char *given = std::getenv("GNNC_COMMIT"); given && *given)
    return given;
  // Only when this program lies in a working tree of its own sources.
  Json commit = firstLine({"git", "-C", programFolder(), "describe", "--always", "--dirty",
                           "--abbrev=12", "--exclude=*"});
  if (commit.is_null())
    return std::nullopt;
  return commit.get<std::string>();
}

} // namespace gnnc::bench
