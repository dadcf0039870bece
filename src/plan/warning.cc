/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/warning.h"

#include <algorithm>
#include <utility>

namespace inca
{

std::vector<std::string>
TextsOf(Warnings warnings)
{
    std::stable_sort(warnings.begin(), warnings.end(), [](const Warning& a, const Warning& b) {
        return a.topic < b.topic;
    });
    std::vector<std::string> texts;
    for (auto& warning : warnings)
    {
        texts.push_back(std::move(warning.text));
    }
    return texts;
}

} // namespace inca
