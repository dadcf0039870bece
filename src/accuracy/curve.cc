/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "accuracy/curve.h"

#include "base/errors.h"
#include "base/input-file.h"
#include "base/units.h"
#include "base/value-form.h"
#include "report/csv-table.h"
#include "trace/csv-fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace inca
{

namespace
{

constexpr std::string_view g_firstLine = "#inca-curve v1";
constexpr std::uint64_t g_mostSteps = 1'000'000'000'000;

/** Notes in which all curves that are compared must be alike. */
constexpr std::array<const char*, 5> g_training{"model", "data", "workers", "batch", "optimizer"};

/** Those that may set systems apart. */
constexpr std::array<const char*, 6> g_options{
    "value_path", "exchange", "codec", "tensors", "average", "error_feedback"};

/** Reads the lines of a file that was read as a whole. */
class CurveReader
{
  public:
    explicit CurveReader(const std::string& path)
    {
        m_curve.path = path;
    }

    Curve Read(const std::string& text)
    {
        const auto table = text.find("\nstep,");
        if (text.substr(0, text.find_first_of("\r\n")) != g_firstLine || table == std::string::npos)
        {
            Refuse(1,
                   fmt::format("is no accuracy curve: begins with '{}', and its table with 'step,'",
                               g_firstLine));
        }
        ReadNotes(text.substr(0, table));
        TakeNotes();
        ReadRows(std::string(m_lines, '\n') +
                 text.substr(table + 1)); // complaints have the file's lines
        return std::move(m_curve);
    }

  private:
    [[noreturn]] void Refuse(unsigned line,
                             const std::string& why,
                             const std::string& key = "") const
    {
        throw InputError({m_curve.path, line, 0, key}, why);
    }

    void ReadNotes(std::string_view text)
    {
        while (!text.empty())
        {
            const auto line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(text.size(), line.size() + 1));
            ++m_lines;
            const auto colon = line.find(':');
            if (line.empty() || line.front() != '#')
            {
                Refuse(m_lines, "a line before the table begins with '#'");
            }
            if (colon != std::string_view::npos)
            {
                const std::string key(Trimmed(line.substr(1, colon - 1)));
                m_curve.notes[key] = Trimmed(line.substr(colon + 1));
                m_lineOf[key] = m_lines;
            }
        }
    }

    const std::string& Note(const std::string& key) const
    {
        const auto found = m_curve.notes.find(key);
        if (found == m_curve.notes.end())
        {
            Refuse(1, fmt::format("lacks the line '# {}: ...'", key));
        }
        return found->second;
    }

    template <class Value>
    Value Parsed(const std::string& key,
                 const ValueForm<Value>& form,
                 const std::string& text) const
    {
        try
        {
            return form.parse(text);
        }
        catch (const UnitError& error)
        {
            Refuse(m_lineOf.at(key), error.what(), key);
        }
    }

    template <class Value>
    Value Parsed(const std::string& key, const ValueForm<Value>& form) const
    {
        return Parsed(key, form, Note(key));
    }

    void TakeNotes()
    {
        constexpr std::uint64_t mostWorkers = 65'536;
        constexpr std::uint64_t mostElements = 1ULL << 38U;
        constexpr std::size_t mostTensors = 1'000'000;
        for (const auto* const key : g_training)
        {
            Note(key);
        }
        const auto yesOrNo = NameForm({"no", "yes"});
        m_curve.workers =
            static_cast<std::uint32_t>(Parsed("workers", WholeForm({0, mostWorkers})));
        m_curve.seed = Parsed("seed", WholeForm({0, ~0ULL}));
        m_curve.valuePath = Note("value_path");
        m_curve.exchange = Note("exchange");
        m_curve.codec = Note("codec");
        m_curve.isLossless = Parsed("lossless", yesOrNo) == "yes";
        m_curve.hasErrorFeedback = Parsed("error_feedback", yesOrNo) == "yes";
        m_curve.averagesBefore = Parsed("average", NameForm({"after", "before"})) == "before";
        std::string_view sizes = Note("tensors");
        while (!sizes.empty() && m_curve.tensors.size() < mostTensors)
        {
            const auto one = sizes.substr(0, sizes.find(' '));
            const auto form = WholeForm({1, mostElements});
            m_curve.tensors.push_back(Parsed("tensors", form, std::string(one)));
            sizes.remove_prefix(std::min(sizes.size(), one.size() + 1));
        }
    }

    void ReadRows(const std::string& text)
    {
        const auto table = ParseCsvTable(m_curve.path, text);
        for (const auto& row : table.rows)
        {
            const auto line = row.line;
            const auto number = [&](const char* column, double least, double most, bool isNeeded) {
                const auto at = table.Find(column);
                const auto& field = at ? row.fields[*at] : std::string();
                const auto value = NumberOf(field);
                if ((!value && (isNeeded || !field.empty())) ||
                    (value && !(*value >= least && *value <= most)))
                {
                    Refuse(line,
                           fmt::format(
                               "needs a number from {:g} to {:g}, got '{}'", least, most, field),
                           column);
                }
                return value;
            };
            constexpr double any = 1e300;
            CurveRow made;
            made.step = static_cast<std::uint64_t>(*number("step", 0, g_mostSteps, true));
            if (row.fields[*table.Find("step")] != std::to_string(made.step))
            {
                Refuse(line, "needs a whole number", "step");
            }
            made.epoch = *number("epoch", 0, g_mostSteps, true);
            made.accuracy = *number("accuracy", 0, 1, true);
            made.loss = number("loss", -any, any, false);
            made.bitsPerValue = number("bits_per_value", 0, 1024, false);
            made.zeroShare = number("zero_share", 0, 1, false);
            if (!m_curve.rows.empty() && made.step <= m_curve.rows.back().step)
            {
                Refuse(line, "needs more steps than the row before", "step");
            }
            m_curve.rows.push_back(made);
        }
        if (m_curve.rows.size() < 2)
        {
            Refuse(m_lines + 1,
                   "needs two rows at least: before the training, and after some steps");
        }
    }

    Curve m_curve;
    unsigned m_lines{0}; ///< before the table
    std::map<std::string, unsigned> m_lineOf;
};

bool
IsCurve(const std::filesystem::path& path)
{
    std::array<char, g_firstLine.size()> begin{};
    std::ifstream(path).read(begin.data(), begin.size());
    return std::string_view(begin.data(), begin.size()) == g_firstLine;
}

void
RequireSameTraining(const Curve& a, const Curve& b)
{
    for (const auto* const key : g_training)
    {
        if (a.notes.at(key) != b.notes.at(key))
        {
            throw InputError(fmt::format("{} and {} are different trainings: {} is '{}' and '{}'",
                                         a.path,
                                         b.path,
                                         key,
                                         a.notes.at(key),
                                         b.notes.at(key)));
        }
    }
}

} // namespace

