/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_PARAM_TRACE_H
#define INCA_IMPORT_PARAM_TRACE_H

#include "import/byte-source.h"
#include "import/recorded-training.h"

namespace inca
{

/**
 * A basic trace of PARAM's comms benchmark: a list of {"comms": "all_reduce", "in_msg_size": 1024,
 * "dtype": "float32", "pg_id": 0, "world_size": 16}, sizes in elements, and of computations, which have
 * no times. It is a sequence (TrainingOfSequence).
 * @throws InputError naming file and element
 */
RecordedTraining ReadParamTrace(ByteSource& source,
                                const ImportOptions& options,
                                ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_PARAM_TRACE_H
