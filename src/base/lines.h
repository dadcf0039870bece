/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_LINES_H
#define INCA_BASE_LINES_H

#include <sstream>
#include <string>
#include <vector>

namespace inca
{

/** The lines of @p text, without their ends; one behind the last end is none. */
inline std::vector<std::string>
Lines(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

} // namespace inca

#endif // INCA_BASE_LINES_H
