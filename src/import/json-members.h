/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_JSON_MEMBERS_H
#define INCA_IMPORT_JSON_MEMBERS_H

#include "import/json-place.h"

#include <cstdint>
#include <optional>
#include <string>

namespace inca
{

/** A member of @p object, or null if it has none. */
const Json* FindMember(const Json& object, const char* key);

/** The same where it is a text; else empty. */
std::string TextMember(const Json& object, const char* key);

/** @return a number from 0 on; nothing if there is no such member @throws InputError if it is none */
std::optional<std::uint64_t> CountMember(const JsonPlace& place,
                                         const Json& object,
                                         const char* key);

/** The same with a sign. */
std::optional<std::int64_t> IntegerMember(const JsonPlace& place,
                                          const Json& object,
                                          const char* key);

/**
 * A time, exact to its thousandth.
 * @param scale of the unit: 1000 for us to ns
 * @return nothing if there is no such member
 * @throws InputError if it is no finite number, or is beyond what can be counted
 */
std::optional<std::int64_t> TimeMember(const JsonPlace& place,
                                       const Json& object,
                                       const char* key,
                                       double scale);

} // namespace inca

#endif // INCA_IMPORT_JSON_MEMBERS_H
