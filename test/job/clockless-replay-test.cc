/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/clockless-replay.h"

#include "base/errors.h"
#include "exchange/all-exchanges.h"
#include "exchange/all-to-all.h"
#include "exchange/composed-plan.h"
#include "exchange/listed-plan.h"
#include "exchange/pieces.h"
#include "job/chunk-replay.h"
#include "job/verifier.h"
#include "support/float-words.h"
#include "support/made-up-codec.h"
#include "support/why-not.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** What the network adds, it adds in fp32, in the order of the workers. */
ValueHooks
PlainHooks(Rank workers)
{
    ValueHooks hooks;
    hooks.network = MakeNetworkReduction({workers, WordSum::FP32});
    return hooks;
}

using PerWorker = std::vector<std::vector<float>>;

/** A small whole number that differs between workers and between elements; sums of it are exact. */
float
WholeGradient(Rank worker, std::uint64_t element)
{
    return static_cast<float>((worker + 1) * (element % 97 + 1) + element % 13);
}

/** Tells workers and their elements apart. */
float
CountedGradient(Rank worker, std::uint64_t element)
{
    return static_cast<float>(10 * worker + element);
}

/** Gradients whose fp32 sum depends on the order of addition. */
float
RoughGradient(Rank worker, std::uint64_t element)
{
    return WholeGradient(worker, element) / 3.0F;
}

template <typename Gradient>
WorkerWords
Every(Gradient gradient)
{
    const WorkerGradient floats = [gradient](Rank worker, ElementRange range, float* out) {
        for (std::uint64_t i = 0; i < range.count; ++i)
        {
            out[i] = gradient(worker, range.begin + i);
        }
    };
    return WordsOf(floats);
}

std::vector<float>
ExactSums(Rank workers, std::uint64_t elements)
{
    std::vector<float> sums(elements, 0);
    for (std::uint64_t i = 0; i < elements; ++i)
    {
        for (Rank worker = 0; worker < workers; ++worker)
        {
            sums[i] += WholeGradient(worker, i);
        }
    }
    return sums;
}

/** A codec that keeps multiples of 1/4: loses something, but only once. */
void
Coarsen(float* values, std::uint64_t count)
{
    for (std::uint64_t i = 0; i < count; ++i)
    {
        values[i] = std::trunc(values[i] * 4) / 4;
    }
}

void
CoarsenGradients(Rank /*from*/, const Transfer& transfer, float* values, std::uint64_t count)
{
    if (transfer.kind == PayloadKind::GRADIENT)
    {
        Coarsen(values, count);
    }
}

PerWorker
Replayed(ClocklessReplay& replay, ElementRange window)
{
    replay.Run(window);
    PerWorker results;
    for (Rank worker = 0; worker < replay.WorkerCount(); ++worker)
    {
        std::vector<Word> words(window.count);
        replay.ValuesOf(worker).Read(window, words.data());
        results.push_back(ToFloats(words));
    }
    return results;
}

PerWorker
Replayed(ClocklessReplay&& replay, ElementRange window)
{
    return Replayed(replay, window);
}

void
ExpectExactSums(const ExchangeSpec& spec, std::uint64_t elements)
{
    const auto plan = MakeStepPlan(spec, elements);
    ClocklessReplay replay(*plan, Every(WholeGradient), PlainHooks(spec.workers));
    const PerWorker expected(spec.workers, ExactSums(spec.workers, elements));
    ASSERT_EQ(Replayed(replay, {0, elements}), expected) << Describe(spec, elements);
}

std::string
ComplaintOf(ClocklessReplay replay, ElementRange window)
{
    return WhyNot<InvariantError>([&] { Replayed(replay, window); });
}

} // namespace

TEST(ClocklessReplay, EveryWorkerOfEveryExchangeEndsWithTheExactSum)
{
    for (Rank workers = 2; workers <= 17; ++workers)
    {
        for (const auto& spec : AllExchanges(workers))
        {
            for (std::uint64_t elements = 0; elements <= 50; ++elements)
            {
                ExpectExactSums(spec, elements);
            }
            ExpectExactSums(spec, 1009);
        }
    }
}

