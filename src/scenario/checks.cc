/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/checks.h"

#include "base/units.h"
#include "base/value-text.h"
#include "base/wire-format.h"
#include "scenario/homomorphic-checks.h"
#include "scenario/keys.h"
#include "scenario/specs.h"
#include "scenario/switch-checks.h"
#include "topology/topology-catalog.h"
#include "trace/trace-catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <optional>

namespace inca
{

namespace
{

using Found = std::vector<KeyComplaint>;

void
CheckTrace(const std::string& trace, Found& found)
{
    const auto why = trace.empty() ? "must be given, such as \"alexnet\" or \"tensor:100MB\""
                                   : WhyNoTrace(trace);
    if (!why.empty())
    {
        found.push_back({"training.trace", why, {}});
    }
}

void
CheckWarmup(const Scenario& s, Found& found)
{
    if (s.simulation.warmup >= s.training.iterations)
    {
        found.push_back({"simulation.warmup",
                         fmt::format("must be below training.iterations ({}), got {}",
                                     s.training.iterations,
                                     s.simulation.warmup),
                         {"training.iterations"},
                         {{"simulation.warmup", std::to_string(s.training.iterations - 1)},
                          {"training.iterations", std::to_string(s.simulation.warmup + 1)}}});
    }
}

void
CheckBuffer(const Scenario& s, Found& found)
{
    const auto frame = FrameWireBytes(s.cluster.mtu);
    if (s.cluster.bufferBytes < frame)
    {
        const auto most =
            std::int64_t{s.cluster.mtu} - static_cast<std::int64_t>(frame - s.cluster.bufferBytes);
        found.push_back(
            {"cluster.buffer",
             fmt::format("must hold a frame of {} ({} bytes), got {}",
                         FormatBytes(frame),
                         frame,
                         FormatBytes(s.cluster.bufferBytes)),
             {"cluster.mtu"},
             {{"cluster.buffer", FormatBytes(frame)}, {"cluster.mtu", std::to_string(most)}}});
    }
}

void
CheckWorkers(const Scenario& s, Found& found)
{
    for (const auto& worker : s.cluster.overrides)
    {
        if (worker.index >= s.cluster.workers)
        {
            found.push_back({fmt::format("cluster.worker.{}", worker.index),
                             fmt::format("worker {} is not there; with cluster.workers = {} they "
                                         "are 0..{}",
                                         worker.index,
                                         s.cluster.workers,
                                         s.cluster.workers - 1),
                             {"cluster.workers"},
                             {{"cluster.workers", std::to_string(worker.index + 1)}}});
        }
    }
}

using Complain = std::function<Found(const Scenario&)>;

bool
Complains(const Found& found, const std::string& key)
{
    return std::any_of(
        found.begin(), found.end(), [&key](const auto& complaint) { return complaint.key == key; });
}

/** @return whether @p remedy is a value, after which @p complain says nothing of @p key any more */
bool
Helps(const Remedy& remedy, const std::string& key, Scenario scenario, const Complain& complain)
{
    try
    {
        SetKey(scenario, remedy.key, remedy.value);
        return !Complains(complain(scenario), key);
    }
    catch (const std::exception&) // no value of the key
    {
        return false;
    }
}

/** @return the least value from @p from on that helps against a complaint of @p complaintKey */
std::optional<Remedy>
LeastThatHelps(const std::string& key,
               std::uint32_t from,
               const std::string& complaintKey,
               const Scenario& scenario,
               const Complain& complain)
{
    constexpr std::uint32_t tries{1'024};
    for (auto value = from; value < from + tries; ++value)
    {
        Remedy remedy{key, std::to_string(value)};
        if (Helps(remedy, complaintKey, scenario, complain))
        {
            return remedy;
        }
    }
    return std::nullopt;
}

/** @return the value next to @p value, of two the larger, that helps against a complaint of @p key itself */
std::optional<Remedy>
NextThatHelps(const std::string& key,
              std::uint32_t value,
              const Scenario& scenario,
              const Complain& complain)
{
    constexpr std::uint32_t tries{1'024};
    for (std::uint32_t step = 1; step < tries; ++step)
    {
        for (const auto other : {value + step, value > step ? value - step : value})
        {
            Remedy remedy{key, std::to_string(other)};
            if (Helps(remedy, key, scenario, complain))
            {
                return remedy;
            }
        }
    }
    return std::nullopt;
}

/** @param texts "key: text" each, as catalogues complain */
Found
FromTexts(const std::vector<std::string>& texts, const std::vector<std::string>& others)
{
    Found found;
    for (const auto& text : texts)
    {
        const auto colon = text.find(": ");
        found.push_back({text.substr(0, colon), text.substr(colon + 2), others});
    }
    return found;
}

/** Adds what @p complain says, with values that help: of the key, else of the workers; and @p another. */
void
AddWithRemedies(const Scenario& s, const Complain& complain, const Remedy& another, Found& found)
{
    for (auto complaint : complain(s))
    {
        const std::string workers = "cluster.workers";
        auto own = complaint.key == workers
                       ? NextThatHelps(workers, s.cluster.workers, s, complain)
                       : LeastThatHelps(complaint.key, 1, complaint.key, s, complain);
        if (!own)
        {
            own = LeastThatHelps(workers, s.cluster.workers, complaint.key, s, complain);
        }
        if (own)
        {
            complaint.remedies.push_back(*own);
        }
        complaint.remedies.push_back(another);
        found.push_back(complaint);
    }
}

bool
IsAmong(const std::string& name, const std::vector<std::string>& names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

Found
TopologyComplaints(const Scenario& s)
{
    return FromTexts(FindTopology(s.cluster.topology).complaints(MakeTopologySpec(s)),
                     {"cluster.topology", "cluster.workers", "exchange.algorithm"});
}

void
CheckTopology(const Scenario& s, Found& found)
{
    if (IsAmong(s.cluster.topology, TopologyNames()))
    {
        AddWithRemedies(s, TopologyComplaints, {"cluster.topology", "star"}, found);
    }
}

Found
AlgorithmComplaints(const Scenario& s)
{
    return FromTexts(FindExchange(s.exchange.algorithm).complaints(MakeExchangeSpec(s)),
                     {"exchange.algorithm", "cluster.workers"});
}

void
CheckAlgorithm(const Scenario& s, Found& found)
{
    if (IsAmong(s.exchange.algorithm, ExchangeNames()))
    {
        AddWithRemedies(s, AlgorithmComplaints, {"exchange.algorithm", "ring"}, found);
    }
}

void
CheckWholeValues(const char* key, std::uint64_t bytes, Found& found)
{
    if (bytes % VALUE_BYTES != 0)
    {
        found.push_back(
            {key,
             fmt::format("must be whole fp32 values, a multiple of 4 bytes, got {}", bytes),
             {}});
    }
}

/** Exchanges in which each worker can have a part of its own. */
std::vector<std::string>
NamesOfSharding()
{
    std::vector<std::string> names;
    for (const auto& entry : ExchangeCatalog())
    {
        if (entry.shards)
        {
            names.push_back(entry.name);
        }
    }
    return names;
}

void
CheckSharding(const Scenario& s, Found& found)
{
    if (!IsSharded(s) || !IsAmong(s.exchange.algorithm, ExchangeNames()))
    {
        return;
    }
    if (!FindExchange(s.exchange.algorithm).shards)
    {
        found.push_back({"training.sharding",
                         fmt::format("must be none with exchange.algorithm = \"{}\", in which no "
                                     "worker gets the sums of a part of its own; workers of {} do",
                                     s.exchange.algorithm,
                                     JoinNames(NamesOfSharding())),
                         {"exchange.algorithm"},
                         {{"training.sharding", "none"}, {"exchange.algorithm", "ring"}}});
    }
}

/** Gathers, passes and exchanges of gradients wait for each other in one order. */
void
CheckGathers(const Scenario& s, Found& found)
{
    if (!GathersWeights(s))
    {
        return;
    }
    const auto require = [&](bool isSo, const char* key, const char* value, const char* why) {
        if (!isSo)
        {
            found.push_back(
                {key,
                 fmt::format("must be {} with training.sharding = \"full\": {}", value, why),
                 {"training.sharding"},
                 {{key, value}, {"training.sharding", "optimizer"}}});
        }
    };
    require(s.exchange.concurrent == 1,
            "exchange.concurrent",
            "1",
            "all its exchanges are of one communicator, as FSDP's are, on which one follows the "
            "other; a gather "
            "beside the gradients before it would hand on weights that are not updated");
    require(s.exchange.order == "ready",
            "exchange.order",
            "ready",
            "the program itself says which exchange comes next, a gather before its pass and "
            "gradients after it, "
            "and all workers need them in that one order");
}

void
CheckConcurrent(const Scenario& s, Found& found)
{
    if (s.host.IsHalfDuplex() && s.exchange.concurrent > 1 && !SumsInNetwork(s))
    {
        found.push_back(
            {"exchange.concurrent",
             fmt::format("must be 1 where host.duplex is half, got {}", s.exchange.concurrent),
             {"host.duplex", "exchange.algorithm"},
             {{"exchange.concurrent", "1"}, {"host.duplex", "full"}}});
    }
}

void
CheckRate(const char* key, std::uint64_t rate, const Scenario& s, Found& found)
{
    const bool timedByMemory = HasSketch(s) && Placement(s) == "gpu";
    if (HasHostCodec(s) && !timedByMemory && rate == 0)
    {
        found.push_back({key,
                         fmt::format("must be given with codec.placement = \"{}\"", Placement(s)),
                         {"codec.name", "codec.placement"},
                         {{key, "8.4GBps"}, {"codec.placement", HasSketch(s) ? "gpu" : "nic"}}});
    }
}

Found
AllComplaints(const Scenario& scenario)
{
    Found found;
    CheckTrace(scenario.training.trace, found);
    CheckWarmup(scenario, found);
    CheckBuffer(scenario, found);
    CheckWorkers(scenario, found);
    CheckTopology(scenario, found);
    CheckAlgorithm(scenario, found);
    CheckWholeValues("exchange.segment_bytes", scenario.exchange.segmentBytes, found);
    CheckWholeValues("exchange.chunk_bytes", scenario.exchange.chunkBytes, found);
    CheckWholeValues("ring.chunk_bytes", scenario.ring.chunkBytes, found);
    CheckWholeValues("tree.chunk_bytes", scenario.tree.chunkBytes, found);
    CheckSharding(scenario, found);
    CheckGathers(scenario, found);
    CheckConcurrent(scenario, found);
    CheckRate("codec.encode_rate", scenario.codec.encodeBytesPerSecond, scenario, found);
    CheckRate("codec.decode_rate", scenario.codec.decodeBytesPerSecond, scenario, found);
    for (const auto& more : {SwitchComplaints(scenario), HomomorphicComplaints(scenario)})
    {
        found.insert(found.end(), more.begin(), more.end());
    }
    return found;
}

} // namespace

std::vector<KeyComplaint>
Complaints(const Scenario& scenario)
{
    auto found = AllComplaints(scenario);
    for (auto& [key, text, others, remedies] : found)
    {
        const auto isNone = [&scenario, &key = key](const Remedy& remedy) {
            return !Helps(remedy, key, scenario, AllComplaints);
        };
        remedies.erase(std::remove_if(remedies.begin(), remedies.end(), isNone), remedies.end());
    }
    return found;
}

} // namespace inca
