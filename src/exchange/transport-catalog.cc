/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/transport-catalog.h"

#include "base/wire-format.h"

namespace inca
{

Catalog<TransportEntry>&
TransportCatalog()
{
    static Catalog<TransportEntry> catalog(
        "transport.name",
        {{"inca", "INCA's own, which is light", "inca::Transport", INCA_HEADER_BYTES, true, false},
         {"tcp",
          "ns-3's TCP, as Linux sets it",
          "inca::TcpTransport",
          TCP_HEADER_BYTES,
          false,
          true}});
    return catalog;
}

} // namespace inca
