/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_SUPPORT_PLAYED_H
#define INCA_TEST_SUPPORT_PLAYED_H

#include <sstream>
#include <string>

namespace inca
{

/**
 * Runs what a test's row says: "command = result; command; ...".
 * @param run takes the words of a command, and returns its result: "" for none
 * @return the script with the results that there were
 */
template <typename Run>
std::string
Played(const std::string& script, const Run& run)
{
    std::string played;
    std::istringstream steps(script);
    for (std::string step; std::getline(steps >> std::ws, step, ';');)
    {
        const auto command = step.substr(0, step.find(" ="));
        std::istringstream words(command);
        const std::string result = run(words);
        played += (played.empty() ? "" : "; ") + command + (result.empty() ? "" : " = ") + result;
    }
    return played;
}

} // namespace inca

#endif // INCA_TEST_SUPPORT_PLAYED_H
