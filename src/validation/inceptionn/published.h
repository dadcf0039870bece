/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_INCEPTIONN_PUBLISHED_H
#define INCA_VALIDATION_INCEPTIONN_PUBLISHED_H

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/**
 * The numbers of "A Network-Centric Hardware/Algorithm Co-Design to Accelerate Distributed Training
 * of Deep Neural Networks" (INCEPTIONN, MICRO 2018, DOI 10.1109/MICRO.2018.00023) that a prediction
 * can be put beside: 4 workers, 10 GbE, error bound 2^-10.
 */

/** Beside them WA has an aggregator. */
constexpr unsigned g_inceptionnWorkers = 4;

/** The paper's four systems, in the order of Fig. 12. */
enum class InceptionnSystem
{
    WA,              ///< worker-aggregator
    WA_COMPRESSED,   ///< the same, gradients compressed on their way up: WA+C
    RING,            ///< ring exchange: INC
    RING_COMPRESSED, ///< the same, every hop compressed: INC+C
};

constexpr std::array<InceptionnSystem, 4> g_inceptionnSystems{InceptionnSystem::WA,
                                                              InceptionnSystem::WA_COMPRESSED,
                                                              InceptionnSystem::RING,
                                                              InceptionnSystem::RING_COMPRESSED};

/** One entry per system, in the order of g_inceptionnSystems. */
template <class Entry>
using PerSystem = std::array<Entry, g_inceptionnSystems.size()>;

/** Where @p system stands in a PerSystem. */
constexpr std::size_t
IndexOf(InceptionnSystem system)
{
    return static_cast<std::size_t>(system);
}

/** "WA", "WA+C", "INC" or "INC+C". */
const char* SystemName(InceptionnSystem system);

bool IsRing(InceptionnSystem system);
bool IsCompressed(InceptionnSystem system);

/** A column of Table II (printed): WA with 4 workers and 1 aggregator, in seconds per iteration. */
struct StepSeconds
{
    double forward;
    double backward;
    double copy; ///< between GPU and host memory
    double sum;  ///< on the aggregator
    double communication;
    double update; ///< on the aggregator
    double total;
};

/** A bar of Fig. 12 (measured off the drawing, quantum 0.005), where WA's total is 1. */
struct BarShares
{
    double computation;
    double communication;
    double total;
};

/** Everything published about one model. */
struct InceptionnModel
{
    std::string name;         ///< of its trace
    double gradientMegabytes; ///< printed; the paper's MB are MiB
    StepSeconds steps;
    std::optional<PerSystem<BarShares>> bars; ///< Fig. 12; two models can be read off it
    double ringTotalCutPercent;               ///< INC against WA (printed)
    double ringCommunicationCutPercent;       ///< INC against WA (printed)
    std::array<double, 4> widthPercent;       ///< Table III (printed): values of 2, 10, 18, 34 bits
    double ratio;                             ///< Fig. 14(a) (measured, +-0.08)

    // -- how far a prediction may be off, relative; empty: not judged
    std::optional<double> stepsLimit; ///< Table II's communication
    std::optional<double> barsLimit;  ///< Fig. 12's communication, each system
};

/** AlexNet, HDC, ResNet-50 and VGG-16. */
const std::vector<InceptionnModel>& InceptionnModels();

/** 32 bits over the mean width of Table III. (derived) */
double TableThreeRatio(const InceptionnModel& model);

// -- printed for all models together
constexpr double g_aggregatorCommunicationCutPercent = 30.8; ///< WA+C against WA, "about"
constexpr double g_ringCompressedCutLowPercent = 70.9;       ///< INC+C's communication against WA
constexpr double g_ringCompressedCutHighPercent = 80.7;
constexpr double g_ringCompressedSpeedUpLow = 2.2; ///< INC+C against WA
constexpr double g_ringCompressedSpeedUpHigh = 3.1;

} // namespace inca

#endif // INCA_VALIDATION_INCEPTIONN_PUBLISHED_H
