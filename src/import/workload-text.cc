/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/workload-text.h"

#include "base/printable.h"
#include "base/units.h"
#include "import/collective-name.h"
#include "import/field-text.h"
#include "import/workload-header.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace inca
{

namespace
{

constexpr std::size_t MOST_BYTES = 64U << 20U;
constexpr std::size_t MOST_LINE_BYTES = 1U << 20U;
constexpr std::size_t FIELDS = 12;
constexpr std::size_t MOST_SHOWN = 60;

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
        const auto words = NextLine().value_or(std::vector<std::string>());
        m_header = ReadWorkloadHeader(words, m_place, m_report);
        const auto count = NextLine();
        if (!count || count->size() != 1)
        {
            throw InputError(m_place, "the second line must be the number of layers");
        }
        m_lineCount = ParseCount(AtKey(m_place, "number of layers"), count->front());
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
        const auto wanted = FIELDS + (m_header.policy == "HYBRID_CUSTOMIZED" ? 1 : 0);
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
                  "is reserved and always -1, got '" + Printable(fields[1].substr(0, 40)) + "'");
        }
        line.forwardPs = ParseTime(AtKey(m_place, "forward"), fields[2], m_unit);
        line.inputGradientPs = ParseTime(AtKey(m_place, "input gradient"), fields[5], m_unit);
        line.weightGradientPs = ParseTime(AtKey(m_place, "weight gradient"), fields[8], m_unit);
        line.updatePs = ParseTime(AtKey(m_place, "update"), fields[11], m_unit);
        for (const std::size_t at : {3U, 6U, 9U})
        {
            line.communications.push_back(ReadCommunication(fields[at], fields[at + 1]));
        }
        if (wanted > FIELDS && !IsWorkloadPolicy(fields[FIELDS]))
        {
            Unknown("policy", "policy of a layer", fields[FIELDS], WorkloadPolicies());
        }
        return line;
    }

    Communication ReadCommunication(const std::string& word, const std::string& bytes)
    {
        Communication communication;
        communication.bytes = ParseCount(AtKey(m_place, "bytes"), bytes);
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
            Unknown("collective", "collective of a workload", word, Kinds());
            communication.kind = Printable(word.substr(0, MOST_SHOWN));
        }
        static const std::vector<std::string> groups{"", "TP", "DP", "EP", "DP_EP"};
        if (std::find(groups.begin(), groups.end(), communication.group) == groups.end())
        {
            Unknown("collective", "group of a collective", communication.group, groups);
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
        const bool isAstraSim =
            m_header.policy.rfind("HYBRID_TRANSFORMER", 0) != 0 && m_header.policy != "MICRO";
        if (isAstraSim && !lines.empty() && lines.front().inputGradientPs > 0)
        {
            m_report.LeaveOut("input gradient of the first layer",
                              "nothing needs it, and ASTRA-sim leaves it out");
            lines.front().inputGradientPs = 0;
        }
    }

    RecordedTraining TrainingOf(const std::vector<WorkloadLine>& lines)
    {
        RecordedTraining training;
        training.workers = m_header.workers;
        const auto type = m_options.gradientType.empty() ? "fp32" : m_options.gradientType;
        const auto bytesPerElement = BytesOfGradientType(type);
        std::vector<RecordedLayer> layers;
        std::uint64_t bytesIn = 0;
        for (const auto& line : lines)
        {
            bytesIn += line.gradientBytes;
            if (line.gradientBytes % bytesPerElement != 0)
            {
                throw InputError(line.place,
                                 fmt::format("{} bytes are no whole {} values (--gradient-type)",
                                             line.gradientBytes,
                                             type));
            }
            layers.push_back({line.name,
                              {line.gradientBytes / bytesPerElement},
                              line.forwardPs,
                              AddSaturated(line.inputGradientPs, line.weightGradientPs),
                              line.updatePs});
        }
        training.layers = WithGradients(layers, m_report);
        training.buckets = ExchangesOf(training.layers);
        m_report.SetBytes(bytesIn, 0);
        return training;
    }

    void Unknown(const std::string& key,
                 const std::string& kind,
                 const std::string& name,
                 const std::vector<std::string>& known)
    {
        m_report.Unknown(AtKey(m_place, key).Prefix(), kind, name, known);
    }

    void Doubt(const std::string& key, const std::string& text)
    {
        m_report.Doubt(AtKey(m_place, key).Prefix() + text);
    }

    const ImportOptions& m_options;
    ImportReport& m_report;
    std::string m_unit;
    InputPlace m_place;
    std::string m_text;
    std::size_t m_at{0};
    WorkloadHeader m_header;
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
    return !fields.empty() && IsWorkloadPolicy(fields.front());
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
