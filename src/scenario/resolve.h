/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_RESOLVE_H
#define INCA_SCENARIO_RESOLVE_H

#include "scenario/keys.h"
#include "scenario/scenario.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** What is wrong with one of [attributes]. */
struct AttributeComplaint
{
    std::string path;
    std::string text; ///< names the key that the attribute sets
};

/** @return how complaints call what the user set @p key with; empty: it was not set */
using KeyOrigin = std::function<std::string(const Key& key)>;

/** @return how complaints call an attribute */
using AttributeName = std::function<std::string(const std::string& path)>;

/**
 * Reads every attribute of [attributes] that a key sets as that key, and takes it out of the list: what
 * is left is ns-3's business. An attribute must not say anything else than its key, where that was set,
 * nor than another attribute of the same key; but those that may be set apart (KeyAttributes::apart) are
 * left where they are, unless they say the same for all.
 * @return {} if all could be read
 */
std::vector<AttributeComplaint> ReadAttributesAsKeys(Scenario& scenario,
                                                     const KeyOrigin& originOf,
                                                     const AttributeName& nameOf);

/**
 * The same for a scenario that no reader has resolved: a key counts as set if it is not its default. A
 * resolved scenario stays as it is.
 * @throws InputError with all complaints at once
 */
Scenario Resolved(Scenario scenario);

/**
 * The engines of one direction, of a resolved scenario: what [engine] says, and attributes of @p ofClass.
 * @param ofClass "inca::CompressionEngine" or "inca::DecompressionEngine"
 */
EngineSettings EngineOf(const Scenario& scenario, std::string_view ofClass);

} // namespace inca

#endif // INCA_SCENARIO_RESOLVE_H
