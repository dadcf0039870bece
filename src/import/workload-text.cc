/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/workload-text.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "base/units.h"
#include "import/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr std::size_t MOST_BYTES = 64U << 20U;
constexpr std::size_t MOST_LINE_BYTES = 1U << 20U;
constexpr std::size_t FIELDS = 12;
constexpr std::size_t MOST_SHOWN = 40;
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

/** A collective of one of a line's three parts. */
struct Communication
{
    std::string kind;  ///< ALLREDUCE and the like, or NONE
    std::string group; ///< _EP and the like, without its bar; empty: the part's own
    std::uint64_t bytes{0};
};

const std::vector<std::string>&
Kinds()
{
    // a kind that begins as another does stands before it
    static const std::vector<std::string> kinds{"NONE",
                                                "ALLREDUCEALLTOALL",
                                                "ALLREDUCE",
                                                "ALLTOALL",
                                                "ALLGATHER",
                                                "REDUCESCATTER",
                                                "BROADCAST"};
    return kinds;
}

/** One line of a layer. */
struct WorkloadLine
{
    InputPlace place;
    std::string name;
    std::int64_t forwardPs{0};
    std::int64_t inputGradientPs{0};
    std::int64_t weightGradientPs{0};
    std::int64_t updatePs{0};
    std::vector<Communication> communications; ///< of forward, input and weight gradient
    std::uint64_t gradientBytes{0};            ///< that data-parallel workers exchange
};

std::string
Shown(std::string_view text)
{
    return "'" + Printable(text.substr(0, MOST_SHOWN)) + "'";
}

