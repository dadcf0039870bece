/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/ddp-logging.h"

#include "base/printable.h"
#include "import/element-type.h"
#include "import/field-text.h"
#include "import/json-members.h"
#include "import/json-stream.h"
#include "import/operation-sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace inca
{

namespace
{

/** Entries of DDPLoggingData (c10d's logger.cpp) of which nothing is needed. */
const std::vector<std::string> g_unused{"backend_name",
                                        "backward_comm_time_end",
                                        "backward_comm_time_start",
                                        "backward_compute_time_end",
                                        "backward_compute_time_start",
                                        "broadcast_buffers",
                                        "bucket_cap_bytes",
                                        "can_set_static_graph",
                                        "comm_hook",
                                        "cuda_visible_devices",
                                        "device_ids",
                                        "error",
                                        "find_unused_parameters",
                                        "first_bucket_bytes",
                                        "forward_compute_time_start",
                                        "gloo_device_transport",
                                        "gloo_num_threads",
                                        "gloo_socket_ifname",
                                        "gradient_as_bucket_view",
                                        "has_error",
                                        "has_rebuilt_buckets",
                                        "has_sync_bn",
                                        "is_multi_device_module",
                                        "iteration",
                                        "join_uneven_inputs",
                                        "master_addr",
                                        "master_port",
                                        "nccl_async_error_handling",
                                        "nccl_blocking_wait",
                                        "nccl_debug",
                                        "nccl_ib_timeout",
                                        "nccl_nthreads",
                                        "nccl_socket_ifname",
                                        "nccl_topo_file",
                                        "num_buckets_reduced",
                                        "num_parameter_tensors",
                                        "output_device",
                                        "prev_iteration_grad_ready_order_indices",
                                        "rank",
                                        "rebuilt_per_bucket_param_indices",
                                        "static_graph",
                                        "torch_distributed_debug",
                                        "unused_parameter_size"};

/** The dict, member by member, and where it stands. */
class DdpLogging
{
  public:
    DdpLogging(ByteSource& source, ImportReport& report)
    {
        m_place.file = source.Name();
        ReadJsonPieces(source, false, [&](const JsonPlace& place, const Json& piece) {
            if (!m_members.is_object())
            {
                m_members = Json::object();
            }
            if (++m_pieces > MOST_PIECES)
            {
                place.Refuse("", "more than a million values, which no such dict has");
            }
            if (place.element)
            {
                auto& list = m_members[place.key];
                list = list.is_array() ? std::move(list) : Json::array();
                list.push_back(piece);
                return;
            }
            m_members[place.key] = piece;
            report.Read("entry of the dict");
        });
    }

    /** Numbers of "4239400, 3215360", or of a list. */
    std::vector<std::uint64_t> Sizes(const char* key)
    {
        m_used.insert(key);
        std::vector<std::uint64_t> sizes;
        const auto* member = FindMember(m_members, key);
        if (member != nullptr && member->is_array())
        {
            for (const auto& size : *member)
            {
                sizes.push_back(CountMember(m_place, Json{{key, size}}, key).value_or(0));
            }
            return sizes;
        }
        auto text = TextMember(m_members, key);
        std::replace(text.begin(), text.end(), ',', ' ');
        for (const auto& field : SplitBlanks(text))
        {
            sizes.push_back(ParseCount({m_place.file, 0, 0, key}, field));
        }
        return sizes;
    }

    std::string Text(const char* key)
    {
        m_used.insert(key);
        return TextMember(m_members, key);
    }

    std::optional<std::uint64_t> Count(const char* key)
    {
        m_used.insert(key);
        return CountMember(m_place, m_members, key);
    }

    /** The first that is there and above 0: a mean, else the last iteration's. (ps) */
    std::int64_t Time(const char* mean, const char* last)
    {
        m_used.insert({mean, last});
        for (const auto* key : {mean, last})
        {
            const auto ns = TimeMember(m_place, m_members, key, 1).value_or(0);
            if (ns < 0 || ns > 1'000'000'000'000'000)
            {
                m_place.Refuse(key, "must be from 0 to 10^15 ns, got " + std::to_string(ns));
            }
            if (ns > 0)
            {
                return ns * 1000;
            }
        }
        return 0;
    }

    void LeaveOutTheRest(ImportReport& report) const
    {
        if (!m_members.is_object())
        {
            return;
        }
        auto known = g_unused;
        known.insert(known.end(), m_used.begin(), m_used.end());
        for (const auto& [key, value] : m_members.items())
        {
            if (std::find(known.begin(), known.end(), key) == known.end())
            {
                report.Unknown(m_place.Prefix(""), "entry of DDPLoggingData", key, known);
            }
        }
        constexpr std::size_t MOST_SHOWN = 4096;
        std::string others;
        for (const auto& [key, value] : m_members.items())
        {
            const bool isUnused =
                std::find(g_unused.begin(), g_unused.end(), key) != g_unused.end();
            if (isUnused && others.size() < MOST_SHOWN)
            {
                others += (others.empty() ? "" : ", ") + Printable(key.substr(0, 60));
            }
        }
        if (!others.empty())
        {
            report.LeaveOut("set of " + others, "say nothing of sizes or times");
        }
    }

    const std::string& File() const
    {
        return m_place.file;
    }

  private:
    static constexpr std::size_t MOST_PIECES{1'000'000};

    JsonPlace m_place;
    std::size_t m_pieces{0};
    Json m_members;
    std::set<std::string> m_used;
};

std::string
TypeOf(DdpLogging& logging, ImportReport& report)
{
    const auto name = logging.Text("dtypes");
    if (name.empty())
    {
        return "";
    }
    const auto type = FindElementType(name);
    if (!type || BytesOfGradientType(type->name) == 0)
    {
        report.Doubt(logging.File() + ": dtypes: '" + Printable(name.substr(0, 60)) +
                     "' is none of float, half and bfloat16");
        return "";
    }
    return type->name;
}

void
WarnOfOverlap(DdpLogging& logging, ImportReport& report)
{
    const auto communication = logging.Time("avg_backward_comm_time", "backward_comm_time");
    const auto overlap = logging.Time("avg_backward_compute_comm_overlap_time",
                                      "backward_compute_comm_overlap_time");
    if (communication > 0 && overlap < communication / 10)
    {
        report.Warn("a run without overlap: less than a tenth of the communication goes on beside "
                    "backward");
    }
}

} // namespace

RecordedTraining
ReadDdpLogging(ByteSource& source, const ImportOptions& options, ImportReport& report)
{
    DdpLogging logging(source, report);
    RecordedTraining training;
    training.workers = logging.Count("world_size");
    training.model = logging.Text("module_name");
    training.gradientType = TypeOf(logging, report);
    const auto first = logging.Sizes("bucket_sizes");
    const auto rebuilt = logging.Sizes("rebuilt_bucket_sizes");
    const auto& sizes = rebuilt.empty() ? first : rebuilt;
    if (rebuilt.empty())
    {
        report.Warn("buckets are those before the first iteration: DDP had not rebuilt them yet");
    }
    const auto type = !training.gradientType.empty()  ? training.gradientType
                      : !options.gradientType.empty() ? options.gradientType
                                                      : "fp32";
    std::uint64_t bytes = 0;
    for (const auto size : sizes)
    {
        if (size % BytesOfGradientType(type) != 0)
        {
            throw InputError(fmt::format("{}: a bucket of {} bytes is no whole {} values "
                                         "(--gradient-type)",
                                         logging.File(),
                                         size,
                                         type));
        }
        bytes += size;
        training.buckets.push_back(size / BytesOfGradientType(type));
        training.sums.each.push_back({size, std::nullopt});
    }
    const auto forward = SharedOut(logging.Time("avg_forward_compute_time", "forward_compute_time"),
                                   training.buckets);
    const auto backward = SharedOut(
        logging.Time("avg_backward_compute_time", "backward_compute_time"), training.buckets);
    for (std::size_t i = training.buckets.size(); i-- > 0;)
    {
        training.layers.push_back(
            {fmt::format("bucket-{}", i + 1), {training.buckets[i]}, forward[i], backward[i], 0});
    }
    const auto total = logging.Count("total_parameter_size_bytes");
    if (total && *total == bytes)
    {
        report.Check(fmt::format("buckets add up to the {} bytes of all parameters", bytes));
    }
    else if (total)
    {
        report.Doubt(fmt::format("{}: total_parameter_size_bytes: is {}, buckets add up to {}",
                                 logging.File(),
                                 *total,
                                 bytes));
    }
    if (const auto ps = logging.Time("avg_backward_comm_time", "backward_comm_time"); ps > 0)
    {
        training.sums.togetherPs = ps;
    }
    WarnOfOverlap(logging, report);
    report.Assume("forward and backward times are shared out over buckets by elements");
    report.Assume("updates take no time: DDP does not see them");
    logging.LeaveOutTheRest(report);
    report.SetBytes(bytes, 0);
    return training;
}

} // namespace inca