/* A ring of 6 has 10 steps, one of 80 has 158: steps of other windows are passed over one by one, or 64 at once. */
TEST(ClocklessReplay, AWindowHasTheValuesOfTheWhole)
{
    auto specs = AllExchanges(6);
    const auto larger = AllExchanges(80);
    specs.insert(specs.end(), larger.begin(), larger.end());
    for (const auto& spec : specs)
    {
        const std::uint64_t elements = 101;
        const auto plan = MakeStepPlan(spec, elements);
        ClocklessReplay replay(
            *plan, Every(RoughGradient), PlainHooks(spec.workers), CoarsenGradients);
        const auto whole = Replayed(replay, {0, elements});
        for (std::uint64_t begin = 0; begin < elements; begin += 10)
        {
            const auto window = Clip({begin, 10}, {0, elements});
            const auto part = Replayed(replay, window);
            for (Rank worker = 0; worker < spec.workers; ++worker)
            {
                const auto first = whole[worker].begin() + static_cast<std::ptrdiff_t>(begin);
                const std::vector<float> expected(
                    first, first + static_cast<std::ptrdiff_t>(window.count));
                EXPECT_EQ(part[worker], expected) << Describe(spec, elements) << " at " << begin;
            }
        }
    }
}

/* Gradients 2^24, 1 and 1 of 3 workers: fp32 (24 bits, ties to even) gives 2^24 + 1 = 2^24 but 1 + 1 = 2. */
TEST(ClocklessReplay, AddsInTheOrderOfTheExchange)
{
    struct Row
    {
        ExchangeSpec spec;
        std::vector<float> sums;
    };

    const Row rows[] = {
        // Block b starts at worker b. A step is received + own: element 0 is (g0 + g1) + g2, element 1 is
        // (g1 + g2) + g0, element 2 is (g2 + g0) + g1: (2^24 + 1) + 1 = 2^24; (1 + 1) + 2^24 = 2^24 + 2; (1 +
        // 2^24) + 1 = 2^24.
        {{"ring", 3, "flat", 2}, {0x1p24F, 0x1p24F + 2, 0x1p24F}},
        // Worker 0 upwards: (2^24 + 1) + 1 = 2^24, although 1 + 1 + 2^24 would be 2^24 + 2.
        {{"worker-aggregator", 3, "flat", 2}, {0x1p24F}},
        // The same by each worker; and in groups of 2, of which the second sum, 1 + 1, counts: 2^24 + 1, then + 2.
        {{"two-shot", 3, "flat", 3}, {0x1p24F, 0x1p24F, 0x1p24F}},
        {{"two-shot", 4, "flat", 2}, {0x1p24F + 2, 0x1p24F + 2, 0x1p24F + 2, 0x1p24F + 2}},
        // The same on a server, which makes nothing more of the sum.
        {{"sharded-parameter-server", 3, "flat", 2, 2}, {0x1p24F, 0x1p24F}},
    };
    const auto own = Every([](Rank worker, std::uint64_t) { return worker == 0 ? 0x1p24F : 1.0F; });
    for (const auto& row : rows)
    {
        const auto plan = MakeStepPlan(row.spec, row.sums.size());
        EXPECT_EQ(Replayed({*plan, own, {}}, {0, row.sums.size()}),
                  PerWorker(row.spec.workers, row.sums))
            << row.spec.algorithm;
    }
}

/* 2 workers of 0.625, codec keeps multiples of 1/4: the server gets 0.5 twice, and 1.0 goes back. Of
 * 0.875 each, it gets 0.75 twice, and 1.5 goes back. No owner keeps anything, be it zero. */
TEST(ClocklessReplay, AServersSumReachesAllWorkersInTheSameForm)
{
    const auto plan = MakeStepPlan({"sharded-parameter-server", 2, "flat", 2, 2}, 2);
    const auto own =
        Every([](Rank, std::uint64_t element) { return element == 0 ? 0.625F : 0.875F; });
    const PerWorker expected(2, {1.0F, 1.5F});
    EXPECT_EQ(Replayed({*plan, own, {}, CoarsenGradients}, {0, 2}), expected);
    const auto forget = [](float* values, std::uint64_t count) {
        std::fill_n(values, count, 0.0F);
    };
    EXPECT_EQ(Replayed({*plan, own, {{}, forget}, CoarsenGradients}, {0, 2}), expected);
}

