/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_REPEATED_TABLES_H
#define INCA_SCENARIO_REPEATED_TABLES_H

#include "inca/scenario/key.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** What people are told of a key of such a table. */
struct RepeatedKey
{
    std::string name;
    std::string meaning;
    ValueType type;
    std::string values; ///< for people, as Key::values
};

/**
 * Tables of which a scenario has any number: [[cluster.worker]]. One of their keys tells them apart, the *name* of
 * the table; --set writes it into the path: cluster.worker.3.bandwidth.
 */
struct RepeatedTable
{
    std::string name;    ///< "cluster.worker"
    std::string column;  ///< of result rows, that has all of them
    RepeatedKey id;      ///< "index"
    std::string example; ///< of what stands in that column
    std::vector<RepeatedKey> keys{};

    /** Has the table @p id, with its defaults. @return the id as ids has it @throws UnitError at a bad one */
    std::function<std::string(Scenario&, std::string_view id)> add{};
    /** Sets a key of the table @p id, made if it is not there. @throws UnitError */
    std::function<void(Scenario&, std::string_view id, std::string_view key, std::string_view text)>
        set{};
    std::function<std::vector<std::string>(const Scenario&)>
        ids{}; ///< of all that there are, in order
    /** The text of a key of the table at that place in their order. */
    std::function<std::string(const Scenario&, std::size_t place, std::string_view key)> text{};
    /** All that its keys say, but for defaults: "3.bandwidth". */
    std::function<std::vector<ResolvedSetting>(const Scenario&)> settings{};

    /** @return the key of that name, or nothing */
    const RepeatedKey* Find(std::string_view key) const;

    /** Sets what --set calls cluster.worker.3.bandwidth. @param path "3.bandwidth" @throws UnitError */
    void Set(Scenario& scenario, std::string_view path, std::string_view value) const;
};

/** [[cluster.worker]] and [[host.protocol]] */
const std::vector<RepeatedTable>& RepeatedTables();

/** @return the table of that name, or of which @p name is a path; nothing, if there is none */
const RepeatedTable* FindRepeatedTable(std::string_view name);

} // namespace inca

#endif // INCA_SCENARIO_REPEATED_TABLES_H
