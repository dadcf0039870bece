/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SLOT_SCHEME_H
#define INCA_EXCHANGE_SLOT_SCHEME_H

#include "inca/exchange/aggregation-scheme.h"
#include "inca/exchange/slot-format.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace inca
{

/** Reads what the keys of table [switch] say. @throws UnitError if a text is no value of its setting */
SlotFormat ReadSlotFormat(const SettingValues& values);

/** The keys of a pool, as SlotProgram and SlotClient read them. */
std::vector<Setting> SlotSchemeSettings();

/**
 * A pool of slots in every switch, each for one packet of all workers (SwitchML, section 4).
 * @param copies of every slot: with two, one fills while the other's sum is kept
 * @param reduction what switches make of fp32 values; empty: what switch.adder and switch.scaling say
 * @throws UnitError if a text is no value of its setting
 */
std::unique_ptr<AggregationScheme> MakeSlotScheme(const SchemeSpec& spec,
                                                  std::uint64_t copies = 2,
                                                  std::optional<NetworkReduction> reduction = {});

} // namespace inca

#endif // INCA_EXCHANGE_SLOT_SCHEME_H