/* 2 workers, 2 elements, own gradients 0.625 and 0.625, codec keeps multiples of 1/4. Worker 1 gets
 * 0.5 of worker 0 for element 0 and adds 0.625: it owns 1.125 and sends 1.0. Likewise worker 0 owns
 * 1.125 of element 1. Exact owners keep 1.125, coded ones 1.0. */
TEST(ClocklessReplay, AnExactOwnerDiffersFromTheOthersAndACodedOneDoesNot)
{
    const auto plan = MakeStepPlan({"ring", 2, "flat", 2}, 2);
    const auto own = Every([](Rank, std::uint64_t) { return 0.625F; });
    const PerWorker exact{{1.0F, 1.125F}, {1.125F, 1.0F}};
    EXPECT_EQ(Replayed({*plan, own, {}, CoarsenGradients}, {0, 2}), exact);
    EXPECT_EQ(Replayed({*plan, own, {{}, Coarsen}, CoarsenGradients}, {0, 2}),
              PerWorker(2, {1.0F, 1.0F}));
}

/*
 * 2 workers that keep multiples of 1/4, with 0.625 and 0.875 of both elements: 0.5 + 0.75 = 1.25 of both, as both go
 * through the codec. An engine does not see what stays: worker 0 adds 0.625 + 0.75 = 1.375, keeps it, and sends 1.25; worker 1
 * adds 0.5 + 0.875 = 1.375 likewise.
 */
TEST(ClocklessReplay, AHostsCodecCodesWhatAWorkerSendsToItself)
{
    const auto plan = MakeStepPlan({"two-shot", 2, "flat", 2}, 2);
    const auto own =
        Every([](Rank worker, std::uint64_t) { return worker == 0 ? 0.625F : 0.875F; });
    EXPECT_EQ(Replayed({*plan, own, {}, CoarsenGradients}, {0, 2}), PerWorker(2, {1.25F, 1.25F}));
    const Wire engines =
        [](Rank from, const Transfer& transfer, float* values, std::uint64_t count) {
            if (!IsToSelf(from, transfer))
            {
                Coarsen(values, count);
            }
        };
    const PerWorker apart{{1.375F, 1.25F}, {1.25F, 1.375F}};
    EXPECT_EQ(Replayed({*plan, own, {}, engines}, {0, 2}), apart);
}

/* But for recursive doubling: nobody owns a sum there, each member adds its own values as they are. */
TEST(ClocklessReplay, CodedOwnersMakeAllReplicasEqualInEveryExchange)
{
    for (const auto& spec : AllExchanges(12))
    {
        if (spec.algorithm == "recursive-doubling")
        {
            continue;
        }
        const auto plan = MakeStepPlan(spec, 77);
        auto hooks = PlainHooks(spec.workers);
        hooks.keepOwned = Coarsen;
        ClocklessReplay replay(*plan, Every(RoughGradient), hooks, CoarsenGradients);
        const auto results = Replayed(replay, {0, 77});
        EXPECT_EQ(results, PerWorker(spec.workers, results[0])) << Describe(spec, 77);
    }
}

/* Blocks of 4 of 10 elements; a window holds whole ones, the last of them short. */
TEST(ClocklessReplay, TheNetworkAddsBlockByBlock)
{
    const auto plan = MakeStepPlan({"switch-tree", 3, "flat", 2}, 10);
    ValueHooks hooks;
    hooks.network.block = 4;
    hooks.network.add = [](const auto& perWorker, std::uint64_t count, Word* sum) {
        for (std::uint64_t i = 0; i < count; ++i) // each value plus its block's first
        {
            sum[i] = BitsOf(FloatOf(perWorker[0][i]) + FloatOf(perWorker[2][i / 4 * 4]));
        }
    };
    const auto own = Every([](Rank worker, std::uint64_t element) {
        return static_cast<float>(100 * worker + element);
    });
    ClocklessReplay replay(*plan, own, hooks);
    EXPECT_EQ(Replayed(replay, {4, 6}), PerWorker(3, {208, 209, 210, 211, 216, 217}));
    EXPECT_EQ(Replayed(replay, {4, 4}), PerWorker(3, {208, 209, 210, 211}));
    EXPECT_THAT(ComplaintOf({*plan, own, hooks}, {2, 8}),
                testing::HasSubstr("elements 2 .. 10 cut a block"));
    EXPECT_THAT(ComplaintOf({*plan, own, hooks}, {0, 6}),
                testing::HasSubstr("elements 0 .. 6 cut a block"));
}

