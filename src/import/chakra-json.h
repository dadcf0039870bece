/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_CHAKRA_JSON_H
#define INCA_IMPORT_CHAKRA_JSON_H

#include "import/byte-source.h"
#include "import/chakra-node.h"

namespace inca
{

/**
 * Reads what chakra_jsonizer makes of a .et file: objects in protobuf's JSON, one after the other, with the
 * limits of ReadChakraProtobuf.
 * @throws InputError naming file, line and node
 */
ChakraGraph ReadChakraJsonizer(ByteSource& source, ImportReport& report);

/** The same of what Chakra's C++ feeder reads: {"workload_graph": [{"Id": 1, "NodeType": 4, ...}]}. */
ChakraGraph ReadChakraFeeder(ByteSource& source, ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_CHAKRA_JSON_H
