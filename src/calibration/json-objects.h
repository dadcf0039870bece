/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CALIBRATION_JSON_OBJECTS_H
#define INCA_CALIBRATION_JSON_OBJECTS_H

#include "inca/calibration/log-tables.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <string_view>

namespace inca
{

/** One of the objects of a text. */
struct JsonObject
{
    const nlohmann::json& members;
    std::uint64_t line; ///< on which it begins
    bool isWhole; ///< else members are those up to the last whole element of an array; null: none
};

using JsonUser = std::function<void(const JsonObject& object)>;

/**
 * Hands over the objects that begin on a line of their own; what stands between them is passed over.
 * @param tables for complaints
 * @throws InputError if one is broken, or has more than four million values
 */
void ForEachJsonObject(std::string_view text, const LogTables& tables, const JsonUser& use);

/** @return what is at the end of a path such as "/end/sum_received/bytes"; @p otherwise if there is no such value */
template <typename Value>
Value
ValueAt(const nlohmann::json& object, const std::string& path, const Value& otherwise = {})
{
    try
    {
        return object.value(nlohmann::json::json_pointer(path), otherwise);
    }
    catch (const nlohmann::json::exception&) // it is of another type
    {
        return otherwise;
    }
}

/** The same of a whole number; 0 if there is none, 2^60 if it is larger. */
std::uint64_t CountAt(const nlohmann::json& object, const std::string& path);

} // namespace inca

#endif // INCA_CALIBRATION_JSON_OBJECTS_H
