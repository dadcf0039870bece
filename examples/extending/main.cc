/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The inca program with a codec, an exchange, an aggregation program, a topology, a training and a transport of one's own.
#include "aggregation/one-copy-program.h"
#include "codec/largest-codec.h"
#include "codec/sparse-codec.h"
#include "exchange/doubling.h"
#include "exchange/one-copy-scheme.h"
#include "job/local-sgd.h"
#include "topology/rack-row.h"
#include "transport/direct-transport.h"

#include "ns3/inca-main.h"
#include "ns3/inca-module.h"

namespace inca
{

namespace
{

CodecEntry
SparseEntry()
{
    return {"sparse", "a bit per value, and the values that are not zero", [](const CodecSpec&) {
                return MakeSparseCodec();
            }};
}

CodecEntry
LargestEntry()
{
    CodecEntry entry{"largest", "the two largest of each 8 values", [](const CodecSpec&) {
                         return MakeLargestCodec();
                     }};
    entry.group = LARGEST_GROUP;
    return entry;
}

ExchangeEntry
DoublingEntry()
{
    return {"doubling",
            "in step s every worker swaps its sum with worker rank XOR 2^s",
            MakeDoubling,
            DoublingComplaints};
}

AggregationSchemeEntry
OneCopyScheme()
{
    return {"one-copy", OneCopySettings(), MakeOneCopyScheme};
}

AggregationEntry
OneCopyEntry()
{
    return {"one-copy",
            "slots that keep no sum, for networks that lose nothing",
            [] { return ns3::CreateObject<OneCopyProgram>(); },
            [] { return ns3::CreateObject<SlotClient>(); }};
}

TopologyEntry
RackRowEntry()
{
    return {"rack-row",
            "racks in a row, each cabled to the next",
            true,
            RackRowComplaints,
            MakeRackRow,
            {"hosts_per_leaf"}};
}

ExchangeEntry
SwitchOneCopyEntry()
{
    ExchangeEntry entry{"switch-one-copy",
                        "as switch-tree, with half the memory, where nothing is lost",
                        MakeSwitchSum};
    entry.aggregation = "one-copy";
    return entry;
}

TransportEntry
DirectEntry()
{
    return {"direct",
            "whole messages at the rate of the sender's link, and a latency",
            "inca::DirectTransport"};
}

} // namespace

} // namespace inca

int
main(int argc, char** argv)
{
    inca::RegisterCodec(inca::SparseEntry());
    inca::RegisterCodec(inca::LargestEntry());
    inca::ExchangeCatalog().Register(inca::DoublingEntry());
    inca::AggregationSchemeCatalog().Register(inca::OneCopyScheme());
    inca::AggregationCatalog().Register(inca::OneCopyEntry());
    inca::ExchangeCatalog().Register(inca::SwitchOneCopyEntry());
    inca::TopologyCatalog().Register(inca::RackRowEntry());
    inca::TrainingCatalog().Register(inca::LocalSgdEntry());
    inca::TransportCatalog().Register(inca::DirectEntry());
    return inca::Main(argc, argv);
}
