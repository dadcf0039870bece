/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/key-row.h"

#include "scenario/specs.h"

#include <utility>

namespace inca
{

Key
WithColumn(Key key, std::function<std::string(const Scenario&)> columnText)
{
    key.columnText = std::move(columnText);
    return key;
}

KeyAttributes
AttributesOf(const SettingAttributes& attributes,
             const std::function<std::string(const Scenario&)>& text)
{
    const auto& form = attributes.form;
    return {attributes.paths,
            [form, text](const Scenario& s) { return form.fromKey(text(s)); },
            [form](const Scenario& /*s*/, std::string_view given) { return form.toKey(given); }};
}

std::string
Unless(bool matters, std::string reason)
{
    return matters ? std::string() : std::move(reason);
}

std::string
WhyNoMessages(const Scenario& s)
{
    return Unless(!ReducesInNetwork(s),
                  "with " + s.exchange.algorithm + " nothing travels but what switches add");
}

/** Without values, zeros show in what a codec makes of them. */
std::string
WhyNoZeros(const Scenario& s)
{
    return Unless(s.training.values || HasSketch(s) || s.codec.name == "inceptionn",
                  "only sizes travel, and codec.name = \"" + s.codec.name +
                      "\" makes nothing of zeros");
}

} // namespace inca
