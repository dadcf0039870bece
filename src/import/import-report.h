/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_IMPORT_REPORT_H
#define INCA_IMPORT_IMPORT_REPORT_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

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

} // namespace inca

#endif // INCA_IMPORT_IMPORT_REPORT_H