Curve
ReadCurve(const std::string& path)
{
    constexpr std::size_t most = 64U << 20U;
    return ParseCurve(path, ReadInputFile(path, most, "is no accuracy curve: more than 64 MiB"));
}

Curve
ParseCurve(const std::string& path, const std::string& text)
{
    return CurveReader(path).Read(text);
}

std::string
CurveGroup::Options() const
{
    const bool averagesBefore = First().averagesBefore;
    const bool hasErrorFeedback = First().hasErrorFeedback;
    return std::string(averagesBefore ? "averaged before" : "") +
           (averagesBefore && hasErrorFeedback ? ", " : "") +
           (hasErrorFeedback ? "error feedback" : "");
}

std::vector<CurveGroup>
ReadCurves(const std::string& folder)
{
    namespace fs = std::filesystem;
    std::error_code error;
    std::set<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder, error))
    {
        if (entry.path().extension() == ".csv" && IsCurve(entry.path()))
        {
            files.insert(entry.path());
        }
    }
    if (error || files.empty())
    {
        throw InputError(fmt::format(
            "{}: {}",
            folder,
            error ? error.message()
                  : "holds no accuracy curve, as tools/torch/inca_accuracy.py writes it"));
    }
    std::map<std::vector<std::string>, std::map<std::uint64_t, Curve>> groups;
    std::optional<Curve> first;
    for (const auto& file : files)
    {
        auto curve = ReadCurve(file.string());
        first = first ? first : curve;
        RequireSameTraining(*first, curve);
        std::vector<std::string> options;
        std::transform(g_options.begin(),
                       g_options.end(),
                       std::back_inserter(options),
                       [&](const char* key) { return curve.notes.at(key); });
        const auto [other, isNew] = groups[options].try_emplace(curve.seed, curve);
        if (!isNew)
        {
            throw InputError(fmt::format("{} and {} are the same training with the same seed, {}",
                                         other->second.path,
                                         curve.path,
                                         curve.seed));
        }
    }
    std::vector<CurveGroup> all;
    for (auto& [options, curves] : groups)
    {
        auto& group = all.emplace_back();
        std::uint64_t last = 0;
        for (const auto& [seed, curve] : curves)
        {
            last = std::max(last, curve.rows.back().step);
        }
        for (auto& [seed, curve] : curves)
        {
            const bool isWhole = curve.rows.back().step == last;
            isWhole ? group.seeds.push_back(std::move(curve))
                    : group.unfinished.push_back(curve.path);
        }
    }
    return all;
}

} // namespace inca
