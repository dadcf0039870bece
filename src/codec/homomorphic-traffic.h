/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_HOMOMORPHIC_TRAFFIC_H
#define INCA_CODEC_HOMOMORPHIC_TRAFFIC_H

#include "codec/homomorphic-shape.h"

#include <cstdint>

namespace inca
{

/**
 * What coding a bucket moves through the memory of the device that does it, and how often its host has
 * to look whether decoding goes on: a time follows with the memory's bandwidth and the host's
 * answer. Derived from what each kernel must read and write at the least, not measured (class:
 * assumed): 4 bytes per value to mark; 4 per value and 24 per marked value to sketch (three counters
 * read and written); in each round of peeling 4 per value, and 28 per value peeled (the same counters
 * and the value). The tail costs nothing.
 */
struct HomomorphicTraffic
{
    double indexBytes{0};
    double sketchBytes{0};
    double peelBytes{0}; ///< of all rounds
    double rounds{0};    ///< expected, with the last, which finds nothing
};

/**
 * @param density of one worker's values, 0..1
 * @param unionDensity of the union over the workers, no less
 * @throws InputError as ShapeOf does, or if a density is out of its range
 */
HomomorphicTraffic TrafficOf(const HomomorphicSettings& settings,
                             std::uint64_t count,
                             double density,
                             double unionDensity);

} // namespace inca

#endif // INCA_CODEC_HOMOMORPHIC_TRAFFIC_H
