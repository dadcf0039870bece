/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_SWITCHML_CSV_H
#define INCA_IMPORT_SWITCHML_CSV_H

#include "import/byte-source.h"
#include "import/recorded-training.h"

#include <string_view>

namespace inca
{

/** @return whether @p text begins as SwitchML's dnn_benchmark writes its models */
bool IsSwitchMlCsv(std::string_view text);

/**
 * A model of SwitchML's dnn_benchmark: `layer_index, numel, forward_pass_ns, backward_pass_ns`, a line
 * per layer, fp32 values. It has no update times.
 * @throws InputError naming file and line
 */
RecordedTraining ReadSwitchMlCsv(ByteSource& source, ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_SWITCHML_CSV_H
