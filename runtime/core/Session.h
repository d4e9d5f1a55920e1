//===- Session.h - A program bound to a graph -----------------------------===//
//
// Input: an executable and a graph. Output: forwards. Creating a session checks
// the guards, runs `prepare` and allocates, so that a run only queues work. One
// thread at a time.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CORE_SESSION_H
#define GNNC_RUNTIME_CORE_SESSION_H

#include "runtime/core/Commands.h"

namespace gnnc::runtime {

/// The caller's tensors of one run.
struct RunTensors {
  const gnnc_tensor *inputs = nullptr;
  std::int32_t numInputs = 0;
  const gnnc_tensor *outputs = nullptr;
  std::int32_t numOutputs = 0;
};

class Session {
public:
  static Expected<std::unique_ptr<Session>> create(std::shared_ptr<const Executable> executable,
                                                   std::shared_ptr<const Graph> graph);
  ~Session();

  /// Another graph in place of the one that is bound. Memory and recording are kept and
  /// only grow or change. A graph that fails a guard on its counts leaves the session
  /// as it was; after any other failure it has no graph until one is bound.
  Status rebind(std::shared_ptr<const Graph> other);

  Status run(const RunTensors &tensors);
  Status time(const RunTensors &tensors, std::int32_t warmup, std::int32_t repeats,
              std::int32_t inner, double *milliseconds);
  std::int32_t numCommands() const { return static_cast<std::int32_t>(commands.size()); }
  const std::string &commandName(std::int32_t i) const {
    return commands[static_cast<std::size_t>(i)].label;
  }
  /// `milliseconds`: repeats rows of numCommands() values.
  Status timeCommands(const RunTensors &tensors, std::int32_t warmup, std::int32_t repeats,
                      double *milliseconds);
  Status profile(const RunTensors &tensors, const std::string &path);
  gnnc_stats stats() const;
  /// Why a recording could not be changed in place, last time; empty: it always could.
  const std::string &updateFailure() const { return whyNotUpdated; }
  Expected<HostTensor> outputShape(const std::string &name) const;

private:
  /// How one input or output travels in this run.
  struct Port {
    int buffer = -1;
    bool isOutput = false;
    std::int64_t bytes = 0;
    void *address = nullptr; ///< where the device finds it
    const gnnc_tensor *tensor = nullptr;
    bool staged = false; ///< address is the session's, tensor elsewhere
  };
  struct Timing {
    std::string label;
    double milliseconds = 0;
  };

  Session(std::shared_ptr<const Executable> executable, std::shared_ptr<const Graph> graph,
          std::unique_ptr<Stream> stream);
  Status prepare();
  Status describeCall(const format::GraphCall &call, GraphCallContext &context);
  Expected<bool> callOnDevice(const format::GraphCall &call, double &milliseconds);
  Status callOnHost(const format::GraphCall &call, double &milliseconds);
  template <class Work>
  Status timed(double &milliseconds, Work work);
  Status makeForward();
  Status bindGraph();
  Status checkBound() const;
  /// `runs`: of forwards that follow; a single one behind a new graph is not recorded.
  Status bindTensors(const RunTensors &tensors, std::int64_t runs);
  Status record();
  Status bindPort(Port &port, const gnnc_tensor *tensor, bool &changed);
  Status checkOverlaps() const;
  Status copyInputs();
  Status copyOutputs();
  /// Queues one forward: by replaying a recording where the mode asks for it.
  Status enqueue();
  Status issueAll();
  /// Queues forwards with a mark before each command and behind the last; reads
  /// their distances into `repeats` rows.
  Status timeMarked(std::int32_t repeats, double *milliseconds);
  std::string traceText(const std::vector<double> &begin,
                        const std::vector<double> &duration) const;

  std::shared_ptr<const Executable> executable; // after the members that use it in destruction
  std::shared_ptr<const Graph> graph;
  Backend &backend;
  std::unique_ptr<Stream> stream;
  Buffers buffers;
  std::vector<ReadyCommand> commands;
  std::vector<Port> ports;
  std::vector<Timing> prepareTimes;
  std::unique_ptr<Recording> recording;
  std::unique_ptr<Event> events[2];
  bool records = false;    ///< the mode asks for recordings and the device can make them
  bool isRecorded = false; ///< `recording` is of this graph and these addresses
  bool isWarm = true;      ///< a forward of this graph was queued
  std::string unbound;     ///< why there is no graph
  std::string whyNotUpdated;
  std::int64_t arenaBytes = 0, captures = 0, replays = 0;
  std::int64_t updates = 0, failedUpdates = 0, rebinds = 0;
  std::int64_t preparePeak = 0; ///< of device memory while the device made graph calls
  double bindTime = 0, prepareTime = 0, updateTime = 0;
};

} // namespace gnnc::runtime

#endif // GNNC_RUNTIME_CORE_SESSION_H
