/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/ns3-variables.h"

#include "inca-main.h"

#include <array>
#include <cstddef>
#include <cstring>

namespace inca
{

namespace
{

/** Variables that ns-3's libraries read, before main for the most part. */
constexpr std::array g_names{"NS_ATTRIBUTE_DEFAULT=",
                             "NS_GLOBAL_VALUE=",
#ifndef NS3_LOG_ENABLE // a build that can log does so, as every program of ns-3's; no result changes
                             "NS_LOG=",
#endif
                             "NS_COMMANDLINE_INTROSPECTION="};

/** Which of them were set. Written once, before any other code runs. */
std::array<bool, g_names.size()> g_hidden{};

bool
Hide(const char* entry)
{
    for (std::size_t i = 0; i < g_names.size(); ++i)
    {
        if (std::strncmp(entry, g_names[i], std::strlen(g_names[i])) == 0)
        {
            g_hidden[i] = true;
            return true;
        }
    }
    return false;
}

} // namespace

void
HideNs3Variables(int /*argc*/, char** /*argv*/, char** environment)
{
    auto** kept = environment;
    for (auto** entry = environment; *entry != nullptr; ++entry)
    {
        if (!Hide(*entry))
        {
            *kept++ = *entry;
        }
    }
    *kept = nullptr;
}

std::string
HiddenNs3Variables()
{
    std::string names;
    for (std::size_t i = 0; i < g_names.size(); ++i)
    {
        const std::string name(g_names[i], std::strlen(g_names[i]) - 1);
        names += g_hidden[i] ? (names.empty() ? "" : ", ") + name : "";
    }
    return names.empty()
               ? ""
               : names + ": ignored; a scenario's table [attributes] sets attributes of ns-3";
}

} // namespace inca
