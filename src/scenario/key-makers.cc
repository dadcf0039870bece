/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/key-makers.h"

#include "base/units.h"

#include <utility>

namespace inca
{

Key
OrName(Key key,
       std::string name,
       std::function<void(Scenario&)> setNamed,
       std::function<bool(const Scenario&)> isNamed)
{
    const auto orNamed = [isNamed, name](auto given) {
        return [=](const Scenario& s) { return isNamed(s) ? name : given(s); };
    };
    key.values += ", or \"" + name + "\"";
    key.text = orNamed(key.text);
    key.columnText = orNamed(key.columnText);
    key.set = [=, given = key.set](Scenario& s, std::string_view text) {
        if (text == name)
        {
            setNamed(s);
            return;
        }
        try
        {
            given(s, text);
        }
        catch (const UnitError& error)
        {
            throw UnitError(std::string(error.what()) + "; it may also be \"" + name + "\"");
        }
    };
    return key;
}

Key
IdleWhen(std::function<std::string(const Scenario&)> reason, Key key)
{
    key.idle = std::move(reason);
    return key;
}

Key
Sets(std::vector<std::string> paths, const AttributeForm& form, Key key)
{
    key.attributes = {
        std::move(paths),
        [form, text = key.text](const Scenario& s) { return form.fromKey(text(s)); },
        [form](const Scenario& /*s*/, std::string_view text) { return form.toKey(text); }};
    return key;
}

std::vector<Key>
JoinKeys(const std::vector<std::vector<Key>>& tables)
{
    std::vector<Key> all;
    for (const auto& table : tables)
    {
        all.insert(all.end(), table.begin(), table.end());
    }
    return all;
}

} // namespace inca
