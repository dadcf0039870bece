/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_DIRECT_TRANSPORT_H
#define INCA_TRANSPORT_DIRECT_TRANSPORT_H

#include "inca/transport/message-transport.h"

#include "ns3/nstime.h"

namespace inca
{

/**
 * Messages without frames: each takes its bytes at the rate of the sender's NIC, one after the other, and a latency. Nobody meets
 * anybody in the network: what a run over it takes is what hosts and their own links ask for.
 */
class DirectTransport : public MessageTransport
{
  public:
    static ns3::TypeId GetTypeId();

    void SetNic(ns3::Ptr<Nic> nic) override;
    void SetPeers(PeerLookup peers) override;
    void VisitState(StateVisitor& visitor) override;
    double LongestSilencePs(double timeoutsInVain) const override;

  private:
    void DoSend(Message message, std::function<void()> left) override;
    void Arrive(const Message& message, ns3::Mac48Address from);

    ns3::Time m_latency; ///< attribute
    ns3::Ptr<Nic> m_nic;
    PeerLookup m_peers;
    std::int64_t m_freeAtPs{0}; ///< all messages so far have left
};

} // namespace inca

#endif // INCA_TRANSPORT_DIRECT_TRANSPORT_H
