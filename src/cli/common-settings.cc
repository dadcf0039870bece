/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/common-settings.h"

#include <algorithm>

namespace inca
{

namespace
{

using Texts = std::vector<std::string>;

bool
Has(const Texts& texts, const std::string& text)
{
    return std::find(texts.begin(), texts.end(), text) != texts.end();
}

/** Takes those out of @p texts that @p others have, or those that they have not. */
void
Remove(Texts& texts, const Texts& others, bool thatTheyHave)
{
    texts.erase(
        std::remove_if(texts.begin(),
                       texts.end(),
                       [&](const std::string& text) { return Has(others, text) == thatTheyHave; }),
        texts.end());
}

} // namespace

void
CommonSettings::Add(const StoredPoint& point)
{
    const auto [found, isNew] = m_places.emplace(point.label, m_systems.size());
    if (isNew)
    {
        m_systems.push_back({point.label, point.arguments});
    }
    Remove(m_systems[found->second].settings, point.arguments, false);
}

std::vector<ReportSystem>
CommonSettings::Systems() const
{
    if (m_systems.size() < 2)
    {
        return {};
    }
    auto ofAll = m_systems.front().settings;
    for (const auto& system : m_systems)
    {
        Remove(ofAll, system.settings, false);
    }
    auto systems = m_systems;
    for (auto& system : systems)
    {
        Remove(system.settings, ofAll, true);
    }
    return systems;
}

} // namespace inca
