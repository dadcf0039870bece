/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXCHANGE_SLOT_NETWORK_H
#define INCA_TEST_EXCHANGE_SLOT_NETWORK_H

#include "base/random.h"
#include "exchange/slot-pool.h"
#include "exchange/slot-worker.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/** How a network treats frames. */
struct SlotNetworkSpec
{
    SlotJob job;
    std::uint32_t levels{1}; ///< of switches
    std::uint32_t fanout{2}; ///< switches below a switch, at most
    double dropShare{0};
    double copyShare{0}; ///< frames that arrive twice
    SlotPatience patience{};

    std::string Text() const;
};

/**
 * Everything drawn: 2..16 workers, 1..3 levels, 1..8 slots, 0..4 values, up to 10 % dropped; 1..4
 * streams of scaled values, integers and bits, or of sizes alone.
 */
SlotNetworkSpec DrawSlotNetwork(std::uint64_t seed);

/** As DrawSlotNetwork, with streams of which workers get, or have, a part each. */
SlotNetworkSpec DrawSharedNetwork(std::uint64_t seed);

/** A switch of the network, and what became of all that it got. */
struct SlotSwitch
{
    std::unique_ptr<SlotPool> pool;
    std::size_t parent{0};    ///< a switch; the root is its own
    std::uint32_t child{0};   ///< its number at the parent
    bool aboveWorkers{false}; ///< its children are workers
    std::vector<std::size_t> children;
    std::map<SlotOutcome, std::uint64_t> outcomes{};
    std::uint64_t in{0};
};

/**
 * Workers and switches without a clock: of all frames under way any arrives next (so they overtake
 * each other), or is lost, or arrives and stays under way; workers send again when they feel like
 * it. Time is the count of arrivals, and goes on to a timeout where nothing else can happen.
 */
class SlotNetwork
{
  public:
    explicit SlotNetwork(const SlotNetworkSpec& spec);

    /** @return whether all workers ended; what is under way then arrives still */
    bool Run();

    const std::vector<SlotWorker>& Workers() const
    {
        return m_workers;
    }

    const std::vector<SlotSwitch>& Switches() const
    {
        return m_switches;
    }

    /** At any time: sent + copied = arrived + dropped + under way. */
    struct Frames
    {
        std::uint64_t sent{0};
        std::uint64_t copied{0};
        std::uint64_t arrived{0};
        std::uint64_t dropped{0};
    };

    const Frames& FrameCounts() const
    {
        return m_counts;
    }

  private:
    struct Frame
    {
        bool toWorker;
        bool up; ///< a contribution
        std::size_t target;
        SlotPacket packet;
    };

    void AddSwitches(std::size_t self, ElementRange workers, std::uint32_t levels);
    void AddWorkers(std::size_t self, ElementRange workers);
    bool Below(double share);
    std::size_t Pick(std::size_t count);
    bool AllDone() const;
    void Tick();
    void ActAt(std::size_t worker);
    void WaitForTimeout();
    void SendReady(std::size_t worker);
    void Send(Frame frame);
    void MoveAny();
    void Arrive(const Frame& frame);
    void ArriveAtSwitch(const Frame& frame);
    void SendUp(const SlotSwitch& from, std::uint64_t number);
    void SendDown(const SlotSwitch& from, std::uint64_t number, std::size_t childNumber);
    void SendToAll(const SlotSwitch& from, std::uint64_t number);

    SlotNetworkSpec m_spec;
    RandomStream m_random;
    std::vector<SlotSwitch> m_switches;
    std::vector<SlotWorker> m_workers;
    std::vector<std::size_t> m_switchOf; ///< by worker
    std::vector<Frame> m_underWay;
    std::int64_t m_now{0};
    Frames m_counts;
};

} // namespace inca

#endif // INCA_TEST_EXCHANGE_SLOT_NETWORK_H
