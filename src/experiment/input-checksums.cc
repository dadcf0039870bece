/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/input-checksums.h"

#include "base/checksum.h"
#include "base/errors.h"
#include "trace/value-source.h"

#include <fstream>
#include <string>

namespace inca
{

namespace
{

std::uint32_t
FileChecksum(const std::string& path)
{
    constexpr std::size_t partBytes = 1U << 20U;
    std::ifstream file(path, std::ios::binary);
    std::vector<char> part(partBytes);
    std::uint32_t checksum = 0;
    while (file.read(part.data(), static_cast<std::streamsize>(part.size())) || file.gcount() > 0)
    {
        checksum = Crc32(part.data(), static_cast<std::size_t>(file.gcount()), checksum);
    }
    if (!file.eof())
    {
        throw InputError(InputPlace{path, 0, 0, ""}, "cannot be read");
    }
    return checksum;
}

} // namespace

std::vector<InputChecksum>
InputChecksums(const Scenario& scenario, const GradientTrace& trace)
{
    std::vector<InputChecksum> inputs;
    if (trace.checksum != 0)
    {
        inputs.push_back({scenario.training.trace, trace.checksum});
    }
    if (!scenario.training.values || scenario.training.valuesFile.empty())
    {
        return inputs;
    }
    for (const auto& path : ValuesFilePaths(scenario.training.valuesFile, scenario.cluster.workers))
    {
        inputs.push_back({path, FileChecksum(path)});
    }
    return inputs;
}

} // namespace inca
