/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/beside-scenario.h"

#include <filesystem>
#include <system_error>

namespace inca
{

FilePlace
PlaceOfFile(const std::string& file, const std::string& scenarioFile)
{
    namespace fs = std::filesystem;
    std::error_code none;
    const auto beside = Beside(file, scenarioFile);
    if (beside == file || !fs::exists(beside, none))
    {
        return FilePlace::HERE;
    }
    if (!fs::exists(file, none))
    {
        return FilePlace::BESIDE;
    }
    return fs::equivalent(file, beside, none) ? FilePlace::HERE : FilePlace::BOTH;
}

std::string
Beside(const std::string& path, const std::string& scenarioFile)
{
    return (std::filesystem::path(scenarioFile).parent_path() / path).string();
}

} // namespace inca
