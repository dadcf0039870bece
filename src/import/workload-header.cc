/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/workload-header.h"

#include "base/nearest.h"
#include "import/field-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace inca
{

namespace
{

/** @return whether @p word is meant as a number: "8", "1e6", "50331648.0" */
bool
IsNumber(const std::string& word)
{
    return word.find_first_not_of("0123456789.eE+-") == std::string::npos &&
           word.find_first_of("0123456789") != std::string::npos;
}

/** A key of the header, and the numbers that follow it. */
struct HeaderKey
{
    std::string name;
    std::vector<std::string> numbers;
};

class HeaderReader
{
  public:
    HeaderReader(const InputPlace& place, ImportReport& report)
        : m_place(place),
          m_report(report)
    {
    }

    WorkloadHeader Read(const std::vector<std::string>& words)
    {
        if (words.empty() || !IsWorkloadPolicy(words.front()))
        {
            throw InputError(
                m_place,
                "policy: " + UnknownName(words.empty() ? "" : words.front(), WorkloadPolicies()));
        }
        m_header.policy = words.front();
        ReadKeys(words);
        CountWorkers();
        return m_header;
    }

  private:
    /** "model_parallel_NPU_group: 8 ep: 1 ..."; checkpoints have their number, and the ids of layers. */
    void ReadKeys(const std::vector<std::string>& words)
    {
        std::vector<HeaderKey> keys(1); // numbers before any key
        for (std::size_t i = 1; i < words.size(); ++i)
        {
            if (IsNumber(words[i]))
            {
                keys.back().numbers.push_back(words[i]);
                continue;
            }
            auto& key = keys.emplace_back().name = words[i];
            key.erase(std::find(key.begin(), key.end(), ':'), key.end());
        }
        const bool hasLastBottomLayer = m_header.policy.rfind("HYBRID_DLRM", 0) == 0;
        if (keys.front().numbers.size() > (hasLastBottomLayer ? 1 : 0))
        {
            Doubt("header", "has numbers without a key before them");
        }
        for (auto key = std::next(keys.begin()); key != keys.end(); ++key)
        {
            TakeKey(*key);
        }
    }

    void CountWorkers()
    {
        if (m_allGpus == 0)
        {
            return;
        }
        const auto others = m_tensorParallel * m_pipelineParallel;
        if (others == 0 || m_allGpus % others != 0)
        {
            Doubt("all_gpus",
                  fmt::format("is no multiple of {} of tensor and {} of pipeline parallelism",
                              m_tensorParallel,
                              m_pipelineParallel));
        }
        m_header.workers = others == 0 ? m_allGpus : m_allGpus / others;
    }

    void TakeKey(const HeaderKey& key)
    {
        static const std::vector<std::string> single{
            "model_parallel_NPU_group", "ep", "pp", "vpp", "ga", "all_gpus", "pp_comm"};
        static const std::vector<std::string> lists{"checkpoints", "checkpoint_initiates"};
        const auto isAmong = [&key](const std::vector<std::string>& names) {
            return std::find(names.begin(), names.end(), key.name) != names.end();
        };
        if (isAmong(lists))
        {
            TakeCheckpoints(key);
        }
        else if (!isAmong(single))
        {
            auto known = single;
            known.insert(known.end(), lists.begin(), lists.end());
            m_report.Unknown(
                AtKey(m_place, "header").Prefix(), "key of a workload's header", key.name, known);
        }
        else if (key.numbers.size() != 1)
        {
            Doubt(key.name, fmt::format("has {} numbers, not one", key.numbers.size()));
        }
        else
        {
            TakeNumber(key.name, key.numbers.front());
        }
    }

    /** Layers whose forward pass is computed again in backward, which their times do not tell. */
    void TakeCheckpoints(const HeaderKey& key)
    {
        for (const auto& number : key.numbers)
        {
            ParseCount(AtKey(m_place, key.name), number);
        }
        const auto count =
            key.numbers.empty() ? 0 : ParseCount(AtKey(m_place, key.name), key.numbers.front());
        if (key.name == "checkpoints" && count > 0)
        {
            m_report.LeaveOut("checkpointing of the header",
                              "the forward pass that backward computes again is in no layer's time",
                              0,
                              count);
        }
    }

    void TakeNumber(const std::string& key, const std::string& text)
    {
        if (key == "all_gpus")
        {
            m_allGpus = ParseCount(AtKey(m_place, key), text);
        }
        else if (key == "model_parallel_NPU_group")
        {
            m_tensorParallel = ParseCount(AtKey(m_place, key), text);
        }
        else if (key == "pp")
        {
            m_pipelineParallel = ParseCount(AtKey(m_place, key), text);
        }
        else if (key == "ga" && ParseCount(AtKey(m_place, key), text) > 1)
        {
            m_report.Assume("ga: " + text +
                            ": the lines are one iteration, not one of its micro-batches");
        }
        else if (key == "ep" || key == "vpp")
        {
            ParseCount(AtKey(m_place, key), text);
        }
        else if (key == "pp_comm")
        {
            const auto bytes =
                ParseTime(AtKey(m_place, key), text, "ns") / 1000; // may be written 1e6
            if (bytes > 0)
            {
                m_report.LeaveOut("pp_comm of the header",
                                  "pipeline parallel, which INCA does not simulate",
                                  static_cast<std::uint64_t>(bytes));
            }
        }
    }

    void Doubt(const std::string& key, const std::string& text)
    {
        m_report.Doubt(AtKey(m_place, key).Prefix() + text);
    }

    const InputPlace& m_place;
    ImportReport& m_report;
    WorkloadHeader m_header;
    std::uint64_t m_allGpus{0};
    std::uint64_t m_tensorParallel{1};
    std::uint64_t m_pipelineParallel{1};
};

} // namespace

const std::vector<std::string>&
WorkloadPolicies()
{
    static const std::vector<std::string> policies{"MICRO",
                                                   "DATA",
                                                   "MODEL",
                                                   "HYBRID_DATA_MODEL",
                                                   "HYBRID_MODEL_DATA",
                                                   "HYBRID_CUSTOMIZED",
                                                   "DISTRIBUTED_INFERENCE",
                                                   "HYBRID_DLRM",
                                                   "HYBRID_DLRM_ENHANCED",
                                                   "HYBRID_TRANSFORMER",
                                                   "HYBRID_TRANSFORMER_FWD_IN_BCKWD"};
    return policies;
}

bool
IsWorkloadPolicy(const std::string& word)
{
    return std::find(WorkloadPolicies().begin(), WorkloadPolicies().end(), word) !=
           WorkloadPolicies().end();
}

WorkloadHeader
ReadWorkloadHeader(const std::vector<std::string>& words,
                   const InputPlace& place,
                   ImportReport& report)
{
    return HeaderReader(place, report).Read(words);
}

} // namespace inca
