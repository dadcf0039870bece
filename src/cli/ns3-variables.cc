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
struct Ns3Variable
{
    const char* name;
    bool hidden;
};

/** Written once, before any other code runs. */
std::array g_variables{Ns3Variable{"NS_ATTRIBUTE_DEFAULT", false},
                       Ns3Variable{"NS_GLOBAL_VALUE", false},
#ifndef NS3_LOG_ENABLE // a build that can log does so, as every program of ns-3's; no result changes
                       Ns3Variable{"NS_LOG", false},
#endif
                       Ns3Variable{"NS_COMMANDLINE_INTROSPECTION", false}};

/** @return whether @p entry is "name=..." */
bool
Sets(const char* entry, const char* name)
{
    const auto length = std::strlen(name);
    return std::strncmp(entry, name, length) == 0 && entry[length] == '=';
}

bool
Hide(const char* entry)
{
    for (auto& variable : g_variables)
    {
        if (Sets(entry, variable.name))
        {
            variable.hidden = true;
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
    for (const auto& variable : g_variables)
    {
        if (variable.hidden)
        {
            names += (names.empty() ? "" : ", ") + std::string(variable.name);
        }
    }
    return names.empty()
               ? ""
               : names + ": ignored; a scenario's table [attributes] sets attributes of ns-3";
}

} // namespace inca
