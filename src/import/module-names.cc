/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/module-names.h"

#include <algorithm>
#include <tuple>

namespace inca
{

std::string
ModuleOfCall(const std::string& name)
{
    constexpr std::string_view BEGIN = "nn.Module: ";
    constexpr std::size_t MOST_CHARACTERS = 180;
    return name.compare(0, BEGIN.size(), BEGIN) == 0 ? name.substr(BEGIN.size(), MOST_CHARACTERS)
                                                     : "";
}

std::string
ModuleOfHierarchy(const std::string& hierarchy)
{
    constexpr std::size_t MOST_CHARACTERS = 180;
    std::string path;
    for (std::size_t begin = 0; begin < hierarchy.size() && path.size() < MOST_CHARACTERS;)
    {
        const auto type = hierarchy.find('(', begin);
        if (type == std::string::npos)
        {
            break;
        }
        const auto name = hierarchy.substr(begin, type - begin);
        if (name != "TOP" && name != "SELF")
        {
            path += (path.empty() ? "" : ".") + name;
        }
        const auto end = hierarchy.find('.', hierarchy.find(")::", type));
        begin = end == std::string::npos ? hierarchy.size() : end + 1;
    }
    return path;
}

void
NameForwards(TorchRecording& recording, std::vector<ModuleCall> calls)
{
    std::sort(calls.begin(), calls.end(), [](const ModuleCall& a, const ModuleCall& b) {
        return std::tie(a.thread, a.begin, b.end) < std::tie(b.thread, b.begin, a.end);
    });
    std::vector<ForwardOperator*> unnamed;
    for (auto& [sequence, forward] : recording.forwards)
    {
        if (forward.module.empty())
        {
            unnamed.push_back(&forward);
        }
    }
    std::sort(unnamed.begin(), unnamed.end(), [](const auto* a, const auto* b) {
        return std::tie(a->thread, a->begin) < std::tie(b->thread, b->begin);
    });
    std::vector<const ModuleCall*> open; // outermost first
    auto next = calls.cbegin();
    for (auto* forward : unnamed)
    {
        const auto hasBegun = [forward](const ModuleCall& call) {
            return std::tie(call.thread, call.begin) <= std::tie(forward->thread, forward->begin);
        };
        for (; next != calls.cend() && hasBegun(*next); ++next)
        {
            open.push_back(&*next);
        }
        while (!open.empty() &&
               (open.back()->thread != forward->thread || open.back()->end < forward->begin))
        {
            open.pop_back();
        }
        forward->module = open.empty() ? "" : open.back()->name;
    }
}

} // namespace inca
