/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/explanation.h"

#include "exchange/slot-scheme.h"
#include "experiment/trip-saving.h"
#include "scenario/key-attributes.h"
#include "scenario/specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

double
AsDouble(std::uint64_t number)
{
    return static_cast<double>(number);
}

bool
IsCompute(PathKind kind)
{
    return kind == PathKind::FORWARD || kind == PathKind::BACKWARD || kind == PathKind::UPDATE;
}

std::vector<PathRow>
PathRowsOf(const std::vector<PathShare>& shares)
{
    std::map<std::pair<std::string, std::string>, PathRow> rows;
    for (const auto& share : shares)
    {
        auto& row =
            rows[{TextOf(share.awaited == PathKind::START ? share.kind : share.awaited).name,
                  share.place}];
        row.ps += share.ps;
        row.pieces += share.pieces;
    }
    std::vector<PathRow> sorted;
    for (auto& [what, row] : rows)
    {
        std::tie(row.kind, row.place) = what;
        sorted.push_back(std::move(row));
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const PathRow& a, const PathRow& b) {
        return a.ps > b.ps;
    });
    return sorted;
}

/** What keys decide of a path. */
class Effects
{
  public:
    explicit Effects(const Outcome& outcome)
        : m_resolved(outcome.plan.Settings()),
          m_scenario(m_resolved.scenario),
          m_isFolded(outcome.plan.Job().fold.IsFolded())
    {
        for (const auto& share : outcome.Job().path.shares)
        {
            Add(share);
        }
    }

    std::vector<KeyEffect> Take()
    {
        std::vector<KeyEffect> sorted;
        for (auto& [key, effect] : m_effects)
        {
            effect.key = key;
            sorted.push_back(std::move(effect));
        }
        std::stable_sort(sorted.begin(), sorted.end(), [](const KeyEffect& a, const KeyEffect& b) {
            return a.ps > b.ps;
        });
        return sorted;
    }

  private:
    void Rate(const std::string& key, const char* unit, double value, bool isLinear = true)
    {
        KeyEffect effect;
        effect.unit = unit;
        effect.value = value;
        effect.isRate = true;
        effect.isLinear = isLinear;
        Count(key, effect);
    }

    void Cost(const std::string& key, std::int64_t ps, bool isSetting = true, bool isLinear = true)
    {
        constexpr double psOfSecond = 1e12;
        KeyEffect effect;
        effect.unit = "s";
        effect.value = static_cast<double>(ps) / psOfSecond;
        effect.isSetting = isSetting;
        effect.isLinear = isLinear;
        Count(key, effect);
    }

    void Factor(const std::string& key, double value)
    {
        KeyEffect effect;
        effect.value = value;
        Count(key, effect);
    }

    /** What no key of a scenario says alone. */
    void Other(const std::string& what, bool isLinear)
    {
        KeyEffect effect;
        effect.value = 1;
        effect.isLinear = isLinear;
        effect.isSetting = false;
        Count(what, effect);
    }

    void Count(const std::string& key, const KeyEffect& effect)
    {
        auto& counted = m_effects.try_emplace(key, effect).first->second;
        counted.ps += m_share->ps;
        counted.pieces += m_share->pieces;
    }

    void Add(const PathShare& share)
    {
        m_share = &share;
        const auto& host = m_scenario.host;
        AddAwaited();
        switch (share.kind)
        {
        case PathKind::FORWARD:
        case PathKind::BACKWARD:
        case PathKind::UPDATE:
            AddCompute();
            break;
        case PathKind::GPU_LINKS:
            Rate("cluster.gpu_bandwidth",
                 "B/s",
                 AsDouble(m_scenario.cluster.gpuBytesPerSecond),
                 AreNodes());
            break;
        case PathKind::COPY:
            Rate("host.copy_rate", "B/s", AsDouble(host.copyBytesPerSecond));
            break;
        case PathKind::SUM:
            Rate("host.sum_rate", "B/s", AsDouble(host.sumBytesPerSecond));
            break;
        case PathKind::SPARSIFY:
            AddCodec("sparsify.rate", m_scenario.sparsify.bytesPerSecond.value_or(0));
            break;
        case PathKind::ENCODE:
            AddHostCodec("encode_rate", &CodecSettings::encodeBytesPerSecond);
            break;
        case PathKind::DECODE:
            AddHostCodec("decode_rate", &CodecSettings::decodeBytesPerSecond);
            break;
        case PathKind::PROTOCOL:
            Other("host.protocol", false);
            break;
        case PathKind::HOST_MESSAGE:
            Cost("host.message_cost", host.messageCostPs);
            break;
        case PathKind::HOST_FRAME:
            Cost("host.frame_cost", host.frameCostPs);
            break;
        case PathKind::HOST_BYTES:
            Rate("host.byte_rate", "B/s", AsDouble(host.byteBytesPerSecond));
            break;
        case PathKind::COMPRESSION:
            AddEngine("inca::CompressionEngine");
            break;
        case PathKind::DECOMPRESSION:
            AddEngine("inca::DecompressionEngine");
            break;
        case PathKind::LINK:
            AddLink();
            break;
        case PathKind::TRUNK:
            AddTrunk();
            break;
        case PathKind::LATENCY:
            AreNodes() && m_share->host
                ? Cost("cluster.gpu_latency", m_scenario.cluster.gpuLatencyPs)
                : Cost("cluster.latency", m_scenario.cluster.latencyPs);
            break;
        case PathKind::SWITCH:
            Cost("switch.latency", m_scenario.inSwitch.latencyPs);
            break;
        case PathKind::CYCLE:
            Cost("exchange.cycle_time", m_scenario.exchange.cyclePs, true, false);
            break;
        case PathKind::ADDER:
            Rate("switch.adder_rate",
                 "values/s",
                 AsDouble(m_resolved.Scheme() != nullptr
                              ? m_resolved.Scheme()->AddedValuesPerSecond()
                              : 0));
            break;
        default:
            break;
        }
    }

