/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_SWEEP_SPEC_H
#define INCA_SCENARIO_SWEEP_SPEC_H

#include "inca/scenario/toml-document.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** A setting that varies: "key=values" of a whole sweep, or "key=value" of one of its points. */
struct Varied
{
    std::string text;
    std::string origin{"--vary"}; ///< what complaints call it: an option, or a place in a file
};

/** A named variant: several keys that change together. */
struct System
{
    std::string label;
    std::vector<Varied> settings; ///< "key=value" each
    std::string origin;           ///< what complaints call it
};

/** What a sweep varies, as a file or a command line says it. */
struct SweepSpec
{
    std::vector<System> systems;
    std::vector<Varied> zip;  ///< "key=values": the lists move together, and are of one length
    std::vector<Varied> vary; ///< "key=values": every value with every other

    bool Varies() const
    {
        return !systems.empty() || !zip.empty() || !vary.empty();
    }
};

/** "label:key=value,key=value" of --system. @throws InputError if it has another form */
System ParseSystem(const std::string& option);

/** Called with a place and what is wrong there. */
using SweepComplaint = std::function<void(const InputPlace& place, const std::string& text)>;

/** Reads one entry of table [sweep], and tells @p complain what is wrong with its form. */
void ReadSweepEntry(const TomlEntry& entry, SweepSpec& spec, const SweepComplaint& complain);

/**
 * The sweep that a scenario's file brings along, a list of what else stands behind the options:
 *
 *     [sweep]
 *     vary = ["cluster.bandwidth=10Gbps..160Gbps:x2"]
 *     zip = ["cluster.workers=4,8", "cluster.hosts_per_leaf=2,4"]
 *
 *     [[sweep.system]]
 *     label = "ring + inceptionn"
 *     set = ["exchange.algorithm=ring", "codec.name=inceptionn"]
 *
 * A single run takes none of it, and ReadScenario checks its form only.
 * @param fileName what complaints call it
 * @return {} if there is none, or none of that form
 * @throws InputError if @p text is no TOML
 */
SweepSpec ParseSweep(std::string_view text, const std::string& fileName);

/**
 * A file's sweep as a command line changes it: a key that @p options vary, too, takes their values
 * instead, the other keys come last (and so vary fastest); a key that @p settings fix does not vary; zipped
 * lists take the place of the file's, all of them; a system takes the place of one of the same label, or
 * comes last; conditions add up.
 * @param settings "key=value" each, as of --set
 */
SweepSpec JoinSweeps(const SweepSpec& ofFile,
                     const SweepSpec& options,
                     const std::vector<std::string>& settings);

/** What stands before the values, without quotes: "cluster.workers" of "cluster.workers=2,3". */
std::string VariedName(const std::string& text);

} // namespace inca

#endif // INCA_SCENARIO_SWEEP_SPEC_H
