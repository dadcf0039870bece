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
#include "base/job-id.h"
#include "base/units.h"
#include "codec/codec-catalog.h"
#include "exchange/communicators.h"
#include "exchange/exchange-catalog.h"
#include "exchange/exchanges.h"
#include "exchange/slot-scheme.h"
#include "exchange/transport-catalog.h"
#include "job/rank-program.h"
#include "job/sketch-coding.h"
#include "job/trace-job.h"
#include "job/training-catalog.h"
#include "job/training-job.h"
#include "topology/topology-catalog.h"
#include "trace/trace-catalog.h"
#include "trace/value-source.h"

// ns-3 objects
#include "aggregation/aggregation-catalog.h"
#include "aggregation/aggregation-client.h"
#include "aggregation/aggregation-program.h"
#include "aggregation/slot-client.h"
#include "device/engine.h"
#include "device/link.h"
#include "device/nic.h"
#include "device/random-loss.h"
#include "device/switch-port.h"
#include "device/switch.h"
#include "rank/rank-application.h"
#include "rank/worker-application.h"
#include "transport/host-path.h"
#include "transport/tcp-transport.h"
#include "transport/transport.h"

// wiring
#include "helper/aggregation-helper.h"
#include "helper/codec-factory.h"
#include "helper/device-trace-helper.h"
#include "helper/time-resolution.h"
#include "helper/topology-helper.h"
#include "helper/training-helper.h"

// what every program of ns-3's needs
#include "ns3/boolean.h"
#include "ns3/callback.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/error-model.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#endif // INCA_H
