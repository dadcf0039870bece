/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/step-files.h"

#include "base/errors.h"
#include "trace/safetensors.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

namespace inca
{

namespace
{

namespace fs = std::filesystem;

/** What a path may have a number for, and metadata a text. */
enum Place
{
    STEP,
    WORKER,
};

constexpr std::array<const char*, 2> g_names{"step", "worker"};

using Numbers = std::array<std::optional<std::uint64_t>, 2>;

/** A file, and what is known of it. */
struct NumberedFile
{
    std::string path;
    Numbers numbers;
};

[[noreturn]] void
Refuse(const std::string& path, const std::string& text)
{
    throw InputError({path, 0, 0, ""}, text);
}

std::string
PlaceholderOf(std::size_t place)
{
    return std::string("{") + g_names[place] + "}";
}

std::optional<std::uint64_t>
NumberAt(const std::string& text, std::size_t begin, std::size_t end)
{
    std::uint64_t number = 0;
    const auto* const last = text.data() + end;
    const auto [rest, error] = std::from_chars(text.data() + begin, last, number);
    return error == std::errc{} && rest == last ? std::optional(number) : std::nullopt;
}

/** @return the first placeholder of @p pattern from @p at on, and where it stands */
std::pair<std::size_t, std::size_t>
NextPlaceholder(const std::string& pattern, std::size_t at)
{
    std::pair<std::size_t, std::size_t> next{g_names.size(), std::string::npos};
    for (std::size_t place = 0; place < g_names.size(); ++place)
    {
        if (const auto found = pattern.find(PlaceholderOf(place), at); found < next.second)
        {
            next = {place, found};
        }
    }
    return next;
}

/** @return the numbers that @p name has where @p pattern has placeholders; nothing if it does not fit */
std::optional<Numbers>
MatchName(const std::string& pattern, const std::string& name)
{
    Numbers numbers;
    std::size_t inPattern = 0;
    std::size_t inName = 0;
    for (;;)
    {
        const auto [place, at] = NextPlaceholder(pattern, inPattern);
        const auto text = pattern.substr(inPattern, at - inPattern);
        if (name.compare(inName, text.size(), text) != 0)
        {
            return std::nullopt;
        }
        inName += text.size();
        if (at == std::string::npos)
        {
            return inName == name.size() ? std::optional(numbers) : std::nullopt;
        }
        const auto end = std::min(name.find_first_not_of("0123456789", inName), name.size());
        numbers[place] = NumberAt(name, inName, end);
        if (!numbers[place])
        {
            return std::nullopt;
        }
        inName = end;
        inPattern = at + PlaceholderOf(place).size();
    }
}

/** What the folder @p folder holds ("" is the working directory); nothing if it cannot be read. */
std::vector<std::string>
NamesIn(const fs::path& folder)
{
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end;
         at.increment(error))
    {
        names.push_back(at->path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

/** Appends all files that @p pattern stands for, from its component @p at on. */
void
Expand(const fs::path& base,
       fs::path::iterator at,
       const fs::path::iterator& end,
       const Numbers& numbers,
       std::vector<NumberedFile>& files)
{
    if (at == end)
    {
        files.push_back({base.string(), numbers});
        return;
    }
    const auto component = at->string();
    ++at;
    if (NextPlaceholder(component, 0).second == std::string::npos)
    {
        Expand(base / component, at, end, numbers, files);
        return;
    }
    for (const auto& name : NamesIn(base))
    {
        if (const auto found = MatchName(component, name))
        {
            auto all = numbers;
            for (std::size_t place = 0; place < all.size(); ++place)
            {
                all[place] = (*found)[place] ? (*found)[place] : all[place];
            }
            Expand(base / name, at, end, all, files);
        }
    }
}

/** @throws InputError unless each placeholder stands at most once */
void
CheckPattern(const std::string& pattern)
{
    for (std::size_t place = 0; place < g_names.size(); ++place)
    {
        const auto text = PlaceholderOf(place);
        if (pattern.find(text) != pattern.rfind(text))
        {
            Refuse(pattern, text + " stands there twice");
        }
    }
}

/** @return "a number for {step} and {worker}", as far as @p pattern has them */
std::string
PlaceholdersOf(const std::string& pattern)
{
    std::string text;
    for (std::size_t place = 0; place < g_names.size(); ++place)
    {
        if (const auto name = PlaceholderOf(place); pattern.find(name) != std::string::npos)
        {
            text += (text.empty() ? "a number for " : " and ") + name;
        }
    }
    return text;
}

std::vector<NumberedFile>
FilesOf(const std::string& path)
{
    CheckPattern(path);
    if (NextPlaceholder(path, 0).second == std::string::npos)
    {
        return {{path, {}}};
    }
    std::vector<NumberedFile> files;
    const fs::path pattern(path);
    Expand({}, pattern.begin(), pattern.end(), {}, files);
    std::error_code error;
    const auto isNone = [&error](const auto& file) { return !fs::exists(file.path, error); };
    files.erase(std::remove_if(files.begin(), files.end(), isNone), files.end());
    if (files.empty())
    {
        Refuse(path, "no file is there with " + PlaceholdersOf(path));
    }
    return files;
}

/** @return the number of that key, if the file has one */
std::optional<std::uint64_t>
MetadataNumber(const SafetensorsFile& file, const std::string& path, const std::string& key)
{
    const auto found = file.Metadata().find(key);
    if (found == file.Metadata().end())
    {
        return std::nullopt;
    }
    const auto number = NumberAt(found->second, 0, found->second.size());
    if (!number)
    {
        Refuse(path, "its metadata has a '" + key + "' that is no whole number");
    }
    return number;
}

/** All files of one step. */
class Step
{
  public:
    void Add(const NumberedFile& file, std::optional<std::uint64_t> saidWorkers)
    {
        for (const auto& [worker, path] : m_files)
        {
            std::error_code error;
            if (fs::equivalent(path, file.path, error))
            {
                Refuse(file.path, "is given twice for one step, as " + path);
            }
        }
        const auto worker = file.numbers[WORKER].value_or(m_files.size());
        const auto [other, isNew] = m_files.emplace(worker, file.path);
        if (!isNew)
        {
            Refuse(file.path,
                   "is of the same step and worker, " + std::to_string(worker) + ", as " +
                       other->second);
        }
        if (saidWorkers)
        {
            m_said = {*saidWorkers, file.path};
        }
    }

    /** @throws InputError if a worker is missing */
    std::vector<std::string> Paths(const std::string& title) const
    {
        std::vector<std::string> paths;
        for (const auto& [worker, path] : m_files)
        {
            if (worker != paths.size())
            {
                Refuse(path,
                       title + ": is of worker " + std::to_string(worker) + ", and worker " +
                           std::to_string(paths.size()) + " is missing");
            }
            paths.push_back(path);
        }
        if (m_said && m_said->first != paths.size())
        {
            Refuse(m_said->second,
                   title + ": says that there are " + std::to_string(m_said->first) + " workers; " +
                       std::to_string(paths.size()) +
                       " of them given: name all, or put {worker} into the path");
        }
        return paths;
    }

  private:
    std::map<std::uint64_t, std::string> m_files; ///< by worker
    std::optional<std::pair<std::uint64_t, std::string>> m_said;
};

/** Fills in what the file says of itself. @return the number of workers that it tells */
std::optional<std::uint64_t>
ReadNumbers(NumberedFile& file)
{
    const SafetensorsFile content(file.path);
    for (std::size_t place = 0; place < g_names.size(); ++place)
    {
        auto& number = file.numbers[place];
        const auto said = MetadataNumber(content, file.path, g_names[place]);
        if (number && said && *number != *said)
        {
            Refuse(file.path,
                   "is of " + std::string(g_names[place]) + " " + std::to_string(*number) +
                       " by its name, and of " + std::to_string(*said) + " by its metadata");
        }
        number = number ? number : said;
    }
    return MetadataNumber(content, file.path, "workers");
}

} // namespace

std::string
StepFiles::Title() const
{
    return step ? "step " + std::to_string(*step) : "values";
}

std::vector<StepFiles>
FindStepFiles(const std::vector<std::string>& paths)
{
    std::map<std::optional<std::uint64_t>, Step> steps;
    std::string unknown; // a file that tells no step
    for (const auto& path : paths)
    {
        for (auto& file : FilesOf(path))
        {
            const auto workers = ReadNumbers(file);
            unknown = file.numbers[STEP] ? unknown : file.path;
            steps[file.numbers[STEP]].Add(file, workers);
        }
    }
    if (!unknown.empty() && steps.size() > 1)
    {
        Refuse(unknown, "tells no step, as others do; put {step} into its path");
    }
    std::vector<StepFiles> found;
    for (const auto& [step, files] : steps)
    {
        found.push_back({step, {}});
        found.back().paths = files.Paths(found.back().Title());
    }
    return found;
}

} // namespace inca
