/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/run-record.h"

namespace inca
{

std::string
RunRecord::Setting(const std::string& column) const
{
    for (const auto& cell : settings)
    {
        if (cell.name == column)
        {
            return cell.text;
        }
    }
    return "";
}

std::vector<std::string>
AllWarnings(const RunRecord& record)
{
    auto all = record.idle;
    all.insert(all.end(), record.warnings.begin(), record.warnings.end());
    return all;
}

} // namespace inca
