/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/explanation-json.h"

#include "record/json-text.h"

#include <nlohmann/json.hpp>

namespace inca
{

std::string
ExplanationJson(const RunRecord& record)
{
    using Json = nlohmann::ordered_json;
    constexpr double psOfSecond = 1e12;
    const auto& results = record.results;
    const auto inIteration = [&results](double ps) {
        return ps / psOfSecond / results.measuredIterations;
    };
    Json path = Json::array();
    std::int64_t totalPs = 0;
    for (const auto& row : record.path)
    {
        totalPs += row.ps;
        path.push_back(
            {{"kind", row.kind}, {"place", row.place}, {"ps", row.ps}, {"pieces", row.pieces}});
    }
    Json keys = Json::array();
    for (const auto& effect : record.effects)
    {
        Json key{{"key", effect.key},
                 {"is_setting", effect.isSetting},
                 {"value", effect.value},
                 {"unit", effect.unit},
                 {"path_ps", effect.ps}};
        if (effect.isLinear)
        {
            key["seconds_per_unit"] = effect.SecondsPerUnit() / results.measuredIterations;
            key["saves_s"] = inIteration(effect.SavesPs(BETTER));
        }
        if (effect.savedPs)
        {
            key["simulated_saves_s"] = *effect.savedPs / psOfSecond;
        }
        if (effect.holdsUntil)
        {
            key["holds_until"] = *effect.holdsUntil;
            key["path_changes_within_step"] = effect.isOffAtOnce;
        }
        keys.push_back(std::move(key));
    }
    const Json all{{"iteration_time_s", static_cast<double>(results.iterationTimePs) / psOfSecond},
                   {"measured_iterations", results.measuredIterations},
                   {"exact", results.exact},
                   {"limited_by", results.limitedBy},
                   {"communication_limited_by", results.communicationLimitedBy},
                   {"path_ps", totalPs},
                   {"path", std::move(path)},
                   {"keys", std::move(keys)}};
    return JsonText(all) + "\n";
}

} // namespace inca
