/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_CHAKRA_PROTOBUF_H
#define INCA_IMPORT_CHAKRA_PROTOBUF_H

#include "import/byte-source.h"
#include "import/chakra-node.h"

#include <string>
#include <string_view>

namespace inca
{

/** @return whether @p text begins with Chakra's GlobalMetadata, and its length before it */
bool IsChakraProtobuf(std::string_view text);

/**
 * Reads a .et file: messages of et_def.proto, each with its length before it, the first of them
 * GlobalMetadata, the others Node. At most 16 MiB a message, 20 million dependencies and 4 million nodes.
 * @throws InputError naming file, byte and node
 */
ChakraGraph ReadChakraProtobuf(ByteSource& source, ImportReport& report);

/** @return the text of a .et file */
std::string FormatChakra(const ChakraGraph& graph);

} // namespace inca

#endif // INCA_IMPORT_CHAKRA_PROTOBUF_H
