/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_IMPORT_REPORT_H
#define INCA_IMPORT_IMPORT_REPORT_H

#include <cstdint>
#include <map>
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
 * What became of all that the files say: nothing is dropped without a word here. Files are not trusted: of
 * each list, what comes after MOST_LINES different things is counted together.
 */
class ImportReport
{
  public:
    static constexpr std::size_t MOST_LINES{200};

    explicit ImportReport(bool lenient = false)
        : m_lenient(lenient)
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

    /**
     * A record of a kind that the format does not have, as far as INCA knows it.
     * @param prefix its place: "x.json:3: traceEvents[17].cat: "
     * @param kind what @p name is: "category of an event"
     * @param known names that are, for a hint
     * @throws InputError that says so, but that the import is lenient: then it is counted, and left out
     */
    void Unknown(const std::string& prefix,
                 const std::string& kind,
                 const std::string& name,
                 const std::vector<std::string>& known);

    /** Each is said once. @{ */
    void Check(const std::string& text);
    void Assume(const std::string& text);
    void Warn(const std::string& text);
    /** @} */

    void AddFile(ImportedFile file)
    {
        m_files.push_back(std::move(file));
    }

    void SetBytes(std::uint64_t in, std::uint64_t out)
    {
        m_bytesIn = in;
        m_bytesOut = out;
    }

    /** Gradient bytes of one iteration: as the file's exchanges have them, and in the trace. @{ */
    std::uint64_t BytesIn() const
    {
        return m_bytesIn;
    }

    std::uint64_t BytesOut() const
    {
        return m_bytesOut;
    }
    /** @} */

    void SetMapped(std::string text)
    {
        m_mapped = std::move(text);
    }

    /** Lines of a table of the recorded all-reduces. */
    void SetSums(std::vector<std::string> lines)
    {
        m_sums = std::move(lines);
    }

    const std::vector<ImportedFile>& Files() const
    {
        return m_files;
    }

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

    /** A line for each thing that is left out. */
    std::vector<std::string> LeftOutLines() const;

    /** A line for each kind of unknown record that a lenient import went past. */
    std::vector<std::string> UnknownLines() const;

    /** For people: all of it. */
    std::string Text() const;

  private:
    using Lines = std::vector<std::string>;

    /** How often something unknown occurs, and where it does first. */
    struct UnknownCount
    {
        std::uint64_t count{0};
        std::string first;
    };

    void AddOnce(Lines& lines, const std::string& text);

    bool m_lenient;
    std::uint64_t m_unsaid{0}; ///< checks, assumptions and warnings beyond the most
    std::vector<ImportedFile> m_files;
    std::map<std::string, std::uint64_t> m_read;
    std::map<std::pair<std::string, std::string>, CountedBytes> m_leftOut;
    std::map<std::pair<std::string, std::string>, UnknownCount> m_unknown; ///< by kind and name
    std::string m_mapped;
    std::uint64_t m_bytesIn{0};
    std::uint64_t m_bytesOut{0};
    std::vector<std::string> m_sums;
    std::vector<std::string> m_checks;
    std::vector<std::string> m_assumed;
    std::vector<std::string> m_warnings;
};

} // namespace inca

#endif // INCA_IMPORT_IMPORT_REPORT_H
