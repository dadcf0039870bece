/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_JSON_SIGN_H
#define INCA_IMPORT_JSON_SIGN_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** The kinds of JSON file that are told apart by what their beginning has. */
struct JsonSign
{
    bool isArray{false};           ///< of the whole file
    std::vector<std::string> keys; ///< of the first object, as far as the text goes
};

/** @return what stands at the beginning of @p text; nothing if that is no JSON */
std::optional<JsonSign> SignOfJson(std::string_view text);

} // namespace inca

#endif // INCA_IMPORT_JSON_SIGN_H