TEST(ClocklessReplay, TheNetworkAddsWhenAllWorkersAreAtTheSameSum)
{
    const ListedPlan alone(4, {{SumOf({0, 4})}, {Step()}});
    const auto plan = MakeStepPlan({"switch-slots", 2}, 4);
    EXPECT_EQ(ComplaintOf({*plan, Every(WholeGradient), {}}, {0, 4}),
              "the network adds, and no hook says how");
    EXPECT_EQ(ComplaintOf({alone, Every(WholeGradient), PlainHooks(2)}, {0, 4}),
              "rank 0 waits in step 0 for the network's sum, which 1 of 2 workers take part in");
    const ListedPlan different(4, {{SumOf({0, 4})}, {SumOf({1, 3})}});
    EXPECT_EQ(ComplaintOf({different, Every(WholeGradient), PlainHooks(2)}, {0, 4}),
              "worker 1 has the network add other elements than worker 0");
}

/*
 * Three workers with 10 w + e as element e. Transposed, block i of worker w, of two values, is block w of worker i; a
 * broadcast gives all what worker 0 has; and the last worker gets elements 0 .. 3 of worker 0 as its last ones.
 */
TEST(ClocklessReplay, WorkersEndWithWhatThePlanMeans)
{
    const auto own = Every(CountedGradient);
    EXPECT_EQ(Replayed({AllToAll(3, 6), own, {}}, {0, 6}),
              (PerWorker{{0, 1, 10, 11, 20, 21}, {2, 3, 12, 13, 22, 23}, {4, 5, 14, 15, 24, 25}}));
    const auto all = [](Rank rank) -> std::optional<Seat> { return Seat{{}, rank}; };
    const ComposedPlan toAll(
        3, 0, 3, {{Broadcast({"", 3, "flat"}, 3, 3), all}}, Meaning::BROADCAST);
    EXPECT_EQ(toAll.Means(), Meaning::BROADCAST);
    EXPECT_EQ(InterleavedPlan(std::make_shared<ComposedPlan>(toAll), 1)->Means(),
              Meaning::BROADCAST);
    EXPECT_EQ(Replayed({toAll, own, {}}, {0, 3}), PerWorker(3, {0, 1, 2}));
    std::vector<std::vector<Step>> steps(3, std::vector<Step>(1));
    Transfer toLast{2, {0, 4}};
    toLast.shift = 2;
    steps[0][0].sends = {toLast};
    steps[2][0].receives = {toLast.SeenByPeer(0)};
    EXPECT_EQ(Replayed({ListedPlan(6, steps, Meaning::SEND), own, {}}, {0, 6}).back(),
              (std::vector<float>{20, 21, 0, 1, 2, 3}));
}

/* Elements 0 .. 3 go to 2 .. 5: a window of 0 .. 5 has both ends, one of 6 and 7 neither, one of 0 .. 3 the sender's alone. */
TEST(ClocklessReplay, AWindowHasBothEndsOfWhatChangesItsPlace)
{
    std::vector<std::vector<Step>> steps(2, std::vector<Step>(1));
    Transfer moved{1, {0, 4}};
    moved.shift = 2;
    steps[0][0].sends = {moved};
    steps[1][0].receives = {moved.SeenByPeer(0)};
    const ListedPlan plan(8, steps);
    const auto own = Every(CountedGradient);
    ClocklessReplay replay(plan, own, {});
    for (int i = 0; i < 2; ++i) // steps of other windows are passed over afterwards
    {
        EXPECT_EQ(Replayed(replay, {0, 6}).back(), (std::vector<float>{10, 11, 0, 1, 2, 3}));
        EXPECT_EQ(Replayed(replay, {6, 2}).back(), (std::vector<float>{16, 17}));
    }
    for (const ElementRange window : {ElementRange{0, 4}, {4, 2}, {1, 5}, {0, 5}, {2, 2}})
    {
        EXPECT_EQ(ComplaintOf({plan, own, {}}, window),
                  "a window cuts what rank 0 sends to another place");
    }
}

