/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_RECORDED_TRAINING_H
#define INCA_IMPORT_RECORDED_TRAINING_H

#include "inca/trace/gradient-trace.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/** The longest time of a record. */
constexpr std::int64_t MOST_RECORDED_PS{1'000'000'000'000'000'000};

/** How often, and how many bytes. */
struct CountedBytes
{
    std::uint64_t count{0};
    std::uint64_t bytes{0};
};

/** A file that was read. */
struct ImportedFile
{
    std::string path;
    std::string format;
    std::uint64_t bytes{0}; ///< unpacked
    bool packed{false};
};

/**
 * What became of the training that the files record. Files are not trusted: of each list, what comes after
 * MOST_LINES different things is counted together.
 */
class ImportReport
{
  public:
    static constexpr std::size_t MOST_LINES{200};

    explicit ImportReport(bool isLenient = false)
        : m_isLenient(isLenient)
    {
    }

    /** Something of a kind was read. */
    void Read(const std::string& kind, std::uint64_t count = 1);

    /**
     * Something is not in the trace.
     * @param why one line: "tensor parallel, which INCA does not simulate" @param bytes of all @p count
     */
    void LeaveOut(const std::string& what,
                  const std::string& why,
                  std::uint64_t bytes = 0,
                  std::uint64_t count = 1);

    /**
     * Something is unknown or contradicts itself.
     * @param text with its place
     * @throws InputError with @p text, but that the import is lenient: then it is a warning
     */
    void Doubt(const std::string& text);

    /** Each is said once. @{ */
    void Check(const std::string& text)
    {
        AddOnce(m_checks, text);
    }

    void Assume(const std::string& text)
    {
        AddOnce(m_assumed, text);
    }

    void Warn(const std::string& text)
    {
        AddOnce(m_warnings, text);
    }

    /** @} */

    /** A line for each thing that is left out. */
    std::vector<std::string> LeftOutLines() const;

    const std::vector<std::string>& Checks() const
    {
        return m_checks;
    }

    const std::vector<std::string>& Assumed() const
    {
        return m_assumed;
    }

    const std::vector<std::string>& Warnings() const
    {
        return m_warnings;
    }

    /** For people: all of it. */
    std::string Text() const;

    std::vector<ImportedFile> files;
    std::string mapped;        ///< what the trace is
    std::uint64_t bytesIn{0};  ///< of gradients in an iteration, as the file's exchanges have them
    std::uint64_t bytesOut{0}; ///< the same in the trace
    std::vector<std::string> sums; ///< lines of a table of the recorded all-reduces

  private:
    using Lines = std::vector<std::string>;

    void AddOnce(Lines& lines, const std::string& text);

    bool m_isLenient;
    std::uint64_t m_unsaid{0}; ///< checks, assumptions and warnings beyond the most
    std::map<std::string, std::uint64_t> m_read;
    std::map<std::pair<std::string, std::string>, CountedBytes> m_leftOut;
    Lines m_checks;
    Lines m_assumed;
    Lines m_warnings;
};

/** A tensor's type. */
struct ElementType
{
    std::string name; ///< fp32, fp16, bf16; of what no trace can have: int64, ...
    std::uint64_t bytes{0};
};

/** @return by any of the names of PyTorch ("Float", "c10::BFloat16", "float32"); nothing if it is none */
std::optional<ElementType> FindElementType(const std::string& name);

/** @return bytes of a value of that type; 0: it is none of fp32, fp16, bf16 */
std::uint64_t BytesOfGradientType(const std::string& type);

/** "ALL_REDUCE", "all_reduce", "allreduce" are "allreduce". */
std::string NormalisedCollective(const std::string& name);

/** @return whether its result is a sum: an all-reduce or reduce-scatter, by its normalised name */
bool IsSum(const std::string& collective);

/** @return whether a sum is no all-reduce */
bool IsScattered(const std::string& collective);

/** Says what a sum of gradients that is no all-reduce is taken for. */
void AssumeOfSum(const std::string& collective, ImportReport& report);

/** @return why a collective is not in the trace */
std::string WhyCollectiveLeftOut(const std::string& collective, std::uint64_t bytes);

/** What a user says of the files, and what they do not. */
struct ImportOptions
{
    std::string format;       ///< a name of ImportFormats(); empty: as the file looks
    bool lenient{false};      ///< what is unknown is a warning, not an error
    std::string timeUnit;     ///< ns, us, ms or s; empty: the format's own
    std::string gradientType; ///< fp32, fp16 or bf16; empty: the file's own
    std::string group;        ///< of the data-parallel workers, as the file names it; empty: found
    std::string model;
    std::optional<std::uint64_t> batch;
};

/** A layer as one iteration was recorded. */
struct RecordedLayer
{
    std::string name;
    std::vector<std::uint64_t> tensors; ///< elements of each gradient, in model order
    std::int64_t forwardPs{0};
    std::int64_t backwardPs{0};
    std::int64_t updatePs{0};

    std::uint64_t Elements() const;
};

/** A sum of gradients as it was recorded. */
struct RecordedSum
{
    std::uint64_t bytes{0};
    std::optional<std::int64_t> ps; ///< that it went on, the median over iterations
};

