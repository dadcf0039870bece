/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_CLUSTER_PRESET_H
#define INCA_SCENARIO_CLUSTER_PRESET_H

#include "inca/scenario/scenario.h"
#include "inca/scenario/toml-document.h"

#include <functional>
#include <string>
#include <string_view>

namespace inca
{

/** The table of a cluster's preset that says how far its constants are to be trusted; its other tables are a scenario's. */
constexpr std::string_view CALIBRATION_TABLE{"calibration"};

/**
 * Takes an entry of that table; those that are for people alone are passed over.
 * @param complain called with what is wrong, and where
 */
void TakeCalibration(const TomlEntry& entry,
                     CalibratedRange& range,
                     const std::function<void(const InputPlace&, const std::string&)>& complain);

/** The table as TOML that reads back to the same. */
std::string FormatCalibration(const CalibratedRange& range);

} // namespace inca

#endif // INCA_SCENARIO_CLUSTER_PRESET_H
