/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_H
#define INCA_H

/**
 * @file
 * @defgroup inca In-network compression and aggregation
 *
 * The one header that a user's ns-3 program includes, as "ns3/inca-module.h": codecs, exchanges and
 * traces without a clock; links, NICs, engines, switches and transports; workers, aggregators and
 * servers; and the helpers that wire them. Everything is in namespace inca.
 */

// what can be said without a clock
#include "base/errors.h"
#include "base/units.h"
#include "codec/codec-catalog.h"
#include "exchange/exchange-catalog.h"
#include "topology/topology-catalog.h"
#include "trace/trace-catalog.h"
#include "trace/value-source.h"

// ns-3 objects
#include "model/aggregation-catalog.h"
#include "model/aggregator-application.h"
#include "model/compression-engine.h"
#include "model/decompression-engine.h"
#include "model/gradient-payload.h"
#include "model/link.h"
#include "model/nic.h"
#include "model/random-loss.h"
#include "model/sketch-coding.h"
#include "model/switch-port.h"
#include "model/switch.h"
#include "model/transport.h"
#include "model/worker-application.h"

// wiring
#include "helper/aggregation-helper.h"
#include "helper/job-helper.h"
#include "helper/nic-pcap-helper.h"
#include "helper/star-helper.h"
#include "helper/time-resolution.h"
#include "helper/topology-helper.h"

// what every program of ns-3's needs
#include "ns3/boolean.h"
#include "ns3/callback.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#endif // INCA_H
