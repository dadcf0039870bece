/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/input-checksums.h"

#include "base/input-file.h"
#include "trace/value-source.h"

#include <boost/crc.hpp>

#include <string>

namespace inca
{

std::uint32_t
FileChecksum(const std::string& path)
{
    constexpr std::size_t partBytes = 1U << 20U;
    InputFile file(path);
    std::string part(partBytes, '\0');
    boost::crc_32_type checksum;
    while (const auto got = file.Read(part.data(), part.size()))
    {
        checksum.process_bytes(part.data(), got);
    }
    return checksum.checksum();
}

std::vector<InputChecksum>
ValuesChecksums(const Scenario& scenario)
{
    std::vector<InputChecksum> files;
    if (!scenario.training.values || scenario.training.valuesFile.empty())
    {
        return files;
    }
    for (const auto& path : ValuesFilePaths(scenario.training.valuesFile, scenario.cluster.workers))
    {
        files.push_back({path, FileChecksum(path)});
    }
    return files;
}

std::vector<InputChecksum>
InputChecksums(const Scenario& scenario, const GradientTrace& trace)
{
    std::vector<InputChecksum> inputs;
    if (trace.checksum != 0)
    {
        inputs.push_back({scenario.training.trace, trace.checksum});
    }
    const auto values = ValuesChecksums(scenario);
    inputs.insert(inputs.end(), values.begin(), values.end());
    return inputs;
}

} // namespace inca
