/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/json-members.h"

#include "base/printable.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace inca
{

namespace
{

std::string
Shortened(const Json& value)
{
    return Printable(value.is_string() ? value.get<std::string>().substr(0, 40)
                                       : std::string(value.type_name()));
}

} // namespace

const Json*
FindMember(const Json& object, const char* key)
{
    if (!object.is_object())
    {
        return nullptr;
    }
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
}

std::string
TextMember(const Json& object, const char* key)
{
    const auto* member = FindMember(object, key);
    return member != nullptr && member->is_string() ? member->get<std::string>() : "";
}

std::optional<std::int64_t>
IntegerMember(const JsonPlace& place, const Json& object, const char* key)
{
    const auto* member = FindMember(object, key);
    if (member == nullptr || member->is_null())
    {
        return std::nullopt;
    }
    if (member->is_number_integer() &&
        (!member->is_number_unsigned() || member->get<std::uint64_t>() <= INT64_MAX))
    {
        return member->get<std::int64_t>();
    }
    if (member->is_string()) // protobuf's JSON has 64-bit integers in quotes
    {
        const auto& text = member->get_ref<const std::string&>();
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc() && end == text.data() + text.size())
        {
            return value;
        }
    }
    place.Refuse(key, "must be a whole number, got '" + Shortened(*member) + "'");
}

std::optional<std::uint64_t>
CountMember(const JsonPlace& place, const Json& object, const char* key)
{
    const auto value = IntegerMember(place, object, key);
    if (value && *value < 0)
    {
        place.Refuse(key, "must be from 0 on, got " + std::to_string(*value));
    }
    return value ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

std::optional<std::int64_t>
TimeMember(const JsonPlace& place, const Json& object, const char* key, double scale)
{
    const auto* member = FindMember(object, key);
    if (member == nullptr || member->is_null())
    {
        return std::nullopt;
    }
    auto value = std::numeric_limits<long double>::quiet_NaN(); // whose 64 bits count ns since 1970
    if (member->is_number_unsigned())
    {
        value = static_cast<long double>(member->get<std::uint64_t>());
    }
    else if (member->is_number())
    {
        value = static_cast<long double>(member->get<std::int64_t>());
    }
    else if (member->is_string())
    {
        const auto& text = member->get_ref<const std::string&>();
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size())
        {
            value = std::numeric_limits<long double>::quiet_NaN();
        }
    }
    value *= scale;
    if (!(std::abs(value) < 4e18L))
    {
        place.Refuse(key, "must be a time, got '" + Shortened(*member) + "'");
    }
    return std::llround(value);
}

} // namespace inca
