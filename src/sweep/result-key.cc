/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/result-key.h"

#include "experiment/input-checksums.h"
#include "record/csv-text.h"
#include "scenario/keys.h"
#include "trace/gradient-trace.h"

#include "inca-version.h"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <system_error>

#include <dlfcn.h>

namespace inca
{

namespace
{

/** Of the program, or of the library that has this: the program is called as its user has called it, from elsewhere by now. */
std::string
OwnFile()
{
    const std::string program = "/proc/self/exe";
    Dl_info info{};
    std::error_code error;
    const bool isLibrary = ::dladdr(reinterpret_cast<void*>(&OwnFile), &info) != 0 &&
                           std::filesystem::path(info.dli_fname).is_absolute() &&
                           !std::filesystem::equivalent(info.dli_fname, program, error);
    return isLibrary ? info.dli_fname : program;
}

/** Tells one build of INCA from another of the same version: the CRC-32 of its file. */
const std::string&
BuildChecksum()
{
    static const std::string checksum = ChecksumText(FileChecksum(OwnFile()));
    return checksum;
}

/** What it holds, whatever it is called. */
std::string
TraceText(const Scenario& scenario)
{
    const auto& trace = scenario.training.readTrace;
    if (trace == nullptr)
    {
        return scenario.training.trace;
    }
    return trace->checksum != 0 ? "crc32 " + ChecksumText(trace->checksum)
                                : fmt::format("tensor of {} elements", trace->Elements());
}

std::string
ValuesText(const std::vector<InputChecksum>& files)
{
    std::string text;
    for (const auto& file : files)
    {
        text += (text.empty() ? "crc32 " : " ") + ChecksumText(file.crc32);
    }
    return text;
}

} // namespace

const std::vector<InputChecksum>&
ResultInputs::Values(const Scenario& scenario)
{
    const auto& training = scenario.training;
    const std::pair named(training.values ? training.valuesFile : std::string(),
                          scenario.cluster.workers);
    const auto known = m_values.find(named);
    return known != m_values.end()
               ? known->second
               : m_values.emplace(named, ValuesChecksums(scenario)).first->second;
}

std::vector<std::string>
ResultInputs::Of(const Scenario& scenario)
{
    std::vector<std::string> lines{
        fmt::format("inca={} build {}", INCA_VERSION, BuildChecksum()),
        fmt::format("ns3={}", INCA_NS3_VERSION),
    };
    for (const auto& setting : ResolvedSettings(scenario))
    {
        const auto name = setting.table + "." + setting.key;
        const auto text = name == "training.trace"         ? TraceText(scenario)
                          : name == "training.values_file" ? ValuesText(Values(scenario))
                                                           : setting.text;
        lines.push_back(name + "=" + text);
    }
    return lines;
}

std::string
ResultKey(const std::vector<std::string>& inputs)
{
    static const boost::uuids::name_generator_sha1 name(boost::uuids::ns::oid());
    return boost::uuids::to_string(name(fmt::format("{}", fmt::join(inputs, "\n"))));
}

} // namespace inca
