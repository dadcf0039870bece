/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_RESULT_BYTES_H
#define INCA_RECORD_RESULT_BYTES_H

#include "record/run-record.h"

#include <string>
#include <string_view>

namespace inca
{

/**
 * A run's results as bytes, for another process of the same program: a MessagePack object of all fields, in which not a bit of a
 * number changes. No format of files.
 */
std::string BytesOf(const RunResults& results);

/** @throws InvariantError unless @p bytes are those of one run's results */
RunResults ResultsOf(std::string_view bytes);

} // namespace inca

#endif // INCA_RECORD_RESULT_BYTES_H
