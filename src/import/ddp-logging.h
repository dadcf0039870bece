/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_DDP_LOGGING_H
#define INCA_IMPORT_DDP_LOGGING_H

#include "import/byte-source.h"
#include "import/recorded-training.h"

namespace inca
{

/**
 * What PyTorch's `ddp._get_ddp_logging_data()` returns, written as JSON: the sizes of DDP's buckets in
 * the order in which they are ready, each of which becomes a layer, and the times of a whole forward
 * and backward pass (ns), which are shared out by elements.
 * @throws InputError naming file and key
 */
RecordedTraining ReadDdpLogging(ByteSource& source,
                                const ImportOptions& options,
                                ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_DDP_LOGGING_H
