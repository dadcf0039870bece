/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_RECORD_BYTES_H
#define INCA_RECORD_RECORD_BYTES_H

#include "record/run-record.h"

#include <string>
#include <string_view>

namespace inca
{

/**
 * A run record as bytes, for a pipe between two processes of the same program: every field as it lies
 * in memory, so that not a bit of it changes. No format of files.
 */
std::string BytesOf(const RunRecord& record);

/** @throws InvariantError unless @p bytes are those of one record */
RunRecord RecordOf(std::string_view bytes);

} // namespace inca

#endif // INCA_RECORD_RECORD_BYTES_H
