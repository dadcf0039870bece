/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXPERIMENT_DRAWN_SCENARIO_H
#define INCA_TEST_EXPERIMENT_DRAWN_SCENARIO_H

#include "scenario/scenario.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** Of drawn scenarios, in files of this process: lone tensors, and few layers with little and much to compute. */
class DrawnTraces
{
  public:
    /** @param larger how many times as many elements, and as much to compute, as usual */
    explicit DrawnTraces(const std::string& folder, std::uint32_t larger = 1);

    const std::string& Number(std::uint32_t number) const
    {
        return m_names[number % m_names.size()];
    }

    /** @return the same trace with all times divided by RAISE; a lone tensor as it is */
    static std::string Faster(const std::string& name);

  private:
    std::vector<std::string> m_names;
};

/**
 * A small scenario that works, the same for the same number: any exchange, chunks, concurrency, codecs
 * and where they run, rates, windows and slots, on equal workers or not; without loss and jitter.
 */
Scenario DrawnScenario(std::uint32_t number, const DrawnTraces& traces);

/** As DrawnScenario, over any topology that works. @param number below 2^30 */
Scenario DrawnNetwork(std::uint32_t number, const DrawnTraces& traces);

/**
 * One of a kind: "scenarios" and "networks", as above, and such networks with "gradients" of 16 bits and buckets that cut
 * layers; with "codecs" of frames and of messages, of given sizes or with values; with "collectives" as libraries run: trees,
 * halving and doubling, rings with channels and chunks; with many "steps" that are alike, of rings and trees;
 * with "two shots", flat and in groups, some with loss; with workers that keep shards in rings and by halving and doubling
 * ("host shards"), or in groups ("hybrids"), over switches, too ("sharding"), or on one switch in slots that fill links, with several exchanges at a time
 * ("switch shards"); with gradients that are compressed homomorphically ("sketches"), of shards, too ("sketch shards"); with
 * buffers that many senders "overflow".
 */
Scenario DrawnOf(const std::string& kind, std::uint32_t number, const DrawnTraces& traces);

/** All keys of @p scenario that are not their defaults: "key=text", for people. */
std::string SettingsOf(const Scenario& scenario);

} // namespace inca

#endif // INCA_TEST_EXPERIMENT_DRAWN_SCENARIO_H
