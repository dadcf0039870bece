/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/import-formats.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/units.h"
#include "import/recorded-training.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr std::size_t MOST_BYTES = 64U << 20U;
constexpr std::size_t MOST_LINE_BYTES = 1U << 20U;
constexpr std::size_t FIELDS = 12;
constexpr const char* WEIGHT_GRADIENT = "weight gradient";
constexpr std::uint64_t MOST_COUNT = 1'000'000'000'000'000;
constexpr double MOST_TIME_PS = 1e18;

/** The policies of parallelism that a workload may name. */
const std::vector<std::string>&
WorkloadPolicies()
{
    static const std::vector<std::string> policies{"MICRO",
                                                   "DATA",
                                                   "MODEL",
                                                   "HYBRID_DATA_MODEL",
                                                   "HYBRID_MODEL_DATA",
                                                   "HYBRID_CUSTOMIZED",
                                                   "DISTRIBUTED_INFERENCE",
                                                   "HYBRID_DLRM",
                                                   "HYBRID_DLRM_ENHANCED",
                                                   "HYBRID_TRANSFORMER",
                                                   "HYBRID_TRANSFORMER_FWD_IN_BCKWD"};
    return policies;
}

std::string
Shown(std::string_view text)
{
    return "'" + Excerpt(text) + "'";
}

/** The words of a line. */
std::vector<std::string>
SplitBlanks(std::string_view line)
{
    std::istringstream stream{std::string(line)};
    return {std::istream_iterator<std::string>(stream), {}};
}

/** @return whether @p word is meant as a number: "8", "1e6", "50331648.0" */
bool
IsNumber(const std::string& word)
{
    return word.find_first_not_of("0123456789.eE+-") == std::string::npos &&
           word.find_first_of("0123456789") != std::string::npos;
}

/** @return the numbers that follow each key of a header: "model_parallel_NPU_group: 8 ep: 1 ..." */
std::map<std::string, std::vector<std::string>>
HeaderKeys(const std::vector<std::string>& words)
{
    std::map<std::string, std::vector<std::string>> keys;
    std::string key; // none yet
    for (std::size_t i = 1; i < words.size(); ++i)
    {
        if (IsNumber(words[i]))
        {
            keys[key].push_back(words[i]);
            continue;
        }
        key = words[i].substr(0, words[i].find(':'));
        keys[key].clear();
    }
    return keys;
}

class WorkloadReader
{
  public:
    WorkloadReader(ByteSource& source, const ImportOptions& options, ImportReport& report)
        : m_options(options),
          m_report(report),
          m_unit(options.timeUnit.empty() ? "ns" : options.timeUnit)
    {
        m_place.file = source.Name();
        m_lines.str(source.ReadAll(MOST_BYTES));
    }

    RecordedTraining Read()
    {
        ReadHeader();
        std::vector<RecordedLayer> layers;
        for (auto fields = NextLine(); fields; fields = NextLine())
        {
            layers.push_back(LayerOf(*fields, layers.empty()));
        }
        m_report.Read("layer line", layers.size());
        if (layers.size() != m_lineCount)
        {
            Doubt("", fmt::format("line 2 says {} layers, {} follow", m_lineCount, layers.size()));
        }
        m_report.Assume(fmt::format("times are in {}{}",
                                    m_unit,
                                    m_options.timeUnit.empty()
                                        ? ", ASTRA-sim's cycles at its 1 GHz (--time-unit)"
                                        : ", as asked"));
        auto training = TrainingOfLayers(layers, m_report);
        training.workers = m_workers;
        return training;
    }

  private:
    /** @return the next line that is not empty; nothing at the end */
    std::optional<std::vector<std::string>> NextLine()
    {
        for (std::string line; std::getline(m_lines, line);)
        {
            ++m_place.line;
            if (line.size() > MOST_LINE_BYTES)
            {
                throw InputError(m_place, "has more than 1 MiB");
            }
            if (auto fields = SplitBlanks(line); !fields.empty())
            {
                return fields;
            }
        }
        return std::nullopt;
    }

    void ReadHeader()
    {
        const auto words = NextLine().value_or(std::vector<std::string>(1));
        const auto& policies = WorkloadPolicies();
        if (std::find(policies.begin(), policies.end(), words.front()) == policies.end())
        {
            throw InputError(m_place, "policy: " + UnknownName(words.front(), policies));
        }
        m_policy = words.front();
        m_header = HeaderKeys(words);
        TellOfHeader();
        const auto count = NextLine();
        if (!count || count->size() != 1)
        {
            throw InputError(m_place, "the second line must be the number of layers");
        }
        m_lineCount = Count("number of layers", count->front());
    }

