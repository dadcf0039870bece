/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_JSON_PLACE_H
#define INCA_IMPORT_JSON_PLACE_H

#include <nlohmann/json.hpp>

#include <cstdint>
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

    /** "x.json:3: traceEvents[17].cat: ", before a complaint */
    std::string Prefix(const std::string& key) const;

    /** @throws InputError that says so of this place */
    [[noreturn]] void Refuse(const std::string& key, const std::string& text) const;
};

} // namespace inca

#endif // INCA_IMPORT_JSON_PLACE_H
