/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_AGGREGATION_HOST_CLIENTS_H
#define INCA_AGGREGATION_HOST_CLIENTS_H

#include "aggregation/aggregation-client.h"
#include "base/job-id.h"
#include "device/nic.h"

#include "ns3/object.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <map>

namespace inca
{

/**
 * The aggregation clients of a host, one for each job; aggregated to its node. Each gets the frames of
 * its job. A frame of a job that has none here is dropped.
 */
class HostClients : public ns3::Object
{
  public:
    static ns3::TypeId GetTypeId();

    /** @return those of the host of @p nic; made if there are none yet, for that NIC */
    static ns3::Ptr<HostClients> Of(const ns3::Ptr<Nic>& nic);

    /** @throws InputError if @p job has a client already */
    void Add(JobId job, const ns3::Ptr<AggregationClient>& client);

    /** @return the client of @p job; null if it has none */
    ns3::Ptr<AggregationClient> Find(JobId job) const;

  protected:
    void DoDispose() override;

  private:
    void Receive(ns3::Ptr<Frame> frame, std::int64_t readyPs);

    std::map<std::uint32_t, ns3::Ptr<AggregationClient>> m_clients; ///< by the number of their job
};

} // namespace inca

#endif // INCA_AGGREGATION_HOST_CLIENTS_H