    /** @return the number of a key of the header; nothing if that is not there, or has not one */
    std::optional<std::string> HeaderNumber(const std::string& key)
    {
        const auto found = m_header.find(key);
        if (found == m_header.end())
        {
            return std::nullopt;
        }
        if (found->second.size() != 1)
        {
            Doubt(key, fmt::format("has {} numbers, not one", found->second.size()));
            return std::nullopt;
        }
        return found->second.front();
    }

    std::uint64_t HeaderCount(const std::string& key, std::uint64_t otherwise)
    {
        const auto number = HeaderNumber(key);
        return number ? Count(key, *number) : otherwise;
    }

    /** Says what the header has that is in no layer's line, and counts data-parallel workers. */
    void TellOfHeader()
    {
        const auto all = HeaderCount("all_gpus", 0);
        const auto tensor = HeaderCount("model_parallel_NPU_group", 1);
        const auto pipeline = HeaderCount("pp", 1);
        const bool saysTensor = m_header.count("model_parallel_NPU_group") > 0;
        m_tensor = saysTensor || m_policy == "DATA" ? tensor : 0;
        if (const auto others = tensor * pipeline; all > 0)
        {
            if (others == 0 || all % others != 0)
            {
                Doubt("all_gpus",
                      fmt::format("is no multiple of {} of tensor and {} of pipeline parallelism",
                                  tensor,
                                  pipeline));
            }
            m_workers = others == 0 ? all : all / others;
        }
        if (const auto batches = HeaderCount("ga", 1); batches > 1)
        {
            m_report.Assume(fmt::format(
                "ga: {}: the lines are one iteration, not one of its micro-batches", batches));
        }
        if (const auto size = HeaderNumber("pp_comm"))
        {
            const auto bytes = Time("pp_comm", *size, "ns") / 1000; // may be written 1e6
            if (bytes > 0)
            {
                m_report.LeaveOut("pp_comm of the header",
                                  "pipeline parallel, which INCA does not simulate",
                                  static_cast<std::uint64_t>(bytes));
            }
        }
        const auto& checkpoints = m_header["checkpoints"]; // their number, and the ids of layers
        const auto count = checkpoints.empty() ? 0 : Count("checkpoints", checkpoints.front());
        if (count > 0)
        {
            m_report.LeaveOut("checkpointing of the header",
                              "the forward pass that backward computes again is in no layer's time",
                              0,
                              count);
        }
    }

    RecordedLayer LayerOf(const std::vector<std::string>& fields, bool isFirst)
    {
        const auto wanted = FIELDS + (m_policy == "HYBRID_CUSTOMIZED" ? 1 : 0);
        if (fields.size() != wanted)
        {
            throw InputError(m_place,
                             fmt::format("a layer's line has {} fields (name, dep, three of time, "
                                         "collective and bytes, update), this one {}",
                                         wanted,
                                         fields.size()));
        }
        if (fields[1] != "-1")
        {
            Doubt("dep", "is reserved and always -1, got " + Shown(fields[1]));
        }
        RecordedLayer layer;
        layer.name = fields[0];
        layer.forwardPs = Time("forward", fields[2], m_unit);
        auto inputGradientPs = Time("input gradient", fields[5], m_unit);
        layer.backwardPs = Time("weight gradient", fields[8], m_unit);
        layer.updatePs = Time("update", fields[11], m_unit);
        const bool isAstraSim = m_policy.rfind("HYBRID_TRANSFORMER", 0) != 0 && m_policy != "MICRO";
        if (isFirst && isAstraSim && inputGradientPs > 0)
        {
            m_report.LeaveOut("input gradient of the first layer",
                              "nothing needs it, and ASTRA-sim leaves it out");
            inputGradientPs = 0;
        }
        layer.backwardPs = AddSaturated(layer.backwardPs, inputGradientPs);
        TakeCommunication("forward", fields[3], fields[4]);
        TakeCommunication("input gradient", fields[6], fields[7]);
        const auto bytes = TakeCommunication(WEIGHT_GRADIENT, fields[9], fields[10]);
        layer.tensors = {ElementsOf(bytes, m_place.Prefix(), m_options, m_report)};
        return layer;
    }

