/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_CHAKRA_FILE_H
#define INCA_IMPORT_CHAKRA_FILE_H

#include "inca/import/byte-source.h"
#include "inca/import/recorded-training.h"

#include <et_def.pb.h>

#include <string>
#include <string_view>

namespace inca
{

/** Attributes of INCA's own: a collective's bytes of gradients before they are compressed, and a file's type of them. @{ */
constexpr const char* CHAKRA_PLAIN_BYTES{"inca_plain_bytes"};
constexpr const char* CHAKRA_GRADIENT_TYPE{"inca_gradient_type"};
/** @} */

/** @return whether @p text begins with Chakra's GlobalMetadata, and its length before it */
bool IsChakra(std::string_view text);

/** Appends a message with its length before it, as .et files hold them. */
void AppendChakra(const google::protobuf::MessageLite& message, std::string& text);

/**
 * A worker's iteration from its Chakra trace, taken as a sequence. A .et file holds messages of et_def.proto, each
 * with its length before it: GlobalMetadata, then Nodes; at most 4 MiB a message, 20 million dependencies and 4 million
 * nodes. Of operations on the GPU only these count, where
 * there are any.
 * @throws InputError naming file, byte and node; for a file that was made from ASTRA-sim's text
 */
RecordedTraining ReadChakraTraining(ByteSource& source,
                                    const ImportOptions& options,
                                    ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_CHAKRA_FILE_H
