/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/run-table.h"

#include "base/printable.h"
#include "base/units.h"
#include "record/share-parts.h"
#include "report/explanation-table.h"
#include "report/text-table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace inca
{

namespace
{

constexpr int g_valueWidth = 12;
constexpr int g_barWidth = 40;
constexpr std::size_t g_mostSteps = 8;
/** What tools/flow-errors says of iteration times (docs/validation.md). */
constexpr const char* g_offAsFlows =
    "an approximation: half of drawn scenarios were within 0.1 %, 9 of 10 within 5 %";

/** What a run's table holds, part by part. */
class RunTable
{
  public:
    explicit RunTable(const RunRecord& record)
        : m_run(record),
          m_results(record.results)
    {
    }

    std::string Text()
    {
        AddTitle();
        AddIteration();
        AddBreakdown();
        AddHelp();
        AddExchange();
        AddSteps();
        AddSketch();
        AddErrors();
        AddNetwork();
        AddSimulation();
        AddWarnings();
        return m_text;
    }

  private:
    void Heading(const char* text)
    {
        m_text += fmt::format("\n{}\n", text);
    }

    void Line(std::string_view label, const std::string& text)
    {
        m_text += TableLine(label, text);
    }

    template <class Number>
    void Line(std::string_view label, const std::optional<Number>& value, const char* format)
    {
        if (value)
        {
            Line(label, fmt::format(fmt::runtime(format), *value));
        }
    }

    /** "ring", "reduce-scatter by ring", "all-to-all", the library that picks, or what groups do. */
    std::string ExchangeText() const
    {
        const auto exchange = m_run.Setting("exchange");
        const auto inGroups = m_run.Setting("shard_exchange");
        const auto between = m_run.Setting("replica_exchange");
        if (!inGroups.empty() || !between.empty())
        {
            return fmt::format("{} in groups and {} between them",
                               inGroups.empty() ? exchange : inGroups,
                               between.empty() ? exchange : between);
        }
        const auto collective = m_run.Setting("collective");
        const bool isUsual = collective.empty() || collective == "all-reduce";
        if (exchange.empty())
        {
            return isUsual ? m_run.Setting("exchange_library") : collective;
        }
        return isUsual ? exchange : collective + " by " + exchange;
    }

    /** "inceptionn (bound 2^-10)", or "cast in groups and inceptionn between them". */
    std::string CodecText() const
    {
        const auto codec = m_run.Setting("codec");
        const auto of = [&](const std::string& group) {
            const auto own = m_run.Setting(group + "_codec");
            return m_run.Setting(group + "_compress") == "false" ? "none"
                   : own.empty()                                 ? codec
                                                                 : own;
        };
        if (of("shard") != of("replica"))
        {
            return of("shard") + " in groups and " + of("replica") + " between them";
        }
        if (const auto inside = m_run.Setting("node_codec"); !inside.empty())
        {
            return inside + " in workers and " + codec + " between them";
        }
        const auto bound = m_run.Setting("bound_bits");
        return of("shard") + (bound.empty() ? "" : " (bound 2^-" + bound + ")");
    }

    /** "alexnet, ring, codec inceptionn (bound 2^-10), 4 workers at 10 Gbit/s" */
    void AddTitle()
    {
        const auto gpus = m_run.Setting("gpus");
        const auto rate = m_run.Setting("bandwidth_gbps"); // empty between the GPUs of one worker
        const auto title = fmt::format("{}, {}, codec {}, {} worker{}{}{}",
                                       m_run.Setting("trace"),
                                       ExchangeText(),
                                       CodecText(),
                                       m_run.Setting("workers"),
                                       m_run.Setting("workers") == "1" ? "" : "s",
                                       gpus.empty() || gpus == "1" ? "" : " of " + gpus + " GPUs",
                                       rate.empty() ? "" : " at " + rate + " Gbit/s");
        m_text = Printable(title) + "\n\n";
    }

    void AddIteration()
    {
        const auto& r = m_results;
        Line("iteration time", HumanPicoseconds(r.iterationTimePs));
        if (r.iterationTimeLowPs && r.iterationTimeHighPs)
        {
            Line("  by the preset",
                 fmt::format("{} to {}, {} that it has seen",
                             HumanPicoseconds(*r.iterationTimeLowPs),
                             HumanPicoseconds(*r.iterationTimeHighPs),
                             r.iterationTimeRange));
        }
        else if (!r.iterationTimeRange.empty())
        {
            Line("  by the preset", "no range; " + r.iterationTimeRange.substr(NO_RANGE.size()));
        }
        if (r.measuredIterations > 1 && r.iterationTimeMinPs && r.iterationTimeP50Ps &&
            r.iterationTimeP99Ps)
        {
            Line(fmt::format("  over {} iterations", r.measuredIterations),
                 fmt::format("min {}, median {}, p99 {}",
                             HumanPicoseconds(*r.iterationTimeMinPs),
                             HumanPicoseconds(*r.iterationTimeP50Ps),
                             HumanPicoseconds(*r.iterationTimeP99Ps)));
        }
        if (!r.limitedBy.empty())
        {
            Line("  limited by", r.limitedBy);
        }
        if (r.lowerBoundPs)
        {
            Line("lower bound", HumanPicoseconds(*r.lowerBoundPs));
        }
        Line("throughput", r.samplesPerSecond, "{:.1f} samples/s");
        if (r.scalingEfficiency)
        {
            Line("scaling efficiency",
                 fmt::format("{:.1f} % of one worker", *r.scalingEfficiency * 100));
        }
    }

    /** Parts of the time, per iteration, each with its share and a bar. */
    void AddBreakdown()
    {
        Heading("where the time goes, on the worker that ends last");
        const auto total = static_cast<double>(m_results.shares.TotalPs());
        for (const auto& part : g_shareParts)
        {
            const auto ps = m_results.shares.*part.ps;
            const double share = ps == 0 ? 0 : static_cast<double>(ps) / total;
            const std::string bar(static_cast<std::size_t>(share * g_barWidth + 0.5), '#');
            m_text += ps == 0 ? ""
                              : fmt::format("  {:<{}}{:<{}}{:>5.1f} %{}{}\n",
                                            part.name,
                                            TABLE_LABEL_WIDTH,
                                            HumanPicoseconds(ps / m_results.measuredIterations),
                                            g_valueWidth,
                                            share * 100,
                                            bar.empty() ? "" : "  ",
                                            bar);
        }
    }

    void AddHelp()
    {
        constexpr std::size_t most = 3;
        const auto help = FormatHelp(m_run, most);
        if (!help.empty())
        {
            Heading("what would help");
            m_text += help;
        }
    }

    void AddExchange()
    {
        const auto& r = m_results;
        // bytes are totals, warm-up included, beside times that are means
        const auto count = m_run.Setting("iterations");
        const auto iterations = count.empty() || count == "1" ? "" : " in " + count + " iterations";
        Heading("exchange");
        if (r.exchangeTimePs)
        {
            Line("time", HumanPicoseconds(*r.exchangeTimePs));
        }
        if (!r.communicationLimitedBy.empty())
        {
            Line("  limited by", r.communicationLimitedBy);
        }
        Line("buckets", std::to_string(r.buckets));
        if (!r.picked.empty())
        {
            Line(m_run.Setting("exchange_library") + " picks", r.picked);
        }
        if (r.sumErrorMax || !m_run.switches.empty())
        {
            Line("sums depend on order", r.sumsDependOnOrder + ": " + r.sumOrderReason);
        }
        Line("aggregation throughput", r.aggregationThroughputGbps, "{:.3f} Gbit/s");
        Line("algbw", r.algbwGbps, "{:.3f} Gbit/s");
        Line("busbw", r.busbwGbps, "{:.3f} Gbit/s");
        Line("plain payload", HumanBytes(r.plainBytes) + iterations);
        Line("on the wire",
             HumanBytes(r.wireBytes) + " in whole frames" + (iterations.empty() ? "" : ",") +
                 iterations);
        Line("compression ratio", r.achievedRatio, "{:.3f}");
    }

    /** The first steps one by one; of the others, the first and the last. */
    void AddSteps()
    {
        const auto ratio = [](const StepRatio& step) {
            return step.wireBytes == 0 ? "-"
                                       : fmt::format("{:.3f}",
                                                     static_cast<double>(step.plainBytes) /
                                                         static_cast<double>(step.wireBytes));
        };
        const auto& steps = m_run.steps;
        const auto shown = std::min(steps.size(), g_mostSteps);
        for (std::size_t i = 0; i < shown; ++i)
        {
            Line(fmt::format("  ratio of step {}", steps[i].step), ratio(steps[i]));
        }
        if (shown < steps.size())
        {
            Line(fmt::format("  of {} more steps", steps.size() - shown),
                 ratio(steps[shown]) + ".." + ratio(steps.back()));
        }
    }

    void AddSketch()
    {
        if (!m_results.sketch)
        {
            return;
        }
        const auto& sketch = *m_results.sketch;
        const auto sharding = m_run.Setting("sharding");
        const bool isOfShards = !sharding.empty() && sharding != "none"; // each a sketch by itself
        Heading("homomorphic compression");
        Line(isOfShards ? "coded shards" : "coded exchanges",
             fmt::format("{} of {}", sketch.coded, sketch.exchanges));
        Line("ratio", sketch.ratio, "{:.4g} rows per counter row");
        if (sketch.coded > 0)
        {
            Line("load", fmt::format("{:.3g} at most", sketch.load));
            Line("rounds of peeling", fmt::format("{:.3g} at most", sketch.rounds));
            Line("estimated values",
                 fmt::format("{:.0f} of {:.0f} that are set, {}",
                             sketch.estimatedValues,
                             sketch.markedValues,
                             sketch.counted ? "counted" : "expected"));
        }
    }

    void AddErrors()
    {
        if (!m_results.sumErrorMax)
        {
            return;
        }
        Heading("values, beside a sum in fp64");
        Line("largest error", m_results.sumErrorMax, "{:.4g}");
        Line("mean error", m_results.sumErrorMean, "{:.4g}");
        Line("vNMSE", m_results.sumVnmse, "{:.4g}");
        Line("cosine", m_results.sumCosine, "{:.9g}");
        Line("largest replica difference", m_results.replicaDifferenceMax, "{:.4g}");
        if (m_results.valuesInFrames == false)
        {
            Line("verified", "by a replay beside the simulation");
        }
        if (m_run.errors.size() > 1)
        {
            AddErrorTable();
        }
    }

    /** The first buckets one by one; where there are many hops, those of powers of two. */
    void AddErrorTable()
    {
        const auto& rows = m_run.errors;
        const bool areMany = std::any_of(
            rows.begin(), rows.end(), [](const auto& row) { return row.hop > g_mostSteps; });
        std::vector<std::string> titles{"  bucket", "vNMSE", "cosine", "largest"};
        std::vector<std::vector<std::string>> buckets;
        for (const auto& [bucket, hop, values, vnmse, cosine, largest] : rows)
        {
            if (hop == 0)
            {
                buckets.push_back({fmt::format("  {}", bucket),
                                   fmt::format("{:.4g}", vnmse),
                                   fmt::format("{:.9g}", cosine),
                                   fmt::format("{:.4g}", largest)});
            }
            else if (!areMany || (hop & (hop - 1)) == 0)
            {
                buckets.back().push_back(fmt::format("{:.4g}", vnmse));
            }
            if (buckets.back().size() > titles.size())
            {
                titles.push_back(fmt::format("{} {}", hop == 1 ? "vNMSE at hop" : "hop", hop));
            }
        }
        TextTable table(titles, 1);
        const auto shown = std::min(buckets.size(), g_mostSteps);
        for (std::size_t i = 0; i < shown; ++i)
        {
            buckets[i].resize(titles.size());
            table.AddRow(buckets[i]);
        }
        m_text += table.Text();
        if (shown < buckets.size())
        {
            Line(fmt::format("of {} more buckets", buckets.size() - shown),
                 "errors.csv of --out DIR");
        }
    }

    void AddNetwork()
    {
        Heading("network");
        const auto busiest = std::max_element(
            m_run.links.begin(), m_run.links.end(), [](const LinkRow& a, const LinkRow& b) {
                return a.utilisation < b.utilisation;
            });
        if (busiest != m_run.links.end())
        {
            Line("busiest link",
                 fmt::format("{}, {:.1f} % of the time, {}",
                             busiest->ends.name,
                             busiest->utilisation * 100,
                             HumanBytes(busiest->port.out.wireBytes)));
        }
        Line("largest queue", HumanBytes(m_results.largestQueueBytes));
        AddFullestSwitch();
        Line("frames dropped", std::to_string(m_results.drops));
        Line("frames sent again", std::to_string(m_results.retransmitted));
    }

    /** Of the switches that add. */
    void AddFullestSwitch()
    {
        const auto& switches = m_run.switches;
        const auto fullest = std::max_element(
            switches.begin(), switches.end(), [](const SwitchRow& a, const SwitchRow& b) {
                return a.slotsPeak < b.slotsPeak;
            });
        if (fullest != switches.end())
        {
            Line("slots in use at most",
                 fmt::format("{} of {}, {}", fullest->slotsPeak, fullest->slots, fullest->name));
            Line("slots to fill the link", m_results.slotsNeeded, "{}");
            Line("memory of a switch", HumanBytes(fullest->memoryBytes));
        }
    }

    /** Where not every frame was simulated by itself. */
    void AddSimulation()
    {
        const auto& r = m_results;
        if (r.packetLevelShare == 1)
        {
            return;
        }
        const bool isFolded = r.simulatedRanks < r.ranks;
        const bool areWorkers = std::to_string(r.ranks) == m_run.Setting("workers");
        Heading("simulation");
        if (m_run.Setting("simulation_mode") == "flow")
        {
            Line("simulated", "messages as flows, no frames");
            Line("against packet level", g_offAsFlows);
            return;
        }
        Line("simulated",
             !isFolded ? "all, but for what repeats itself"
                       : fmt::format("{} of {} {}, which {}",
                                     r.simulatedRanks,
                                     r.ranks,
                                     areWorkers ? "workers" : "workers and servers",
                                     r.simulatedRanks == 1 ? "all do the same"
                                                           : "do what all others do"));
        Line("frames one by one", fmt::format("{:.3g} %", r.packetLevelShare * 100));
        Line("against packet level",
             r.exact ? "the same, to the picosecond"
                     : "nearly the same; inca sweep SCENARIO --vary simulation.mode=auto,packet "
                       "tells how near");
    }

    void AddWarnings()
    {
        const auto warnings = AllWarnings(m_run);
        m_text += warnings.empty() ? "" : "\nwarnings\n";
        for (const auto& warning : warnings)
        {
            m_text += "  " + Printable(warning) + "\n";
        }
    }

    const RunRecord& m_run;
    const RunResults& m_results;
    std::string m_text;
};

} // namespace

std::string
FormatRunTable(const RunRecord& record)
{
    return RunTable(record).Text();
}

} // namespace inca
