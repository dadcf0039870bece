/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/one-copy-scheme.h"

#include "inca/exchange/slot-scheme.h"

#include <string>

namespace inca
{

namespace
{

/** "inca::OneCopyProgram::Slots" of "inca::SlotProgram::Slots"; a client's attribute as it is. */
std::string
OwnAttribute(const std::string& path)
{
    const std::string slotProgram("inca::SlotProgram::");
    return path.rfind(slotProgram, 0) == 0
               ? "inca::OneCopyProgram::" + path.substr(slotProgram.size())
               : path;
}

} // namespace

std::vector<Setting>
OneCopySettings()
{
    std::vector<Setting> settings;
    for (auto setting : SlotSchemeSettings())
    {
        if (setting.key == "switch.adder" || setting.key == "switch.adder_rate")
        {
            continue;
        }
        for (auto& path : setting.attributes.paths)
        {
            path = OwnAttribute(path);
        }
        settings.push_back(setting);
    }
    return settings;
}

std::unique_ptr<AggregationScheme>
MakeOneCopyScheme(const SchemeSpec& spec)
{
    return MakeSlotScheme(spec, 1);
}

} // namespace inca
