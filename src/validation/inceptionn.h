/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_INCEPTIONN_H
#define INCA_VALIDATION_INCEPTIONN_H

#include "scenario/scenario.h"

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

/** One of the paper's systems. */
struct InceptionnSystem
{
    const char* name;
    bool isRing;       ///< else worker-aggregator, with an aggregator beside the workers
    bool isCompressed; ///< gradients on their way up, or every hop of a ring
};

/** The four systems, in the order of Fig. 12. */
constexpr std::array<InceptionnSystem, 4> g_inceptionnSystems{
    {{"WA", false, false}, {"WA+C", false, true}, {"INC", true, false}, {"INC+C", true, true}}};

/** One entry per system, in the order of g_inceptionnSystems. */
template <class Entry>
using PerSystem = std::array<Entry, g_inceptionnSystems.size()>;

/** A column of Table II (printed): WA with 4 workers and 1 aggregator, in seconds per 100 iterations. */
struct InceptionnSteps
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
struct InceptionnBar
{
    double computation;
    double communication;
    double total;
};

/** Everything published about one model. */
struct InceptionnModel
{
    std::string name;   ///< of its trace
    double gradientMiB; ///< printed
    InceptionnSteps steps;
    double ringTotalCut;                ///< INC against WA (printed, in percent)
    double ringCommunicationCut;        ///< INC against WA (printed, in percent)
    std::array<double, 4> widthPercent; ///< Table III (printed): values of 2, 10, 18, 34 bits
    double ratio;                       ///< Fig. 14(a) (measured, +-0.08)
    std::optional<PerSystem<InceptionnBar>> bars{}; ///< Fig. 12; two models can be read off it
    // -- how far a prediction may be off, relative; empty: not judged
    std::optional<double> stepsLimit{}; ///< Table II's communication
    std::optional<double> barsLimit{};  ///< Fig. 12's communication, each system
};

/** AlexNet, HDC, ResNet-50 and VGG-16. */
const std::vector<InceptionnModel>& InceptionnModels();

/** 32 bits over the mean width of Table III. (derived) */
double TableThreeRatio(const InceptionnModel& model);

/**
 * One iteration of @p model on @p system as INCEPTIONN measured it: 4 workers, one 10 GbE switch,
 * error bound 2^-10, all gradients exchanged at once after backward. Sizes only, so that every hop
 * has the width shares of a single worker's gradient, as in the paper. Hosts are those of host.preset
 * "inceptionn", but HDC does without copies to a GPU. examples/inceptionn/ holds the same scenarios as
 * files.
 */
Scenario InceptionnScenario(const InceptionnModel& model, const InceptionnSystem& system);

} // namespace inca

#endif // INCA_VALIDATION_INCEPTIONN_H
