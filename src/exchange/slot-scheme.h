/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SLOT_SCHEME_H
#define INCA_EXCHANGE_SLOT_SCHEME_H

#include "exchange/aggregation-scheme.h"
#include "exchange/slot-settings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** A pool of slots in every switch, each for one packet of all workers (SwitchML, section 4). */
class SlotScheme : public AggregationScheme
{
  public:
    /**
     * @param copies of every slot: with two, one fills while the other's sum is kept
     * @throws UnitError if a text is no value of its setting
     */
    explicit SlotScheme(const SchemeSpec& spec, std::uint64_t copies = 2);

    ReductionSpec SumSpec() const override;
    std::vector<KeyComplaint> Complaints() const override;
    SumTraffic TrafficOf(const ReductionCounts& sums) const override;
    SumTraffic TrunkTraffic(const ReductionCounts& sums, std::uint64_t below) const override;
    SumChain LongestChain(const ReductionCounts& sums) const override;
    std::uint64_t AddedValuesPerSecond() const override;
    std::uint64_t Slots() const override
    {
        return m_settings.slots;
    }

    std::optional<std::uint64_t> SlotsNeeded(const SummingNetwork& network,
                                             const ReductionCounts& sums) const override;
    std::vector<std::string> WarningsFor(const SummingNetwork& network,
                                         const ReductionCounts& sums) const override;
    std::vector<std::string> WarningsAfter(const SumsSeen& seen) const override;

  private:
    void ComplainOfPackets(std::vector<KeyComplaint>& complaints) const;
    void ComplainOfMemory(std::vector<KeyComplaint>& complaints) const;
    std::uint64_t FrameBytes() const;
    static std::uint64_t EmptyBytes();
    std::uint64_t BytesOf(std::uint64_t full, std::uint64_t empty) const;
    std::uint64_t PerPacket(const ReductionSize& sum) const;
    std::uint64_t PacketsOf(const ReductionSize& sum) const;
    std::uint64_t PacketsOf(const ReductionCounts& sums) const;
    std::uint64_t PrologueOf(const ReductionSize& sum) const;
    SumTraffic TrafficIf(const ReductionSize& sum, std::uint64_t least, std::uint64_t most) const;
    std::int64_t GatherPs(const SummingNetwork& network, const ReductionCounts& sums) const;
    std::int64_t MeanFramePs(const SummingNetwork& network, const ReductionCounts& sums) const;
    bool HasExponents() const;
    std::uint64_t SlotsOf(SumPhase phase) const;
    void ComplainOfSequences(std::vector<KeyComplaint>& complaints) const;

    SchemeSpec m_spec;
    SlotSettings m_settings;
    std::uint64_t m_copies;
};

} // namespace inca

#endif // INCA_EXCHANGE_SLOT_SCHEME_H