/** Those of one iteration, in order. */
struct RecordedSums
{
    std::vector<RecordedSum> each; ///< {}: the format has none
    std::size_t iterations{1};     ///< that the times are medians of
    bool scattered{false};         ///< they are reduce-scatters
};

/** What all formats are turned into: one iteration of one worker. */
struct RecordedTraining
{
    std::string model;
    std::string device;
    std::optional<std::uint64_t> workers; ///< data-parallel
    std::string gradientType;             ///< fp32, fp16 or bf16; empty: the file does not say
    std::string valueClass{"derived"};    ///< measured if times were; without any, they are assumed
    std::vector<RecordedLayer> layers;    ///< in model order (input side first)
    std::vector<std::uint64_t> buckets;   ///< elements of each all-reduce, in order; {}: unknown
    RecordedSums sums;
};

/** Picoseconds of one ns, us, ms or s. @throws InputError if @p unit is another */
std::int64_t PsOfUnit(const std::string& unit);

/**
 * How many gradients @p bytes of a layer are, which are added to the report's.
 * @param place of the layer, for complaints
 * @throws InputError if they are no whole values of the type that options name, or of fp32
 */
std::uint64_t ElementsOf(std::uint64_t bytes,
                         const std::string& place,
                         const ImportOptions& options,
                         ImportReport& report);

/**
 * A training whose layers are exchanged one by one, last layer first. Layers that have no gradient of their
 * own join the one before them (else the first that has), whose gradient is ready no earlier than theirs
 * would be; what is joined is said.
 */
RecordedTraining TrainingOfLayers(const std::vector<RecordedLayer>& layers, ImportReport& report);

/**
 * The trace of a training.
 * @param report bytes that went into it, and what was assumed of the type, are written there
 * @throws InputError if there is nothing to exchange, or more than a trace may hold
 */
GradientTrace TraceOf(const RecordedTraining& training,
                      const ImportOptions& options,
                      ImportReport& report);

/** Warns of a record that does not mark iterations, where its sums of gradients, of these sizes, repeat. */
void WarnOfRepeats(const std::vector<std::uint64_t>& sums, ImportReport& report);

/** Sums of gradients, in order, by the groups of workers that they are of. */
class GroupSums
{
  public:
    /** @param file for complaints */
    explicit GroupSums(std::string file)
        : m_file(std::move(file))
    {
    }

    /** @param workers of the group; 0: unknown */
    void Add(const std::string& group,
             std::uint64_t bytes,
             bool isScattered,
             std::uint64_t workers = 0);

    /**
     * The group whose sums are gradients: the one that has any, or that options name.
     * @return empty if there is none
     * @throws InputError if there are several, and options say not which, or one sums the other's parts
     */
    std::string DataParallelGroup(const ImportOptions& options, ImportReport& report) const;

  private:
    struct Group : CountedBytes
    {
        std::uint64_t ofParts{
            0}; ///< how many sum what another group's reduce-scatter has just left
    };

    std::string m_file;
    std::map<std::string, Group> m_groups;
    std::string m_scatteredIn;    ///< the group of the last reduce-scatter
    std::uint64_t m_scattered{0}; ///< its bytes; 0: its parts are summed
    std::uint64_t m_parts{0};     ///< in how many; 0: unknown
};

/**
 * Keeps the iterations that exchange what most of them do, those that come later on a tie; the others are
 * left out, and said to be.
 * @param exchangedBy what an iteration exchanges, comparable; an empty optional: nothing
 */
template <typename Step, typename ExchangedBy>
std::vector<Step>
EqualSteps(const std::vector<Step>& steps, ExchangedBy exchangedBy, ImportReport& report)
{
    using Exchanged = decltype(exchangedBy(steps.front()));
    std::map<Exchanged, std::size_t> counts;
    Exchanged most;
    for (const auto& step : steps)
    {
        const auto exchanged = exchangedBy(step);
        const auto count = exchanged ? ++counts[exchanged] : 0;
        most = exchanged && count >= counts[most] ? exchanged : most;
    }
    std::vector<Step> equal;
    for (const auto& step : steps)
    {
        if (most && exchangedBy(step) == most)
        {
            equal.push_back(step);
        }
        else
        {
            report.LeaveOut("iteration", "exchanges something else than the others, or nothing");
        }
    }
    return equal;
}

/** @return the middle one, of an even number the lower of the two; of none 0 */
std::int64_t MedianOf(std::vector<std::int64_t> values);

/** @return the median of what @p get takes from each of @p steps, at least one */
template <typename Step, typename Get>
std::int64_t
MedianOver(const std::vector<Step>& steps, Get get)
{
    std::vector<std::int64_t> values;
    for (const auto& step : steps)
    {
        values.push_back(get(step));
    }
    return MedianOf(std::move(values));
}

/** Shares @p total out by @p weights (evenly if all are 0), so that the parts add up to it. */
std::vector<std::int64_t> SharedOut(std::int64_t total, const std::vector<std::uint64_t>& weights);

} // namespace inca

#endif // INCA_IMPORT_RECORDED_TRAINING_H
