/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_JSON_FILE_H
#define INCA_CLI_JSON_FILE_H

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace inca
{

/** Objects keep the order of their members. */
using Json = nlohmann::ordered_json;

/**
 * Reads a file of INCA's own.
 * @param otherwise said of a file that is not JSON, or lacks what @p take asks for: "is no run.json ..."
 * @throws InputError naming the file
 */
void ReadJsonFile(const std::string& file,
                  const std::string& otherwise,
                  const std::function<void(const Json&)>& take);

} // namespace inca

#endif // INCA_CLI_JSON_FILE_H