    /** A window, or slots, let a sender go on once an answer has come. */
    void AddAwaited()
    {
        if (m_share->trip == PathKind::WINDOW)
        {
            Rate("transport.window", "", AsDouble(m_resolved.window), false);
        }
        else if (m_share->trip == PathKind::SLOTS)
        {
            Rate("switch.slots", "", AsDouble(ReadSlotFormat(m_scenario.rowSettings).slots), false);
        }
    }

    /** Whether GPUs are hosts, on links inside their nodes. */
    bool AreNodes() const
    {
        return m_resolved.topology.nodeSize > 1;
    }

    /** Whether it is about a link of one of a node's NICs. */
    bool IsOfNode(std::uint32_t node) const
    {
        const auto name = fmt::format("worker {} ", node);
        const auto place = m_share->place + " ";
        return AreNodes() &&
               (place.rfind(name + "->", 0) == 0 || place.find("-> " + name) != std::string::npos);
    }

    /** The table [[cluster.worker]] of the worker that is looked at; null: it has none. */
    const WorkerOverride* OverrideOf() const
    {
        const auto& all = m_scenario.cluster.overrides;
        const auto found = std::find_if(all.begin(), all.end(), [this](const auto& worker) {
            return !AreNodes()     ? m_share->host == m_resolved.hosts[worker.index]
                   : m_share->host ? *m_share->host / m_resolved.topology.nodeSize == worker.index
                                   : IsOfNode(worker.index);
        });
        return found == all.end() ? nullptr : &*found;
    }

    void AddCompute()
    {
        const auto& layers = m_resolved.trace->layers;
        if (const auto* const worker = OverrideOf())
        {
            Factor(fmt::format("cluster.worker.{}.compute_scale", worker->index),
                   worker->computeScale);
        }
        Other("compute times", true);
        if (m_share->detail < layers.size())
        {
            const auto& layer = layers[m_share->detail];
            const auto ps = m_share->kind == PathKind::FORWARD    ? layer.forwardPs
                            : m_share->kind == PathKind::BACKWARD ? layer.backwardPs
                                                                  : layer.updatePs;
            Cost(fmt::format("{} of {}", TextOf(m_share->kind).name, layer.name), ps, false);
        }
    }

    /** @param bytesPerSecond 0: by the memory of a GPU, in which some of it takes a time of its own */
    void AddCodec(const std::string& key, std::uint64_t bytesPerSecond)
    {
        bytesPerSecond > 0 ? Rate(key, "B/s", AsDouble(bytesPerSecond))
                           : Rate("gpu.memory_bandwidth",
                                  "B/s",
                                  AsDouble(m_scenario.gpu.memoryBytesPerSecond),
                                  false);
    }

    /** Of messages within groups, or between them. */
    void AddHostCodec(const std::string& leaf, std::uint64_t CodecSettings::*bytesPerSecond)
    {
        const bool crosses = m_share->detail == 1;
        AddCodec(CodecKey(m_scenario, crosses, leaf),
                 CodedAs(m_scenario, crosses).codec.*bytesPerSecond);
    }

    void AddEngine(const std::string& ofClass)
    {
        const auto attribute = ofClass + "::Clock";
        const auto& all = m_scenario.attributes;
        const bool isApart = std::any_of(all.begin(), all.end(), [&attribute](const auto& entry) {
            return entry.first == attribute;
        });
        Rate(isApart ? "attributes." + attribute : "engine.clock",
             "Hz",
             AsDouble(EngineOf(m_scenario, ofClass).hertz));
    }

