/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_JSON_TEXT_H
#define INCA_RECORD_JSON_TEXT_H

#include <nlohmann/json.hpp>

#include <string>

namespace inca
{

/**
 * @p json as it is written to a file. A path need not be UTF-8; such bytes become the replacement character.
 * @param indent blanks per level; -1: all in one line
 */
template <class Json>
std::string
JsonText(const Json& json, int indent = -1)
{
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace inca

#endif // INCA_RECORD_JSON_TEXT_H
