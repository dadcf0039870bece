/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_JSON_RECORDS_H
#define INCA_IMPORT_JSON_RECORDS_H

#include "import/byte-source.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace inca
{

using Json = nlohmann::json;

/** Where a piece of a JSON file stands, and what it is. */
struct JsonPlace
{
    std::string file;
    unsigned line{0};       ///< on which the piece ends, from 1
    std::string key;        ///< the member of the file's object that it is, or is an element of
    std::uint64_t index{0}; ///< of an element of an array, or of one of several objects, from 0
    bool element{false};    ///< it is an element

    /** "traceEvents[17]", for complaints */
    std::string Text() const;

    /** @throws InputError that says so of this place */
    [[noreturn]] void Refuse(const std::string& key, const std::string& text) const;
};

/**
 * Takes a JSON file piece by piece, so that only one of them is in memory. Numbers with a point or an
 * exponent are texts in it, as the file writes them.
 */
using JsonPieceUser = std::function<void(const JsonPlace& place, Json& piece)>;

/**
 * Reads a JSON file of one object, whose members are the pieces but for arrays, of which every element
 * is one; of one array, whose elements are the pieces; or of several objects one after the other, each
 * of which is a piece.
 *
 * Files are not trusted: at most 64 levels, 16 MiB per text or number, a million values per piece.
 * @param severalObjects the file is the last of these
 * @throws InputError naming file, line and what is wrong; Interrupted
 */
void ReadJsonPieces(ByteSource& source, bool severalObjects, const JsonPieceUser& use);

/** The kinds of JSON file that are told apart by what their beginning has. */
struct JsonSign
{
    bool isArray{false};           ///< of the whole file
    std::vector<std::string> keys; ///< of the first object, as far as the text goes
};

/** @return what stands at the beginning of @p text; nothing if that is no JSON */
std::optional<JsonSign> SignOfJson(std::string_view text);

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

#endif // INCA_IMPORT_JSON_RECORDS_H
