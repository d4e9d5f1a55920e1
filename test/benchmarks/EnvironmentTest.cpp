//===- EnvironmentTest.cpp - What rows say about the GPU ------------------===//
#include "benchmarks/gnn-bench/Environment.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace gnnc::bench;

namespace {

/// The state that a program in nvidia-smi's place makes, which does `script`.
nlohmann::json stateBy(const std::string &script) {
  namespace fs = std::filesystem;
  fs::path folder = fs::path(testing::TempDir()) / "environment-test";
  fs::create_directories(folder);
  std::ofstream(folder / "nvidia-smi") << "#!/bin/sh\n" << script << "\n";
  fs::permissions(folder / "nvidia-smi", fs::perms::owner_all);
  const std::string before = std::getenv("PATH");
  setenv("PATH", (folder.string() + ":" + before).c_str(), 1);
  nlohmann::json state = nlohmann::json::parse(withGpuState(R"({"gpu":"H200"})"));
  setenv("PATH", before.c_str(), 1);
  fs::remove_all(folder);
  return state;
}

TEST(Environment, clocks_and_temperature_of_the_gpu) {
  nlohmann::json state =
      stateBy("case $1 in *clocks.sm) echo 1980;; *clocks.mem) echo 3201;; *) echo '[N/A]';; esac");
  EXPECT_EQ(state["gpu"], "H200");
  EXPECT_EQ(state["sm_clock_mhz"], 1980);
  EXPECT_EQ(state["memory_clock_mhz"], 3201);
  EXPECT_TRUE(state.contains("temperature_c") && state["temperature_c"].is_null());
}

TEST(Environment, a_gpu_that_does_not_answer_is_null) {
  nlohmann::json state = stateBy("echo No devices were found >&2; exit 6");
  EXPECT_TRUE(state["sm_clock_mhz"].is_null() && state["temperature_c"].is_null());
}

} // namespace
