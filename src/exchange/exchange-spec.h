/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_EXCHANGE_SPEC_H
#define INCA_EXCHANGE_EXCHANGE_SPEC_H

#include "inca/exchange/step-plan.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/**
 * Of an all-to-all with unequal blocks: how much each worker sends to each other one, a row of each sender, or one row that is all
 * senders'. Numbers of 0 or more are relative: the sender that has most of them has the whole tensor.
 */
using BlockShares = std::shared_ptr<const std::vector<std::vector<double>>>;

/** The parameters of all exchanges; each reads its own. */
struct ExchangeSpec
{
    std::string algorithm{"ring"};
    Rank workers{4};
    std::string broadcast{"binomial"}; ///< flat or binomial
    Rank groupSize{4};                 ///< of the hierarchies; workers must be a multiple
    std::optional<Rank> servers{};     ///< of sharded-parameter-server; empty: as many as workers
    bool sharded{false}; ///< each worker updates the block that it sums, and sends weights on
    SumPhase phase{SumPhase::ALL_REDUCE}; ///< another one only if sharded
    bool ownBlocks{false}; ///< rings: worker w sums block w, as other exchanges have it; else w + 1
    Meaning collective{
        Meaning::SUM}; ///< or another one that the algorithm does not do (collectives.h)
    std::string allToAll{"pairwise"}; ///< of AllToAllNames
    BlockShares shares{};             ///< of a TRANSPOSE; null: its blocks are equal
    Rank expertsPerToken{
        0}; ///< of a DISPATCH or COMBINE, by switches or not: workers that get each part of a block; else 0
    /** Workers that share the weights out among them, each such group a replica of the others; 0: all workers are one. */
    Rank shardGroup{0};
    std::string replicaAlgorithm{
        "ring"};              ///< in groups: how each shard's sums are added over all of them
    Rank replicaGroupSize{4}; ///< groupSize of that
    bool groupsCross{true};   ///< what two-shot's groups send each other crosses groups
    bool addsReplicas{true};  ///< in groups: each shard's sums are added over all of them
    /** Consecutive workers that are one node, in which they add up and gather before and after nodes exchange; 1: none are. */
    Rank nodeSize{1};
    std::string nodeAlgorithm{"ring"}; ///< by which those of a node do
    /** Parts of an exchange of nodes follow each other through its stages, 8 at most, in messages between nodes of so much. */
    std::uint64_t partElements{0}; ///< 0: it is one part
    bool flatRing{false}; ///< through all workers, whatever nodes they are of; else in stages
    std::uint32_t ringChannels{1};
    std::uint64_t ringChunkElements{0};             ///< 0: as large as a channel's blocks
    std::uint64_t treeChunkElements{64 * 1024 / 4}; ///< at least 1
    std::uint64_t bytesPerElement{4};               ///< complaints express chunks in bytes with it
    std::string library{"none"}; ///< picks algorithm, channels and chunks (library.h)
    // -- what libraries look at
    Rank gpus{1};                        ///< of each worker that is a whole node
    Rank nics{1};                        ///< of each node
    std::uint64_t linkBytesPerSecond{0}; ///< of all of them together
    std::uint64_t gpuBytesPerSecond{0};  ///< of a GPU inside its node

    /** Whole nodes; workers, if each is one. */
    Rank Nodes() const
    {
        return workers / nodeSize;
    }

    /** Whether nodes are nothing of their own: one ring goes through all their workers. */
    bool IsFlatRing() const
    {
        return flatRing && algorithm == "ring" && shardGroup == 0;
    }

    /** Whether workers exchange inside their nodes, and nodes among each other (MakePlanInNodes). */
    bool IsInNodes() const
    {
        return nodeSize > 1 && Nodes() > 1 && !IsFlatRing();
    }

    /** The same, and groups that share the weights out are of several whole nodes each, if there are any. */
    bool HasNodeStages() const
    {
        return IsInNodes() && shardGroup != nodeSize && shardGroup % nodeSize == 0;
    }

    /** One worker in so many gets, or adds to, a part of a block (Step::oneIn). */
    Rank OneIn() const
    {
        return expertsPerToken == 0 ? 1 : std::max<Rank>(1, workers / expertsPerToken);
    }

    /** What its plan means. */
    Meaning Means() const
    {
        const bool isRouted = collective == Meaning::SUM && expertsPerToken > 0;
        return collective != Meaning::SUM      ? collective
               : !isRouted                     ? MeaningOf(phase)
               : phase == SumPhase::ALL_GATHER ? Meaning::DISPATCH
                                               : Meaning::COMBINE;
    }

    Rank Servers() const
    {
        return servers.value_or(workers);
    }
};

/** More ranks than these are refused, so that positions and their sums stay far from overflow. */
constexpr Rank MOST_RANKS{1'000'000};

/** More steps of one rank than this are refused: to count them alone takes a second. */
constexpr std::uint64_t MOST_STEPS{10'000'000};

/** @return "key: text" for each problem, of an exchange that any 2 to 1,000,000 workers can run */
std::vector<std::string> WorkerComplaints(const ExchangeSpec& spec);

/**
 * The size of a hierarchy's groups where none is given: the largest up to 4 that cuts the workers into two or more
 * equal groups, or the smallest beyond that does. @return 4 if no size does
 */
Rank UsualGroupSize(Rank workers);

} // namespace inca

#endif // INCA_EXCHANGE_EXCHANGE_SPEC_H
