/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_COMPARED_SYSTEMS_H
#define INCA_SWEEP_COMPARED_SYSTEMS_H

#include "sweep/crossover.h"
#include "sweep/point-runner.h"
#include "sweep/scenario-variants.h"

#include <string>
#include <vector>

namespace inca
{

/** Settings that make a system of a scenario, and what the system is called. */
struct NamedSettings
{
    std::string label;
    std::vector<std::string> settings; ///< "key=value"
    std::string origin;                ///< what complaints call them: "--a"
};

/**
 * "label: key=value, key=value"; without "label:" the settings are the label. "label:" alone is the
 * scenario as it is.
 * @param option "--a", for complaints
 * @throws InputError
 */
NamedSettings ParseNamedSettings(const std::string& text, const std::string& option);

/** What `inca crossover` is asked. */
struct CrossoverQuestion
{
    std::vector<std::string> settings; ///< of --set, for both systems, which may change them
    NamedSettings a;
    NamedSettings b;
    std::string over; ///< "cluster.bandwidth=1Gbps..400Gbps"
    Metric metric;
    double tolerance{0.01};
};

/** Its answer, and what it was compared by. */
struct CrossoverAnswer
{
    CrossoverQuestion question;
    Crossover crossover;
};

/**
 * Runs both systems at as many values as it takes.
 * @throws InputError if the question makes no sense, or no value can be compared
 */
CrossoverAnswer AnswerCrossover(const CrossoverQuestion& question,
                                ScenarioVariants& variants,
                                const PointRunner& run);

} // namespace inca

#endif // INCA_SWEEP_COMPARED_SYSTEMS_H
