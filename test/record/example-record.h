/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_RECORD_EXAMPLE_RECORD_H
#define INCA_TEST_RECORD_EXAMPLE_RECORD_H

#include "record/run-record.h"

namespace inca
{

/** Round figures: 2 measured iterations of 1.5 s each. */
inline RunRecord
ExampleRecord()
{
    constexpr std::int64_t second = 1'000'000'000'000;
    RunRecord record;
    record.settings = {{"trace", "alexnet"},
                       {"exchange", "ring"},
                       {"codec", "inceptionn"},
                       {"bound_bits", "10"},
                       {"workers", "4"},
                       {"bandwidth_gbps", "10"}};
    record.scenario = {{"training", "trace", "alexnet", true},
                       {"training", "iterations", "2", false},
                       {"training", "overlap", "true", false},
                       {"host", "duplex", "0.1", false},
                       {"attributes", "inca::Nic::A", "5", true}};
    auto& r = record.results;
    r.measuredIterations = 2;
    r.iterationTimePs = second * 3 / 2;
    r.iterationTimeMinPs = second;
    r.iterationTimeP50Ps = second;
    r.iterationTimeP99Ps = second * 2;
    r.samplesPerSecond = 170.66666;
    r.shares = {second / 2, second, 0, 0, second / 4, second / 4, second};
    r.exchangeTimePs = second;
    r.buckets = 2;
    r.aggregationThroughputGbps = 1.955;
    r.plainBytes = 1'466'000'000;
    r.wireBytes = 1ULL << 28U;
    r.achievedRatio = 5.5;
    r.lowerBoundPs = second * 5 / 4;
    r.limitedBy = "link";
    r.communicationLimitedBy = "host";
    r.largestQueueBytes = 4096;
    r.loses = "none";
    record.origin = {"0.1.0", "3.37", 7, 0x1234abcd, {{"traces/alexnet.csv", 0x1234abcd}}};
    record.layers = {{3,
                      "conv1",
                      34'944,
                      1,
                      2,
                      second,
                      second,
                      second * 2,
                      second / 2,
                      second / 4,
                      139'776,
                      20'000}};
    PortCounters up;
    up.out.wireBytes = 1U << 20U;
    up.frames = 700;
    up.largestQueueBytes = 4096;
    up.drops.Add(DropReason::BUFFER_FULL);
    PortCounters down;
    down.out.wireBytes = 1U << 21U;
    down.frames = 1400;
    down.largestQueueBytes = 2048;
    down.congestedFrames = 5;
    down.drops.Add(DropReason::LINK_ERROR, 2);
    record.links = {
        {{"worker 0 -> switch", "worker 0", "switch"}, 10'000'000'000, up, 1U << 20U, 0.25},
        {{"switch -> worker 0", "switch", "worker 0"}, 2'500'000'000, down, 1U << 21U, 0.5}};
    record.steps = {{0, 800, 100}, {1, 800, 200}};
    record.warnings = {
        "ring.toml:9:1: exchange.broadcast: has no effect: ring broadcasts no weights"};
    return record;
}

/** The same with a leaf and a spine that add: 200 packets from 2 workers, of which one came twice. */
inline RunRecord
ExampleRecordOfSwitches()
{
    auto record = ExampleRecord();
    record.switches = {{"leaf 0", {301, 200, 100, 0, 1, 0, 0, 0, 300}, 64, 128, 65'536},
                       {"spine 0", {100, 99, 0, 0, 0, 0, 0, 1, 99}, 32, 128, 65'000}};
    return record;
}

/** The same with values: 2 buckets, of which the first has 2 hops. */
inline RunRecord
ExampleRecordOfErrors()
{
    auto record = ExampleRecord();
    record.errors = {{1, 0, 800, 0.0625, 0.96875, 0.5},
                     {1, 1, 200, 0.03125, 0.984375, 0.25},
                     {1, 2, 800, 0.0625, 0.96875, 0.5},
                     {2, 0, 400, 1.0 / 3, 1, 2}};
    return record;
}

} // namespace inca

#endif // INCA_TEST_RECORD_EXAMPLE_RECORD_H
