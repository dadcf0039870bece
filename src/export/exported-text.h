/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPORT_EXPORTED_TEXT_H
#define INCA_EXPORT_EXPORTED_TEXT_H

#include "inca/export/exported-rank.h"

#include <string>
#include <vector>

namespace inca
{

/**
 * One rank's operations as a Chakra trace, schema 0.0.4: COMP_NODE, COMM_SEND_NODE and COMM_RECV_NODE,
 * which ASTRA-sim replays as they are. Durations are Chakra's whole microseconds, rounded. Sums and codecs are marked as
 * the CPU's, so that they go on beside the GPU's work. Attributes of INCA's own let it import collectives again.
 * @param gradientType fp32, fp16 or bf16
 */
std::string ChakraText(Rank rank,
                       const std::string& gradientType,
                       const std::vector<ExportedOperation>& operations);

/**
 * One rank's block of a GOAL schedule, as LogGOPSim's txt2bin reads it:
 *
 *     rank 0 {
 *     l1: calc 1000
 *     l2: send 4096b to 1 tag 0
 *     l2 requires l1
 *     }
 *
 * Times are whole nanoseconds, rounded. The GPU's work is of cpu 0; codecs, sums and messages go on beside it, on cpu 1. They share
 * one, because LogGOPSim begins an operation when its own cpu is free, and not when what it requires on another one has ended.
 */
std::string GoalText(Rank rank, const std::vector<ExportedOperation>& operations);

} // namespace inca

#endif // INCA_EXPORT_EXPORTED_TEXT_H
