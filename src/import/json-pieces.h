/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_JSON_PIECES_H
#define INCA_IMPORT_JSON_PIECES_H

#include "inca/import/byte-source.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** Its numbers have the 64 bits that times since 1970 need to be exact to the nanosecond. */
using Json = nlohmann::
    basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t, long double>;

/** Where a piece of a JSON file stands, and what it is. */
struct JsonPlace
{
    std::string file;
    unsigned line{0};       ///< on which the piece ends, from 1
    std::string key;        ///< the member of the file's object that it is, or is an element of
    std::uint64_t index{0}; ///< of an element of an array, from 0
    bool element{false};    ///< it is an element

    /** "x.json:3: traceEvents[17].cat: ", before a complaint */
    std::string Prefix(const std::string& member) const;

    /** @throws InputError that says so of this place */
    [[noreturn]] void Refuse(const std::string& member, const std::string& text) const;
};

using JsonPieceUser = std::function<void(const JsonPlace& place, const Json& piece)>;

/**
 * Reads a JSON file piece by piece, so that only one of them is in memory: of an object, its members are
 * the pieces, but for arrays, of which every element is one; of an array, its elements are.
 *
 * Files are not trusted: at most 64 levels, 16 MiB per text or number, a million values per piece, a hundred
 * thousand members.
 * @throws InputError naming file, line and what is wrong; Interrupted
 */
void ReadJsonPieces(ByteSource& source, const JsonPieceUser& use);

/** A member of @p object, or null if it has none. */
const Json* FindMember(const Json& object, const char* key);

/** The same where it is a text; else empty. */
std::string TextMember(const Json& object, const char* key);

/** A text or number in up to 40 characters, or what else it is. */
std::string ShortText(const Json& value);

/** Of a member that is an array, the first element, or null if there is none. */
const Json* FirstOfMember(const Json& object, const char* key);

/** @return a number from 0 on; nothing if there is no such member @throws InputError if it is none */
std::optional<std::uint64_t> CountMember(const JsonPlace& place,
                                         const Json& object,
                                         const char* key);

/** The same with a sign. */
std::optional<std::int64_t> IntegerMember(const JsonPlace& place,
                                          const Json& object,
                                          const char* key);

/**
 * A time in us.
 * @return ns; nothing if there is no such member
 * @throws InputError if it is no finite number, or is beyond what can be counted
 */
std::optional<std::int64_t> TimeMember(const JsonPlace& place, const Json& object, const char* key);

} // namespace inca

#endif // INCA_IMPORT_JSON_PIECES_H
