/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_RANDOM_LOSS_H
#define INCA_DEVICE_RANDOM_LOSS_H

#include "inca/base/random.h"

#include "ns3/error-model.h"

#include <cstdint>
#include <optional>

namespace inca
{

/**
 * @ingroup inca
 *
 * Loses each frame with the same probability, independently of all others. Its draws are its own
 * (base/random.h), so that the same frames are lost on any machine and with any ns-3; others with another
 * seed or run of ns3::RngSeedManager, which are to be set before.
 */
class RandomLoss : public ns3::ErrorModel
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    /** With ErrorRate, which is 0 by default, and a stream that nothing else in the program has. */
    RandomLoss();

    /**
     * @param rate ErrorRate: share of frames that are lost, 0..1
     * @param seed of the run
     * @param stream another one for each direction of each link
     */
    RandomLoss(double rate, std::uint64_t seed, std::uint64_t stream);

    /** Draws from stream number @p stream from now on. @return how many streams that takes: 1 */
    std::int64_t AssignStreams(std::int64_t stream);

  protected:
    void NotifyConstructionCompleted() override;

  private:
    bool DoCorrupt(ns3::Ptr<ns3::Packet> packet) override;
    void DoReset() override;

    std::optional<double> m_givenRate; ///< wins over the attribute's default
    double m_rate;                     ///< attribute ErrorRate
    std::uint64_t m_seed;              ///< of the run
    std::uint64_t m_streamNumber;      ///< as assigned
    RandomStream m_stream;             ///< of this direction
};

} // namespace inca

#endif // INCA_DEVICE_RANDOM_LOSS_H
