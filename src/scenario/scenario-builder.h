/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_SCENARIO_BUILDER_H
#define INCA_SCENARIO_SCENARIO_BUILDER_H

#include "base/errors.h"
#include "scenario/checks.h"
#include "scenario/keys.h"
#include "scenario/loaded-scenario.h"
#include "scenario/toml-document.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/**
 * Builds a scenario from entries and settings, and keeps what is wrong with them: takes all that the
 * user set, reads attributes as the keys that set them, then checks the whole, and says which keys
 * cannot matter.
 */
class ScenarioBuilder
{
  public:
    explicit ScenarioBuilder(std::string fileName);

    /** Takes one entry of the file. */
    void Take(const TomlEntry& entry);

    /** Takes one "key=value" of --set, --vary or a file's sweep: @p option is what complaints call it. */
    void Take(const std::string& setting, const std::string& option);

    /** @return complaints of all that was wrong, and all that is wrong with the whole */
    LoadedScenario Finish();

  private:
    /** Where a key was set, for complaints about the whole. */
    struct Origin
    {
        InputPlace value; ///< where its value stands
        InputPlace name;  ///< where its name stands
    };

    void Complain(const InputPlace& place, const std::string& text);
    void Refuse(const std::string& name);
    bool IsRefused(const std::string& name) const;
    InputPlace PlaceOf(const TextPlace& place, const std::string& key) const;
    Origin OriginOf(const TomlEntry& entry) const;

    void TakeEntry(const TomlEntry& entry);
    void TakeKey(const Key& key, const TomlEntry& entry);
    void SetValue(const Key& key, const std::string& text);
    void TakeAttribute(const TomlEntry& entry);
    void TakeSweep(const TomlEntry& entry);
    void TakeWorkers(const TomlEntry& entry);
    void TakeWorker(const std::vector<TomlEntry>& table, const TextPlace& place);
    void TakeWorkerValue(const std::string& index, const TomlEntry& entry);
    void SetAttribute(const std::string& path, const std::string& text);
    void RequireOneOption(const std::string& name, const std::string& option);
    void ApplySetting(const std::string& name, const std::string& text);
    std::string OriginText(const std::string& name) const;
    void Resolve();
    void FindFile(const char* key, std::string& path, const std::string& file);
    void FindFiles();
    void CheckWhole();
    void ComplainOfWhole(const KeyComplaint& complaint);
    void WarnIfIdle(const std::string& name,
                    const std::string& reason,
                    LoadedScenario& loaded) const;
    void Warn(LoadedScenario& loaded) const;

    std::string m_fileName;
    Scenario m_scenario;
    std::map<std::string, Origin> m_origins;      ///< by dotted name
    std::set<std::string> m_workers;              ///< indices that the file set
    std::map<std::string, std::string> m_options; ///< what set a name beside the file
    std::set<std::string> m_refused; ///< names that have a complaint, or were meant by one
    std::vector<std::string> m_complaints;
    std::vector<std::string> m_ambiguous; ///< keys whose files are in two places
};

} // namespace inca

#endif // INCA_SCENARIO_SCENARIO_BUILDER_H
