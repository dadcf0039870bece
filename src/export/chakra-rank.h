/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPORT_CHAKRA_RANK_H
#define INCA_EXPORT_CHAKRA_RANK_H

#include "export/exported-rank.h"
#include "import/chakra-file.h"

#include <vector>

namespace inca
{

/**
 * One rank's operations as a Chakra trace, schema 0.0.4: COMP_NODE, COMM_SEND_NODE and COMM_RECV_NODE,
 * which ASTRA-sim replays as they are. Durations are Chakra's whole microseconds, rounded.
 */
ChakraGraph ChakraOf(Rank rank, const std::vector<ExportedOperation>& operations);

} // namespace inca

#endif // INCA_EXPORT_CHAKRA_RANK_H
