/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic/scenarios.h"

#include "scenario/keys.h"
#include "validation/switch/scenarios.h"

namespace inca
{

namespace
{

constexpr std::uint64_t g_bitsPerGigabit = 1'000'000'000;
constexpr double g_benchmarkDensity = 0.05;
constexpr double g_benchmarkRatio = 10;

Scenario
Cluster(const std::string& exchange, std::uint64_t gigabitsPerSecond)
{
    Scenario scenario;
    scenario.cluster.workers = 4;
    scenario.cluster.bitsPerSecond = gigabitsPerSecond * g_bitsPerGigabit;
    scenario.cluster.mtu = 9000;
    scenario.exchange.algorithm = exchange;
    scenario.host.sumBytesPerSecond = 0;
    return scenario;
}

void
SetPool(std::uint64_t gigabitsPerSecond, Scenario& scenario)
{
    SetKey(scenario, "switch.slots", std::to_string(SwitchMlSlots(gigabitsPerSecond)));
    SetKey(scenario, "switch.values_per_packet", "2229");               // frames of 8998 bytes
    scenario.host.sumBytesPerSecond = HostSettings().sumBytesPerSecond; // no host adds
}

void
SetCodec(Scenario& scenario)
{
    scenario.codec.name = "homomorphic";
    scenario.codec.placement = "gpu";
}

void
SetSparsity(const Sparsity& sparsity, Scenario& scenario)
{
    scenario.training.density = sparsity.density;
    scenario.training.unionExponent = sparsity.identical ? 0 : 1;
    scenario.codec.ratio = sparsity.ratio;
}

} // namespace

const std::vector<std::string>&
HomomorphicModels()
{
    static const std::vector<std::string> models{"ncf", "lstm", "vgg-19", "bert-base"};
    return models;
}

const std::vector<std::string>&
HomomorphicExchanges()
{
    static const std::vector<std::string> exchanges{
        "ring", "parameter-server", "sharded-parameter-server", "switch-slots"};
    return exchanges;
}

const std::vector<std::uint64_t>&
HomomorphicRates()
{
    static const std::vector<std::uint64_t> rates{10, 25, 40, 100};
    return rates;
}

const std::vector<Sparsity>&
HomomorphicSparsities()
{
    static const std::vector<Sparsity> sparsities{{{}, false},
                                                  {{}, true},
                                                  {g_benchmarkDensity, false},
                                                  {g_benchmarkDensity, true},
                                                  {g_benchmarkDensity, true, g_benchmarkRatio}};
    return sparsities;
}

Scenario
ModelBaseline(const ModelNetwork& network, bool overlap)
{
    auto scenario = Cluster(network.exchange, network.gigabitsPerSecond);
    scenario.training.trace = network.trace;
    scenario.training.send = "fused";
    scenario.training.overlap = overlap;
    scenario.host.copyBytesPerSecond = 0;
    if (network.exchange == "switch-slots")
    {
        SetPool(network.gigabitsPerSecond, scenario);
    }
    return scenario;
}

Scenario
ModelCompressed(const ModelNetwork& network, const Sparsity& sparsity, bool overlap)
{
    auto scenario = ModelBaseline(network, overlap);
    SetCodec(scenario);
    SetSparsity(sparsity, scenario);
    return scenario;
}

std::vector<BenchmarkSetup>
BenchmarkSetups()
{
    std::vector<BenchmarkSetup> setups;
    for (const auto* index : {"bits-4", "bits-1"})
    {
        for (const auto* rounds : {"dependent", "overlapped"})
        {
            for (const auto gigabits : HomomorphicRates())
            {
                setups.push_back({index, rounds, gigabits});
            }
        }
    }
    return setups;
}

Scenario
BenchmarkBaseline(std::uint64_t gigabitsPerSecond)
{
    auto scenario = Cluster("ring", gigabitsPerSecond);
    scenario.training.trace = "tensor:512MiB";
    scenario.cluster.gpus = 2;
    return scenario;
}

Scenario
BenchmarkCompressed(const BenchmarkSetup& setup, double ratio)
{
    auto scenario = BenchmarkBaseline(setup.gigabitsPerSecond);
    SetCodec(scenario);
    SetSparsity({g_benchmarkDensity, true, ratio}, scenario);
    scenario.codec.index = setup.index;
    scenario.codec.rounds = setup.rounds;
    return scenario;
}

} // namespace inca