    void AddLink()
    {
        const auto& cluster = m_scenario.cluster;
        const auto* const worker = OverrideOf();
        const auto workers = m_resolved.hosts.begin() + WorkerCount(m_scenario);
        const bool isOther =
            m_share->host && !m_isFolded &&
            std::find(m_resolved.hosts.begin(), workers, *m_share->host) == workers;
        if (worker != nullptr && worker->bitsPerSecond)
        {
            Rate(fmt::format("cluster.worker.{}.bandwidth", worker->index),
                 "bit/s",
                 AsDouble(*worker->bitsPerSecond));
        }
        else if (isOther && cluster.aggregatorBitsPerSecond)
        {
            Rate("cluster.aggregator_bandwidth",
                 "bit/s",
                 AsDouble(*cluster.aggregatorBitsPerSecond));
        }
        else
        {
            Rate("cluster.bandwidth", "bit/s", AsDouble(cluster.bitsPerSecond));
        }
    }

    /** A trunk's rate is its own, or that of workers' links, or what leaves a switch as fast as it says. */
    void AddTrunk()
    {
        const auto& cluster = m_scenario.cluster;
        if (cluster.oversubscription)
        {
            Factor("cluster.oversubscription", *cluster.oversubscription);
        }
        if (cluster.trunkBitsPerSecond)
        {
            Rate("cluster.trunk_bandwidth", "bit/s", AsDouble(*cluster.trunkBitsPerSecond));
        }
        else
        {
            Rate("cluster.bandwidth", "bit/s", AsDouble(cluster.bitsPerSecond));
        }
    }

    const Resolved& m_resolved;
    const Scenario& m_scenario;
    bool m_isFolded;
    const PathShare* m_share{nullptr};          ///< that is looked at
    std::map<std::string, KeyEffect> m_effects; ///< by key
};

/**
 * By limit, what it saves of the path if it is raised by a quarter. A sender that waits less for answers keeps others as
 * busy as before. (ps)
 * @param withCompute else beside computing
 */
std::map<std::string, double>
SavedPs(const Outcome& outcome, bool withCompute)
{
    const auto& resolved = outcome.plan.Settings();
    std::map<std::string, double> savedPs;
    for (const auto& share : outcome.Job().path.shares)
    {
        const auto ps = static_cast<double>(share.ps);
        if (withCompute || !IsCompute(share.kind))
        {
            savedPs[TextOf(share.kind).limit] += ps * (1 - 1 / RAISE);
        }
    }
    const auto iterations = outcome.Job().seen->iterationEndPs.size() - resolved.simulation.warmup;
    const auto idlePs =
        static_cast<double>(outcome.Job().breakdown.TotalPs()) -
        AsDouble(iterations) * static_cast<double>(outcome.plan.Job().alone.iterationPs);
    for (const auto& [trip, times] : outcome.Job().path.trips)
    {
        const auto [limit, detail] = trip;
        const auto saving = SavingOf(limit, detail, times, resolved);
        const auto latencyPs = static_cast<double>(times.latencyPs) * (1 - 1 / RAISE);
        savedPs[TextOf(limit).limit] += std::min(saving.savedPs, saving.idlePs);
        savedPs["latency"] -= std::max(0.0, latencyPs - saving.idlePs);
    }
    for (const auto* limit : {"window", "slots"})
    {
        savedPs[limit] = std::min(savedPs[limit], idlePs);
    }
    savedPs.erase("");
    return savedPs;
}

/** What saves most of the path; empty: nothing does. */
std::string
LimitOf(const Outcome& outcome, bool withCompute)
{
    auto savedPs = SavedPs(outcome, withCompute);
    const auto [limit, mostPs] =
        *std::max_element(savedPs.begin(), savedPs.end(), [](const auto& a, const auto& b) {
            return a.second < b.second;
        });
    if (mostPs <= 0)
    {
        return "";
    }
    const auto& network = outcome.plan.Settings().network;
    const auto [slower, faster] =
        std::minmax(network.compressionBitsPerSecond, network.decompressionBitsPerSecond);
    const bool areAlike = AsDouble(faster) < RAISE * AsDouble(slower);
    const auto lessPs = std::min(savedPs["compression engine"], savedPs["decompression engine"]);
    const bool areBoth = lessPs > static_cast<double>(outcome.Job().breakdown.TotalPs()) / 100;
    const bool isEngine = limit.find("engine") != std::string::npos;
    return isEngine && (areAlike || areBoth) ? "both engines" : limit;
}

} // namespace

void
AddExplanation(const Outcome& outcome, RunRecord& record)
{
    record.path = PathRowsOf(outcome.Job().path.shares);
    record.effects = Effects(outcome).Take();
    record.results.limitedBy = LimitOf(outcome, true);
    record.results.communicationLimitedBy = LimitOf(outcome, false);
}

} // namespace inca
