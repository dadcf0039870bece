/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_TRANSPORT_CATALOG_H
#define INCA_EXCHANGE_TRANSPORT_CATALOG_H

#include "inca/base/catalog.h"

#include <cstdint>
#include <string>

namespace inca
{

/** What a plan must know of what carries messages between ranks; its class carries them (transport/message-transport.h). */
struct TransportEntry
{
    std::string name;
    std::string meaning;
    std::string type;             ///< ns-3's name of its MessageTransport: "inca::Transport"
    std::uint64_t headerBytes{0}; ///< of a frame, from the IP header to the payload
    /** Its messages are frames of INCA's own transport: engines may code them, and switches may add beside them. */
    bool hasFrames{false};
    bool isTcp{false}; ///< connections of byte streams, with the keys of [transport] that are TCP's
    bool isExtension{
        false}; ///< registered, no transport of INCA's own: neither bounded, folded nor skipped
};

/** INCA's own transports, and those that a program registers. */
Catalog<TransportEntry>& TransportCatalog();

} // namespace inca

#endif // INCA_EXCHANGE_TRANSPORT_CATALOG_H