/** The fields of a text that stand between blanks, tabs or a carriage return. */
std::vector<std::string>
SplitBlanks(std::string_view line)
{
    constexpr std::string_view BLANKS = " \t\r";
    std::vector<std::string> fields;
    for (auto begin = line.find_first_not_of(BLANKS); begin != std::string_view::npos;)
    {
        const auto end = line.find_first_of(BLANKS, begin);
        fields.emplace_back(line.substr(begin, end - begin));
        begin = line.find_first_not_of(BLANKS, end);
    }
    return fields;
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
        m_text = source.ReadAll(MOST_BYTES);
    }

    RecordedTraining Read()
    {
        ReadHeader();
        auto lines = ReadLines();
        for (auto& line : lines)
        {
            TakeGradient(line);
        }
        LeaveOutFirstInputGradient(lines);
        m_report.Assume(fmt::format("times are in {}{}",
                                    m_unit,
                                    m_options.timeUnit.empty()
                                        ? ", ASTRA-sim's cycles at its 1 GHz (--time-unit)"
                                        : ", as asked"));
        return TrainingOf(lines);
    }

  private:
    /** @return the next line that is not empty; nothing at the end */
    std::optional<std::vector<std::string>> NextLine()
    {
        while (m_at < m_text.size())
        {
            const auto end = std::min(m_text.find('\n', m_at), m_text.size());
            if (end - m_at > MOST_LINE_BYTES)
            {
                throw InputError(m_place, "the next line has more than 1 MiB");
            }
            auto fields = SplitBlanks(std::string_view(m_text).substr(m_at, end - m_at));
            m_at = end + 1;
            ++m_place.line;
            if (!fields.empty())
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
        CountWorkers();
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

    void CountWorkers()
    {
        const auto all = HeaderCount("all_gpus", 0);
        const auto tensor = HeaderCount("model_parallel_NPU_group", 1);
        const auto pipeline = HeaderCount("pp", 1);
        if (all == 0)
        {
            return;
        }
        const auto others = tensor * pipeline;
        if (others == 0 || all % others != 0)
        {
            Doubt("all_gpus",
                  fmt::format("is no multiple of {} of tensor and {} of pipeline parallelism",
                              tensor,
                              pipeline));
        }
        m_workers = others == 0 ? all : all / others;
    }

    /** Says what the header has that is in no layer's line. */
    void TellOfHeader()
    {
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

    std::vector<WorkloadLine> ReadLines()
    {
        std::vector<WorkloadLine> lines;
        for (auto fields = NextLine(); fields; fields = NextLine())
        {
            lines.push_back(ReadLine(*fields));
        }
        m_report.Read("layer line", lines.size());
        if (lines.size() != m_lineCount)
        {
            Doubt("", fmt::format("line 2 says {} layers, {} follow", m_lineCount, lines.size()));
        }
        return lines;
    }

    WorkloadLine ReadLine(const std::vector<std::string>& fields)
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
        WorkloadLine line;
        line.place = m_place;
        line.name = fields[0];
        if (fields[1] != "-1")
        {
            Doubt("dep",
                  "is reserved and always -1, got '" + Printable(fields[1].substr(0, MOST_SHOWN)) +
                      "'");
        }
        line.forwardPs = Time("forward", fields[2], m_unit);
        line.inputGradientPs = Time("input gradient", fields[5], m_unit);
        line.weightGradientPs = Time("weight gradient", fields[8], m_unit);
        line.updatePs = Time("update", fields[11], m_unit);
        for (const std::size_t at : {3U, 6U, 9U})
        {
            line.communications.push_back(ReadCommunication(fields[at], fields[at + 1]));
        }
        return line;
    }

    Communication ReadCommunication(const std::string& word, const std::string& bytes)
    {
        Communication communication;
        communication.bytes = Count("bytes", bytes);
        for (const auto& kind : Kinds())
        {
            if (word == kind || word.rfind(kind + "_", 0) == 0)
            {
                communication.kind = kind;
                communication.group = word.size() > kind.size() ? word.substr(kind.size() + 1) : "";
                break;
            }
        }
        if (communication.kind.empty())
        {
            Doubt("collective", UnknownName(Printable(word.substr(0, MOST_SHOWN)), Kinds()));
            communication.kind = Printable(word.substr(0, MOST_SHOWN));
        }
        static const std::vector<std::string> groups{"", "TP", "DP", "EP", "DP_EP"};
        if (std::find(groups.begin(), groups.end(), communication.group) == groups.end())
        {
            Doubt("collective",
                  UnknownName(Printable(communication.group.substr(0, MOST_SHOWN)), groups));
        }
        return communication;
    }

    /** Takes the exchanged gradient of a line, and says what is left out. */
    void TakeGradient(WorkloadLine& line)
    {
        const char* const parts[] = {"forward", "input gradient", "weight gradient"};
        for (std::size_t i = 0; i < line.communications.size(); ++i)
        {
            const auto& communication = line.communications[i];
            if (communication.kind == "NONE" || communication.bytes == 0)
            {
                continue;
            }
            if (i == 2 && IsGradient(communication))
            {
                line.gradientBytes = communication.bytes;
                continue;
            }
            m_report.LeaveOut(communication.kind + " of " + parts[i],
                              WhyLeftOut(communication, i),
                              communication.bytes);
        }
    }

    bool IsGradient(const Communication& communication)
    {
        const bool isOfData = communication.group.empty() || communication.group == "DP" ||
                              communication.group == "DP_EP";
        const bool sums =
            communication.kind == "ALLREDUCE" || communication.kind == "REDUCESCATTER";
        if (isOfData && sums)
        {
            AssumeOfSum(NormalisedCollective(communication.kind), m_report);
        }
        if (isOfData && sums && communication.group == "DP_EP")
        {
            m_report.Assume("gradients of experts are summed over all data-parallel workers, not "
                            "only those that share the experts");
        }
        return isOfData && sums;
    }

    std::string WhyLeftOut(const Communication& communication, std::size_t part) const
    {
        if (communication.group == "EP" || communication.kind == "ALLTOALL" ||
            communication.kind == "ALLREDUCEALLTOALL")
        {
            return "expert parallel, which INCA does not simulate";
        }
        if (part == 2)
        {
            return "no sum of gradients";
        }
        return "tensor parallel, which INCA does not simulate";
    }

    void LeaveOutFirstInputGradient(std::vector<WorkloadLine>& lines)
    {
        const bool isAstraSim = m_policy.rfind("HYBRID_TRANSFORMER", 0) != 0 && m_policy != "MICRO";
        if (isAstraSim && !lines.empty() && lines.front().inputGradientPs > 0)
        {
            m_report.LeaveOut("input gradient of the first layer",
                              "nothing needs it, and ASTRA-sim leaves it out");
            lines.front().inputGradientPs = 0;
        }
    }

    RecordedTraining TrainingOf(const std::vector<WorkloadLine>& lines)
    {
        std::vector<RecordedLayer> layers;
        for (const auto& line : lines)
        {
            layers.push_back(
                {line.name,
                 {ElementsOf(line.gradientBytes, line.place.Prefix(), m_options, m_report)},
                 line.forwardPs,
                 AddSaturated(line.inputGradientPs, line.weightGradientPs),
                 line.updatePs});
        }
        auto training = TrainingOfLayers(layers, m_report);
        training.workers = m_workers;
        return training;
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
    std::string m_text;
    std::size_t m_at{0};
    std::string m_policy;
    std::map<std::string, std::vector<std::string>> m_header; ///< by key
    std::optional<std::uint64_t> m_workers; ///< that exchange gradients; nothing: it does not say
    std::uint64_t m_lineCount{0};
};

std::string_view
FirstLine(std::string_view text)
{
    return text.substr(0, std::min(text.find('\n'), text.size()));
}

} // namespace

bool
IsWorkloadText(std::string_view text)
{
    const auto fields = SplitBlanks(FirstLine(text));
    const auto& policies = WorkloadPolicies();
    return !fields.empty() &&
           std::find(policies.begin(), policies.end(), fields.front()) != policies.end();
}

bool
IsSimAiText(std::string_view text)
{
    const auto line = FirstLine(text);
    return IsWorkloadText(text) &&
           line.find("HYBRID_TRANSFORMER_FWD_IN_BCKWD") != std::string_view::npos;
}

RecordedTraining
ReadWorkloadText(ByteSource& source, const ImportOptions& options, ImportReport& report)
{
    return WorkloadReader(source, options, report).Read();
}

} // namespace inca
