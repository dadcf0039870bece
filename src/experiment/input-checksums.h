/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_INPUT_CHECKSUMS_H
#define INCA_EXPERIMENT_INPUT_CHECKSUMS_H

#include "inca/record/run-record.h"
#include "inca/scenario/scenario.h"
#include "inca/trace/gradient-trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** The CRC-32 of a file's bytes. @throws InputError if it cannot be read */
std::uint32_t FileChecksum(const std::string& path);

/** Every file of gradient values that a run would read. @throws InputError if one cannot be read */
std::vector<InputChecksum> ValuesChecksums(const Scenario& scenario);

/**
 * The files that a run has read, trace first, then every file of gradient values, each once, with
 * the CRC-32 of its bytes. A trace that is no file is left out.
 * @throws InputError if a file cannot be read any more
 */
std::vector<InputChecksum> InputChecksums(const Scenario& scenario, const GradientTrace& trace);

} // namespace inca

#endif // INCA_EXPERIMENT_INPUT_CHECKSUMS_H
