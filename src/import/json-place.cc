/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/json-place.h"

#include "base/errors.h"
#include "base/printable.h"

namespace inca
{

namespace
{

InputPlace
PlaceOf(const JsonPlace& place, const std::string& member)
{
    const auto where = place.Text();
    const auto whole = where.empty() || member.empty() ? where + member : where + "." + member;
    return {place.file, place.line, 0, whole};
}

} // namespace

std::string
JsonPlace::Text() const
{
    const auto name = Printable(key.substr(0, 40));
    return element ? name + "[" + std::to_string(index) + "]" : name;
}

std::string
JsonPlace::Prefix(const std::string& member) const
{
    return PlaceOf(*this, member).Prefix();
}

void
JsonPlace::Refuse(const std::string& member, const std::string& text) const
{
    throw InputError(PlaceOf(*this, member), text);
}

} // namespace inca