/* Two ranks that each wait for the other to send first. */
TEST(ClocklessReplay, SaysWhoWaitsForWhom)
{
    std::vector<std::vector<Step>> steps(2, std::vector<Step>(2));
    for (const Rank rank : {0U, 1U})
    {
        steps[rank][0].receives = {{1 - rank, {0, 1}, PayloadKind::GRADIENT}};
        steps[rank][1].sends = {{1 - rank, {0, 1}, PayloadKind::GRADIENT}};
    }
    const ListedPlan plan(1, steps);
    EXPECT_THAT(ComplaintOf({plan, Every(WholeGradient), {}}, {0, 1}),
                testing::HasSubstr("rank 0 waits in step 0 for rank 1"));
}

/* A codec makes of each 8 values of a message the first. Windows of 2^16 values would cut some: from 70'001 on, where the
 * second block begins, it is 61'071 values to the second window's end. */
TEST(Verifier, KeepsGroupsOfACodecTogether)
{
    constexpr std::uint64_t elements = 3 * 70'001;
    ExchangeSpec spec;
    spec.workers = 3;
    const auto job = MakeTensorJob(spec, elements);
    job->ownGradient = [](Rank worker, ElementRange range, float* out) {
        for (std::uint64_t i = 0; i < range.count; ++i)
        {
            out[i] = WholeGradient(worker, range.begin + i);
        }
    };
    CodedBy(std::make_shared<MadeUpCodec>([](float* values, std::size_t count) {
                for (std::size_t i = 0; i < count; ++i)
                {
                    values[i] = values[i / 8 * 8];
                }
            }),
            job);
    ClocklessReplay whole(
        *job->chunks.front().rounds.front().plan, WordsOf(job->ownGradient), {}, WireOf(*job));
    whole.Run({0, elements});
    const auto verify = [&] {
        Verifier verifier(job);
        for (const Rank worker : {0U, 1U, 2U})
        {
            verifier.Take(
                worker, 0, {std::make_unique<RankValues>(whole.ValuesOf(worker)), {}, nullptr});
        }
        return verifier.Compared();
    };
    EXPECT_THROW(verify(), InvariantError);
    job->coding.groups[0].group = 8;
    EXPECT_EQ(verify(), 3 * elements);
}

/* 256 + 1 is 257, and 256 in bf16: 1 off, which is 2^-8 of all that is added. In fp32 that is no sum. */
TEST(Verifier, AsksWhoAddsWhatASumMayBe)
{
    const auto job = MakeTensorJob({"switch-slots", 2}, 4);
    job->ownGradient = [](Rank worker, ElementRange range, float* out) {
        std::fill_n(out, range.count, worker == 0 ? 256.0F : 1.0F);
    };
    auto& network = job->chunks.front().rounds.front().hooks.network;
    network.isExact = false;
    const auto held = [](ElementRange range, Word* out) {
        std::fill_n(out, range.count, BitsOf(256.0F));
    };
    const auto verify = [&] {
        Verifier verifier(job);
        for (const Rank worker : {0U, 1U})
        {
            auto values = std::make_unique<RankValues>(ElementRange{0, 4}, held, ValueHooks{});
            verifier.Take(worker, 0, {std::move(values), {}, nullptr});
        }
        return verifier.Errors().largest;
    };
    EXPECT_THROW(verify(), InvariantError);
    network.isSum = [](double value, double sum, double magnitude) {
        return std::fabs(value - sum) <= std::ldexp(magnitude, -8);
    };
    EXPECT_EQ(verify(), 1);
}

} // namespace inca
