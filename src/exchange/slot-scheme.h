/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SLOT_SCHEME_H
#define INCA_EXCHANGE_SLOT_SCHEME_H

#include "base/wire-format.h"
#include "exchange/aggregation-scheme.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** How switches add in a pool of slots: the keys of table [switch]. */
struct SlotSettings
{
    std::uint64_t slots{128};              ///< of the pool
    std::uint64_t valuesPerPacket{256};    ///< as many bytes each as the adder says
    std::uint64_t valuesPerSecond{0};      ///< that one switch adds; 0 = as fast as they come
    std::uint64_t memoryBytes{16U << 20U}; ///< of one switch, for its slots
    std::string adder{"int32"};            ///< a name of AdderNames
    std::string scaling{"block"};  ///< integers: block (exponents one packet ahead) or fixed
    std::int64_t fixedExponent{0}; ///< of fixed scaling: no |value| is above 2^this
    std::int64_t timeoutPs{1'000'000'000}; ///< before a packet is sent again
    std::uint64_t doubleAfter{100};        ///< timeouts after which the timeout doubles; 0 = never
    std::uint64_t headerBytes{AGGREGATION_HEADER_BYTES}; ///< of a packet, behind Ethernet's
};

/** @throws UnitError if a text is no value of its setting */
SlotSettings ReadSlotSettings(const SettingValues& values);

/** The keys of a pool, as SlotProgram and SlotClient read them: all fields of SlotSettings. */
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
