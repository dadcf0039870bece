/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/validation-directory.h"

#include "base/whole-file.h"
#include "cli/command-line.h"
#include "cli/json-file.h"

#include "inca-version.h"

namespace inca
{

void
WriteValidationDirectory(const std::string& directory,
                         const std::vector<std::string>& command,
                         const std::vector<ValidationReport>& reports)
{
    auto validations = Json::array();
    for (const auto& report : reports)
    {
        validations.push_back(
            {{"name", report.name}, {"title", report.title}, {"tables", report.tables}});
    }
    const Json json{{"inca_version", INCA_VERSION},
                    {"ns3_version", INCA_NS3_VERSION},
                    {"command", ShellLine(command)},
                    {"validations", validations}};
    constexpr int indent = 2;
    const auto text = json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
    WriteWholeFiles({{directory + "/validation.csv", ValidationCsv(reports)},
                     {directory + "/validation.json", text}});
}

void
ReadValidationJson(const std::string& file, ReportData& data)
{
    ReadJsonFile(
        file, "is no validation.json as inca validate writes it", [&data](const Json& json) {
            data.command = json.at("command").get<std::string>();
            for (const auto& validation : json.at("validations"))
            {
                data.validations.push_back({validation.at("name").get<std::string>(),
                                            validation.at("title").get<std::string>(),
                                            validation.at("tables").get<std::string>()});
            }
            data.origins.push_back({"inca", json.at("inca_version").get<std::string>()});
            data.origins.push_back({"ns-3", json.at("ns3_version").get<std::string>()});
        });
}

} // namespace inca
