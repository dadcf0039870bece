/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SLOT_SCHEME_H
#define INCA_EXCHANGE_SLOT_SCHEME_H

#include "base/setting.h"
#include "exchange/aggregation-scheme.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** How switches add in a pool of slots, as keys of table [switch] say. */
struct SlotSettings
{
    std::uint64_t slots{128};              ///< of the pool
    std::uint64_t valuesPerPacket{256};    ///< 4 bytes each
    std::uint64_t valuesPerSecond{0};      ///< that one switch adds; 0 = as fast as they come
    std::uint64_t memoryBytes{16U << 20U}; ///< of one switch, for its slots
    std::string adder{"int32"};    ///< a name of AdderNames: int32, int32-saturating or fp32
    std::string scaling{"block"};  ///< int32: block (exponents one packet ahead) or fixed
    std::int64_t fixedExponent{0}; ///< of fixed scaling: no |value| is above 2^this
    std::int64_t timeoutPs{1'000'000'000}; ///< before a packet is sent again
    std::uint64_t doubleAfter{100};        ///< timeouts after which the timeout doubles; 0 = never
};

/** @throws UnitError if a text is no value of its setting */
SlotSettings ReadSlotSettings(const SettingValues& values);

/** The keys of a pool, as SlotProgram and SlotClient read them: all fields of SlotSettings. */
std::vector<Setting> SlotSchemeSettings();

/** A pool of slots in every switch, each for one packet of all workers (SwitchML, section 4). */
class SlotScheme : public AggregationScheme
{
  public:
    /**
     * @param copies of every slot: with two, one fills while the other's sum is kept
     * @throws UnitError if a text is no value of its setting
     */
    explicit SlotScheme(const SchemeSpec& spec, std::uint64_t copies = 2);

    NetworkSumSpec SumSpec() const override;
    std::vector<KeyComplaint> Complaints() const override;
    SumTraffic TrafficOf(const NetworkSums& sums) const override;
    SumChain LongestChain(const NetworkSums& sums, double memory) const override;
    std::uint64_t AddedValuesPerSecond() const override;
    std::optional<std::uint64_t> SlotsNeeded(const SummingNetwork& network,
                                             const NetworkSums& sums) const override;
    std::vector<std::string> WarningsFor(const SummingNetwork& network,
                                         const NetworkSums& sums) const override;
    std::vector<std::string> WarningsAfter(const SumsSeen& seen) const override;

  private:
    void ComplainOfPackets(std::vector<KeyComplaint>& complaints) const;
    void ComplainOfMemory(std::vector<KeyComplaint>& complaints) const;
    std::uint64_t FrameBytes() const;
    std::uint64_t PacketsOf(const NetworkSums& sums) const;
    bool HasExponents() const;

    SchemeSpec m_spec;
    SlotSettings m_settings;
    std::uint64_t m_copies;
};

} // namespace inca

#endif // INCA_EXCHANGE_SLOT_SCHEME_H
