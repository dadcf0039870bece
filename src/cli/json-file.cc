/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/json-file.h"

#include "base/errors.h"
#include "base/input-file.h"

namespace inca
{

void
ReadJsonFile(const std::string& file,
             const std::string& otherwise,
             const std::function<void(const Json&)>& take)
{
    constexpr std::size_t most = 1U << 28U;
    const auto text = ReadInputFile(file, most, otherwise + ": more than 256 MiB");
    try
    {
        take(Json::parse(text));
    }
    catch (const Json::exception& error)
    {
        throw InputError(file + ": " + otherwise + ": " + error.what());
    }
}

} // namespace inca
