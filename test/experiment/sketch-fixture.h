/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXPERIMENT_SKETCH_FIXTURE_H
#define INCA_TEST_EXPERIMENT_SKETCH_FIXTURE_H

#include "experiment/switch-fixture.h"

#include <cstdint>
#include <string>

namespace inca
{

/** Scenarios that compress homomorphically, on a GPU, and workers that carry values. */
class SketchFixture : public SwitchFixture
{
  protected:
    static constexpr std::uint64_t ROW{1024};
    static constexpr std::uint64_t SPARSE{180 * ROW + 17}; ///< values of layer "sparse"
    static constexpr std::uint64_t DENSE{1000};            ///< of layer "dense", behind it
    static constexpr std::uint64_t LAST{49 * ROW + 100};   ///< of layer "last"
    static constexpr std::uint64_t VALUES{SPARSE + DENSE + LAST};

    /** All values that are not 0 lie from 2^-6 to below 2^-5. */
    static std::string ThreeLayers()
    {
        return WriteTrace("three-layers",
                          "layer,elements,forward_ns,backward_ns,update_ns,density,exponents",
                          Layer("sparse", SPARSE, "0.01", "0.99") +
                              Layer("dense", DENSE, "0.75", "0.25") +
                              Layer("last", LAST, "0.02", "0.98"));
    }

    static Scenario Compressed(const std::string& trace,
                               const std::string& algorithm,
                               std::uint32_t workers)
    {
        auto scenario = Bare(trace, workers);
        scenario.exchange.algorithm = algorithm;
        scenario.exchange.groupSize = 2;
        if (algorithm == "switch-tree")
        {
            scenario.cluster.topology = "leaf-spine";
            scenario.cluster.hostsPerLeaf = 2;
        }
        scenario.codec.name = "homomorphic";
        scenario.codec.placement = CodecPlacement::GPU;
        return scenario;
    }

  private:
    static std::string Layer(const std::string& name,
                             std::uint64_t values,
                             const std::string& density,
                             const std::string& zeros)
    {
        return name + "," + std::to_string(values) + ",0,0,0," + density + ",0:" + zeros +
               ";121:" + density + "\n";
    }
};

} // namespace inca

#endif // INCA_TEST_EXPERIMENT_SKETCH_FIXTURE_H
