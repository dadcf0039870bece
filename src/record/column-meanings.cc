/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/column-meanings.h"

#include "record/result-row.h"
#include "record/share-parts.h"

#include <utility>

namespace inca
{

namespace
{

using Words = std::pair<std::string_view, std::string_view>;

/** In the order of a row; the parts of the time are beside them. */
constexpr Words g_meanings[] = {
    {"label", "of the point's system"},
    {"point", "number in its sweep, from 1"},
    {"status", "done, refused, failed or timeout"},
    {"warnings", "what there is to say of the run, or why it is not done"},
    {"iteration_time_s", "mean, of all but the warm-up"},
    {"iteration_time_min_s", "shortest measured iteration"},
    {"iteration_time_p50_s", "median of the measured iterations"},
    {"iteration_time_p99_s", "99th percentile of the measured iterations, by nearest rank"},
    {"samples_per_s", "batch * workers * GPUs of each * accumulation / iteration time"},
    {"exchange_time_s", "of gradients: first start to last end on any worker, mean per iteration"},
    {"buckets", "of an iteration: gradients that are ready, and exchanged, together"},
    {"aggregation_throughput_gbps", "gradient bits / exchange time, however they travel"},
    {"algbw_gbps", "gradient bits / exchange time"},
    {"busbw_gbps", "algbw * 2 (W - 1) / W; half of it with training.sharding = full"},
    {"plain_bytes",
     "gradients and weights that reached their receivers, uncompressed, in the whole run"},
    {"wire_bytes", "whole frames that hosts sent, preamble to gap, in the whole run"},
    {"achieved_ratio", "plain gradient payload / gradient payload as it travelled"},
    {"scaling_efficiency", "iteration time of one worker alone / iteration time"},
    {"lower_bound_s", "no iteration can be faster"},
    {"limited_by", "the largest part of what makes the lower bound"},
    {"communication_limited_by", "the same of the exchanges alone"},
    {GAIN_COLUMN, "iteration time of the system of --against at the same point / iteration time"},
    {"drops", "frames dropped at ports and on links, in the whole run"},
    {"retransmitted", "frames sent again by hosts, in the whole run"},
    {"largest_queue_bytes", "of any switch port"},
    {"slots_peak", "slots in use at once, of the switch that has most"},
    {"slots_needed", "slots with which no worker waits for one"},
    {"switch_memory_used_bytes", "what the slots of a switch take, all copies"},
    {"sketch_ratio", "homomorphic: rows per counter row, over all exchanges"},
    {"sketch_load", "homomorphic: expected load of the exchange with most"},
    {"peeling_rounds", "homomorphic: expected rounds of the exchange with most"},
    {"set_values", "homomorphic: values set on some worker, mean per iteration"},
    {"estimated_values",
     "homomorphic: of the set values, those that were not decoded but estimated"},
    {"sum_error_max", "largest distance from the sum in fp64; with values only"},
    {"sum_error_mean", "mean distance from the sum in fp64; with values only"},
    {"replica_difference_max", "largest distance between two workers' copies; with values only"},
    {"values_in_frames", "true: frames carried the values; false: they were replayed beside sizes"},
    {"packet_level_share", "of all frames, those that were simulated by themselves"},
    {"exact", "true: all results are those of packet level, to the picosecond"},
    {"inca_version", "of the program"},
    {"ns3_version", "that it runs on"},
    {"seed", "simulation.seed: of jitter, losses and drawn values"},
    {"trace_crc32", "checksum of the trace's file"}};

/** How a column's name ends, and what unit that is. The first that fits counts. */
constexpr Words g_units[] = {
    {"_bytes_per_s", "B/s"},
    {"_values_per_s", "values/s"},
    {"_bits_per_value", "bits/value"},
    {"_per_s", "1/s"},
    {"_gbps", "Gbit/s"},
    {"_mhz", "MHz"},
    {"_bytes", "B"},
    {"_bits", "bits"},
    {"_cycles", "cycles"},
    {"_frames", "frames"},
    {"_values", "values"},
    {"_ns", "ns"},
    {"_us", "us"},
    {"_s", "s"},
};

} // namespace

std::string
MeaningOfColumn(std::string_view name)
{
    for (const auto& [column, meaning] : g_meanings)
    {
        if (name == column)
        {
            return std::string(meaning);
        }
    }
    for (const auto& part : g_shareParts)
    {
        if (name == std::string(part.name) + "_s")
        {
            return "share of the iteration time: " + std::string(part.name);
        }
    }
    return "";
}

std::string
UnitOfColumn(std::string_view name)
{
    for (const auto& [end, unit] : g_units)
    {
        if (name.size() > end.size() && name.substr(name.size() - end.size()) == end)
        {
            return std::string(unit);
        }
    }
    return "";
}

} // namespace inca
