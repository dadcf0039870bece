/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/key-attributes.h"

#include "base/errors.h"
#include "scenario/keys.h"

#include <string>
#include <utility>
#include <vector>

namespace inca
{

EngineSettings
EngineOf(const Scenario& scenario, std::string_view ofClass)
{
    auto own = scenario;
    for (const auto& [path, text] : scenario.attributes)
    {
        const auto* key = FindKeyOfAttribute(path);
        if (key != nullptr && ClassOf(path) == ofClass)
        {
            key->set(own, text);
        }
    }
    return own.engine;
}

void
CheckAttributes(const Scenario& scenario)
{
    std::vector<std::string> complaints;
    for (const auto& [path, text] : scenario.attributes)
    {
        const auto why = AttributeComplaint(path, text);
        if (!why.empty())
        {
            complaints.push_back("attributes.\"" + path + "\": " + why);
        }
    }
    if (!complaints.empty())
    {
        throw InputError(std::move(complaints));
    }
}

} // namespace inca
