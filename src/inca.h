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
#include "inca/base/errors.h"
#include "inca/base/job-id.h"
#include "inca/base/units.h"
#include "inca/codec/codec-catalog.h"
#include "inca/exchange/communicators.h"
#include "inca/exchange/exchange-catalog.h"
#include "inca/exchange/exchanges.h"
#include "inca/exchange/slot-scheme.h"
#include "inca/exchange/transport-catalog.h"
#include "inca/job/rank-program.h"
#include "inca/job/sketch-coding.h"
#include "inca/job/trace-job.h"
#include "inca/job/training-catalog.h"
#include "inca/job/training-job.h"
#include "inca/topology/topology-catalog.h"
#include "inca/trace/trace-catalog.h"
#include "inca/trace/value-source.h"

// ns-3 objects
#include "inca/aggregation/aggregation-catalog.h"
#include "inca/aggregation/aggregation-client.h"
#include "inca/aggregation/aggregation-program.h"
#include "inca/aggregation/slot-client.h"
#include "inca/device/engine.h"
#include "inca/device/link.h"
#include "inca/device/nic.h"
#include "inca/device/random-loss.h"
#include "inca/device/switch-port.h"
#include "inca/device/switch.h"
#include "inca/rank/rank-application.h"
#include "inca/rank/worker-application.h"
#include "inca/transport/host-path.h"
#include "inca/transport/tcp-transport.h"
#include "inca/transport/transport.h"

// wiring
#include "inca/helper/aggregation-helper.h"
#include "inca/helper/codec-factory.h"
#include "inca/helper/device-trace-helper.h"
#include "inca/helper/time-resolution.h"
#include "inca/helper/topology-helper.h"
#include "inca/helper/training-helper.h"

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