    /** @return the bytes of a gradient that data-parallel workers exchange; else what is left out is said */
    std::uint64_t TakeCommunication(const std::string& part,
                                    const std::string& word,
                                    const std::string& size)
    {
        static const std::vector<std::string> kinds{"NONE",
                                                    "ALLREDUCE",
                                                    "ALLTOALL",
                                                    "ALLREDUCEALLTOALL",
                                                    "ALLGATHER",
                                                    "REDUCESCATTER",
                                                    "BROADCAST"};
        static const std::vector<std::string> groups{"", "TP", "DP", "EP", "DP_EP"};
        const auto bytes = Count("bytes", size);
        const auto kind = Excerpt(word.substr(0, word.find('_')));
        const auto group = word.size() > kind.size() ? word.substr(kind.size() + 1) : "";
        RequireAmong(kinds, kind);
        RequireAmong(groups, group);
        if (kind == "NONE" || bytes == 0)
        {
            return 0;
        }
        const bool isNamed = group == "DP" || group == "DP_EP";
        const bool isOfData = isNamed || (group.empty() && part == WEIGHT_GRADIENT);
        const bool isOfOneGpu = group.empty() && m_tensor == 1; // which has no tensor parallelism
        const bool sums = kind == "ALLREDUCE" || kind == "REDUCESCATTER";
        if (isOfData && part == WEIGHT_GRADIENT && sums)
        {
            AssumeOfSum(NormalisedCollective(kind), m_report);
            if (group == "DP_EP")
            {
                m_report.Assume("gradients of experts are summed over all data-parallel workers, "
                                "not only those that share the experts");
            }
            return bytes;
        }
        const bool isOfExperts = group == "EP" || kind == "ALLTOALL" || kind == "ALLREDUCEALLTOALL";
        m_report.LeaveOut(kind + " of " + part,
                          isOfExperts ? "expert parallel, which INCA does not simulate"
                          : kind == "ALLGATHER" && (isOfData || isOfOneGpu)
                              ? "gathers weights, as ZeRO-3 does; INCA gathers them itself "
                                "(training.sharding = \"full\")"
                          : part == WEIGHT_GRADIENT || isNamed
                              ? "no sum of gradients"
                              : "tensor parallel, which INCA does not simulate",
                          bytes);
        return 0;
    }

    void RequireAmong(const std::vector<std::string>& known, const std::string& name)
    {
        if (std::find(known.begin(), known.end(), name) == known.end())
        {
            Doubt("collective", UnknownName(Excerpt(name), known));
        }
    }

    InputPlace At(const std::string& key) const
    {
        return {m_place.file, m_place.line, 0, key};
    }

    /** @throws InputError if @p text is no whole number from 0 to 10^15 */
    std::uint64_t Count(const std::string& key, std::string_view text) const
    {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || value > MOST_COUNT)
        {
            throw InputError(At(key), "must be a whole number from 0 to 10^15, got " + Shown(text));
        }
        return value;
    }

    /** @return picoseconds @throws InputError if @p text is no time, is negative, or longer than 10^6 s */
    std::int64_t Time(const std::string& key, std::string_view text, const std::string& unit) const
    {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const auto ps = value * static_cast<double>(PsOfUnit(unit));
        if (error != std::errc() || end != text.data() + text.size() ||
            !(ps >= 0 && ps <= MOST_TIME_PS))
        {
            throw InputError(
                At(key), "must be a time from 0 to 10^6 s, in " + unit + ", got " + Shown(text));
        }
        return std::llround(ps);
    }

    void Doubt(const std::string& key, const std::string& text)
    {
        m_report.Doubt(At(key).Prefix() + text);
    }

    const ImportOptions& m_options;
    ImportReport& m_report;
    std::string m_unit;
    InputPlace m_place;
    std::istringstream m_lines;
    std::string m_policy;
    std::map<std::string, std::vector<std::string>> m_header; ///< by key
    std::optional<std::uint64_t> m_workers; ///< that exchange gradients; nothing: it does not say
    std::uint64_t m_lineCount{0};
    std::uint64_t m_tensor{0}; ///< GPUs that share a layer; 0: it does not say
};

} // namespace

bool
IsWorkloadText(std::string_view text)
{
    const auto fields = SplitBlanks(text.substr(0, text.find('\n')));
    const auto& policies = WorkloadPolicies();
    return !fields.empty() &&
           std::find(policies.begin(), policies.end(), fields.front()) != policies.end();
}

bool
IsSimAiText(std::string_view text)
{
    const auto line = text.substr(0, text.find('\n'));
    return IsWorkloadText(text) &&
           line.find("HYBRID_TRANSFORMER_FWD_IN_BCKWD") != std::string_view::npos;
}

RecordedTraining
ReadWorkloadText(ByteSource& source, const ImportOptions& options, ImportReport& report)
{
    return WorkloadReader(source, options, report).Read();
}

} // namespace inca
