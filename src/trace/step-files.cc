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
#include <regex>
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

std::optional<std::uint64_t>
NumberOf(const std::string& text)
{
    std::uint64_t number = 0;
    const auto* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && rest == end ? std::optional(number) : std::nullopt;
}

/** The files below @p folder of which @p pattern, with a group for each of @p places, says the path. */
std::vector<NumberedFile>
FilesBelow(const std::string& folder,
           std::ptrdiff_t depth,
           const std::regex& pattern,
           const std::vector<Place>& places)
{
    constexpr auto options = fs::directory_options::skip_permission_denied |
                             fs::directory_options::follow_directory_symlink;
    const std::string from = folder.empty() ? "./" : folder;
    std::vector<NumberedFile> files;
    std::error_code error;
    for (fs::recursive_directory_iterator at(from, options, error), end; !error && at != end;
         at.increment(error))
    {
        NumberedFile file{folder + at->path().string().substr(from.size()), {}};
        std::smatch found;
        bool fits = at.depth() == depth && std::regex_match(file.path, found, pattern);
        for (std::size_t i = 0; fits && i < places.size(); ++i)
        {
            auto& number = file.numbers[places[i]];
            number = NumberOf(found.str(i + 1));
            fits = number.has_value();
        }
        if (fits)
        {
            files.push_back(std::move(file));
        }
        if (at.depth() == depth)
        {
            at.disable_recursion_pending();
        }
    }
    std::sort(
        files.begin(), files.end(), [](const auto& x, const auto& y) { return x.path < y.path; });
    return files;
}

/** @throws InputError if a placeholder stands twice, or there is no file with numbers in their places */
std::vector<NumberedFile>
FilesOf(const std::string& path)
{
    static const std::regex placeholder(R"(\{(step|worker)\})");
    static const std::regex special(R"([^A-Za-z0-9])");
    std::vector<Place> places; // by group of the pattern
    std::string pattern;
    std::string wanted; // "a number for {step} and {worker}", as far as the path has them
    auto rest = path.cbegin();
    for (std::sregex_iterator at(path.begin(), path.end(), placeholder), end; at != end; ++at)
    {
        const auto place = at->str(1) == g_names[STEP] ? STEP : WORKER;
        if (std::count(places.begin(), places.end(), place) > 0)
        {
            Refuse(path, at->str() + " stands there twice");
        }
        places.push_back(place);
        wanted += (wanted.empty() ? "a number for " : " and ") + at->str();
        pattern += std::regex_replace(std::string(rest, (*at)[0].first), special, R"(\$&)");
        pattern += "([0-9]+)";
        rest = (*at)[0].second;
    }
    if (places.empty())
    {
        return {{path, {}}};
    }
    pattern += std::regex_replace(std::string(rest, path.cend()), special, R"(\$&)");
    const auto folder = path.substr(0, path.rfind('/', path.find('{')) + 1); // npos + 1 is 0
    const auto below = path.begin() + static_cast<std::ptrdiff_t>(folder.size());
    auto files =
        FilesBelow(folder, std::count(below, path.end(), '/'), std::regex(pattern), places);
    if (files.empty())
    {
        Refuse(path, "no file is there with " + wanted);
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
    const auto number = NumberOf(found->second);
    if (!number)
    {
        Refuse(path, "its metadata has a '" + key + "' that is no whole number");
    }
    return number;
}

/** All files of one step. */
struct Step
{
    std::map<std::uint64_t, std::string> files;                     ///< by worker
    std::optional<std::pair<std::uint64_t, std::string>> workers{}; ///< as a file tells, and which
};

void
AddFile(const NumberedFile& file, Step& step)
{
    for (const auto& [worker, path] : step.files)
    {
        std::error_code error;
        if (fs::equivalent(path, file.path, error))
        {
            Refuse(file.path, "is given twice for one step, as " + path);
        }
    }
    const auto worker = file.numbers[WORKER].value_or(step.files.size());
    const auto [other, isNew] = step.files.emplace(worker, file.path);
    if (!isNew)
    {
        Refuse(file.path,
               "is of the same step and worker, " + std::to_string(worker) + ", as " +
                   other->second);
    }
}

/** @return the files of all workers @throws InputError if one is missing */
std::vector<std::string>
PathsOf(const Step& step, const std::string& title)
{
    std::vector<std::string> paths;
    for (const auto& [worker, path] : step.files)
    {
        if (worker != paths.size())
        {
            Refuse(path,
                   title + ": is of worker " + std::to_string(worker) + ", and worker " +
                       std::to_string(paths.size()) + " is missing");
        }
        paths.push_back(path);
    }
    if (step.workers && step.workers->first != paths.size())
    {
        Refuse(step.workers->second,
               title + ": says that there are " + std::to_string(step.workers->first) +
                   " workers; " + std::to_string(paths.size()) +
                   " of them given: name all, or put {worker} into the path");
    }
    return paths;
}

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
            auto& step = steps[file.numbers[STEP]];
            AddFile(file, step);
            if (workers)
            {
                step.workers = {*workers, file.path};
            }
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
        found.back().paths = PathsOf(files, found.back().Title());
    }
    return found;
}

} // namespace inca
