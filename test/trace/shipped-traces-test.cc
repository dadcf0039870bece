/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/native-trace.h"
#include "trace/trace-catalog.h"

#include <gtest/gtest.h>

#include <fstream>
#include <vector>

namespace inca
{

namespace
{

/** What a trace's layers add up to. */
struct Totals
{
    std::size_t layers{0};
    std::uint64_t elements{0};
    std::int64_t forwardPs{0};
    std::int64_t backwardPs{0};
    std::int64_t updatePs{0};
    std::int64_t aggregatorUpdatePs{0};
};

GradientTrace
Shipped(const std::string& name)
{
    return ReadTrace(std::string(INCA_SOURCE_DIR) + "/traces/" + name + ".csv");
}

Totals
TotalsOf(const GradientTrace& trace)
{
    Totals totals;
    for (const auto& layer : trace.layers)
    {
        ++totals.layers;
        totals.elements += layer.elements;
        totals.forwardPs += layer.forwardPs;
        totals.backwardPs += layer.backwardPs;
        totals.updatePs += layer.updatePs;
        totals.aggregatorUpdatePs += layer.aggregatorUpdatePs.value_or(0);
    }
    return totals;
}

void
ExpectTotals(const std::string& name, const Totals& expected)
{
    const auto totals = TotalsOf(Shipped(name));
    EXPECT_EQ(totals.layers, expected.layers) << name;
    EXPECT_EQ(totals.elements, expected.elements) << name;
    EXPECT_EQ(totals.forwardPs, expected.forwardPs) << name;
    EXPECT_EQ(totals.backwardPs, expected.backwardPs) << name;
    EXPECT_EQ(totals.updatePs, expected.updatePs) << name;
    EXPECT_EQ(totals.aggregatorUpdatePs, expected.aggregatorUpdatePs) << name;
}

/** 32 bits over the mean encoded width, the same on every layer. */
double
RatioOf(const LayerRecord& layer, unsigned bound)
{
    const auto& w = layer.statistics.widths.at(bound);
    return 32 / (2 * w[0] + 10 * w[1] + 18 * w[2] + 34 * w[3]);
}

void
ExpectRatios(const std::string& name, double at10, double at8, double at6)
{
    for (const auto& layer : Shipped(name).layers)
    {
        EXPECT_NEAR(RatioOf(layer, 10), at10, 0.005) << name << " " << layer.name;
        EXPECT_NEAR(RatioOf(layer, 8), at8, 0.005) << name << " " << layer.name;
        EXPECT_NEAR(RatioOf(layer, 6), at6, 0.005) << name << " " << layer.name;
    }
}

constexpr std::int64_t g_ps = 1'000'000'000; // of a hundredth of Table II's 0.1 s, i.e. 1 ms

/** What a model's times follow from. */
struct Work
{
    double uses{0};              ///< of the layers in one iteration: samples, or their words
    double macs{0};              ///< multiply-accumulates of one use
    double values{0};            ///< besides them, read or written by one use
    double embeddingElements{0}; ///< of embeddings with zeros, whose gradient is written as a whole
};

/** 15.7 TFLOP/s at 0.40, 900 GB/s, 7 passes of Adam; a layer's times are rounded to 1 ps. */
void
ExpectTimes(const std::string& name, const Work& work)
{
    constexpr double flopPerPs = 15.7 * 0.40;
    constexpr double valuesPerPs = 0.9 / 4;
    const auto totals = TotalsOf(Shipped(name));
    const auto roundingPs = static_cast<double>(totals.layers);
    const double forwardPs = work.uses * (2 * work.macs / flopPerPs + work.values / valuesPerPs);
    const double backwardPs = 2 * forwardPs + work.embeddingElements / valuesPerPs;
    const double updatePs = 7 * static_cast<double>(totals.elements) / valuesPerPs;
    EXPECT_NEAR(static_cast<double>(totals.forwardPs), forwardPs, roundingPs) << name;
    EXPECT_NEAR(static_cast<double>(totals.backwardPs), backwardPs, roundingPs) << name;
    EXPECT_NEAR(static_cast<double>(totals.updatePs), updatePs, roundingPs) << name;
}

} // namespace

/* Table II gives seconds per 100 iterations, so 3.13 s are 31.3 ms an iteration. What Fig. 12
 * leaves for a worker's update, per 100 iterations: AlexNet 0.147 * 196.35 - 3.13 - 16.22 - 5.68 -
 * 100 * 3/4 * 244403360 / 8.4e9 = 28.86345 - 25.03 - 2.18217286 = 1.65127714 s; HDC
 * 0.132 * 1.7 - 0.08 - 0.07 - 100 * 3/4 * 2592040 / 8.4e9 = 0.05125678571 s. */
TEST(ShippedTraces, PaperModelsAddUpToTheTables)
{
    ExpectTotals(
        "alexnet",
        {8, 61'100'840, 313 * g_ps / 10, 1622 * g_ps / 10, 16'512'771'429, 1367 * g_ps / 10});
    ExpectTotals("hdc", {3, 648'010, 8 * g_ps / 10, 7 * g_ps / 10, 512'567'857, 9 * g_ps / 10});
    ExpectTotals(
        "resnet-50",
        {107, 25'557'032, 263 * g_ps / 10, 487 * g_ps / 10, 155 * g_ps / 10, 155 * g_ps / 10});
    ExpectTotals(
        "vgg-16",
        {16, 138'357'544, 3525 * g_ps / 10, 14234 * g_ps / 10, 3050 * g_ps / 10, 3050 * g_ps / 10});
}

/* Table III's mean widths: AlexNet at 2^-10 is 0.749 * 2 + 0.039 * 10 + 0.211 * 18 + 0.001 * 34 =
 * 5.72 bits, a ratio of 5.594; the others alike. */
TEST(ShippedTraces, WidthsHaveTheRatiosOfTableThree)
{
    ExpectRatios("alexnet", 5.594, 8.811, 12.340);
    ExpectRatios("hdc", 11.594, 13.245, 14.585);
    ExpectRatios("resnet-50", 9.112, 12.149, 14.599);
    ExpectRatios("vgg-16", 11.204, 13.889, 14.440);
}

/* Sums of traces/source/measured-buckets.json. */
TEST(ShippedTraces, MeasuredModelsAddUpToTheirSource)
{
    ExpectTotals("alexnet-v100", {4, 61'100'840, 133'007'040'500, 122'379'591'500, 435'737'000, 0});
    ExpectTotals("alexnet-a100", {4, 61'100'840, 79'861'469'000, 57'698'023'500, 586'401'000, 0});
    ExpectTotals("bert-v100", {38, 335'150'082, 31'201'133'500, 198'215'052'500, 7'568'344'002, 0});
    ExpectTotals("vgg19-a100", {6, 143'667'240, 81'614'748'000, 164'781'615'000, 1'044'255'000, 0});
    const auto buckets = TotalsOf(Shipped("resnet50-a100"));
    ExpectTotals("resnet-50-a100",
                 {107, 25'557'032, buckets.forwardPs, buckets.backwardPs, buckets.updatePs, 0});
    EXPECT_EQ(Shipped("bert-v100").model, "BERT-large");
    EXPECT_FALSE(Shipped("bert-v100").batch);
}

/* NCF: (498,975 users + 427,888 items) * (64 + 128) = 177,957,696; MLP 256 * 256 + 256 + 256 * 128 +
 * 128 + 128 * 64 + 64 = 106,944; output 128 + 1.
 * LSTM: 2 * 793,471 * 256 + 793,471 = 407,050,623; four gates 8192 * (256 + 2048) + 2 * 8192 =
 * 18,890,752; projection 2048 * 256 + 256.
 * VGG-19 is known to have 143,667,240.
 * BERT-base: (30,522 + 512 + 2) * 768 + 2 * 768 = 23,837,184; 12 times 4 * (768^2 + 768) + 2 * 768 *
 * 3072 + 3072 + 768 + 4 * 768 = 7,087,872; pooler 768^2 + 768 = 590,592.
 * Tensors: 4 + 3 * 2 + 2; 1 + 4 + 2 + 2; (16 + 3) * 2; 5 + 12 * 16 + 2. */
TEST(ShippedTraces, SparseModelsHaveEveryTensor)
{
    const auto expectSize =
        [](const std::string& name, std::size_t layers, std::uint64_t elements) {
            EXPECT_EQ(Shipped(name).layers.size(), layers) << name;
            EXPECT_EQ(Shipped(name).Elements(), elements) << name;
        };
    expectSize("ncf", 12, 177'957'696 + 106'944 + 129);
    expectSize("lstm", 9, 407'050'623 + 18'890'752 + 524'544);
    expectSize("vgg-19", 38, 143'667'240);
    expectSize("bert-base", 199, 109'482'240);
    EXPECT_EQ(23'837'184 + 12 * 7'087'872 + 590'592, 109'482'240);
}

/* NCF, 131,072 samples: 65,536 + 32,768 + 8192 + 128 multiply-accumulates; embeddings read and
 * written, 2 * 384, and biases, 2 * (256 + 128 + 64 + 1) = 898.
 * LSTM, 512 * 20 words: 8192 * 2304 + 2048 * 256 + 8193 * 256; embedding 2 * 256, biases
 * 2 * (8192 + 8192 + 256 + 8193).
 * BERT-base, 4 * 384 tokens: 12 * (7,077,888 weights + 2 * 384 * 768 of attention) = 92,012,544;
 * 2 * 768 for each of 3 embeddings, and weight and bias of 25 normalizations, and 12 * 2 *
 * (5 * 768 + 3072) for biases = 247,296. The pooler has one token in 384: 768^2 and 2 * 768. */
TEST(ShippedTraces, SparseModelsTakeTheTimeOfTheirWork)
{
    ExpectTimes("ncf", {131'072, 106'624, 768 + 898, 177'957'696});
    ExpectTimes("lstm", {10'240, 21'496'064, 512 + 49'666, 407'050'623});
    ExpectTimes(
        "bert-base",
        {1536, 92'012'544 + 589'824 / 384.0, 247'296 + 1536 / 384.0, (30'522 + 512) * 768.0});
}

TEST(ShippedTraces, Vgg19TakesItsMeasuredTimes)
{
    const auto measured = TotalsOf(Shipped("vgg19-v100"));
    ExpectTotals(
        "vgg-19",
        {38, measured.elements, measured.forwardPs, measured.backwardPs, measured.updatePs, 0});
}

/* FashionCnn: 9 * 16 + 16, 16 * 32 * 9 + 32, 1568 * 512 + 512, 512 * 10 + 10. One recording, two steps: times are the same. */
TEST(ShippedTraces, FashionCnnHasWhatWasMeasuredAtEachStep)
{
    for (const auto* step : {"1", "200"})
    {
        const auto trace = Shipped(std::string("fashion-cnn-") + step);
        EXPECT_EQ(trace.statsWorkers, 4U);
        std::vector<std::uint64_t> elements;
        for (const auto& layer : trace.layers)
        {
            elements.push_back(layer.elements);
        }
        EXPECT_EQ(elements, (std::vector<std::uint64_t>{160, 4640, 803'328, 5130})) << step;
        EXPECT_EQ(TotalsOf(trace).backwardPs, TotalsOf(Shipped("fashion-cnn-1")).backwardPs);
    }
}

/* GPT of 1.3 B: 8 samples of 2048 words; of each 24 * (12 * 2048^2 weights + 2 * 2048 * 2048 of attention) and 2048 * 50,257
 * multiply-accumulates, at 0.40 of 312 TFLOP/s; 3 * 2048 * 2048 values of 2 bytes an embedding's at 2,039 GB/s. Backward is
 * twice that, and the embedding's (50,257 + 2048) * 2048 values. */
TEST(ShippedTraces, TransformersTakeTheTimeOfTheirWork)
{
    const auto trace = Shipped("gpt-1.3b-a100");
    const auto totals = TotalsOf(trace);
    constexpr double width = 2048;
    constexpr double bytesPerPs = 2.039;
    const double macs = 24 * (12 * width * width + 2 * width * width) + width * 50'257;
    const double forwardPs =
        8 * (2 * width * macs / (0.40 * 312) + 2 * 3 * width * width / bytesPerPs);
    const double embeddingPs = 2 * (50'257 + width) * width / bytesPerPs;
    const auto roundingPs = static_cast<double>(totals.layers);
    EXPECT_EQ(totals.elements, 1'315'723'264U);
    EXPECT_NEAR(static_cast<double>(totals.forwardPs), forwardPs, roundingPs);
    EXPECT_NEAR(static_cast<double>(totals.backwardPs), 2 * forwardPs + embeddingPs, roundingPs);
    for (const auto* name : {"gpt2-small-a100", "gpt-1.3b-a100", "llama-7b-a100", "resnet-50-a100"})
    {
        for (const auto& layer : Shipped(name).layers)
        {
            EXPECT_TRUE(layer.statistics.density && !layer.statistics.exponents.empty()) << name;
        }
    }
}

TEST(ShippedTraces, AllAreThereAndInCanonicalForm)
{
    const auto folder = std::string(INCA_SOURCE_DIR) + "/traces";
    const auto names = ShippedTraceNames(folder);
    // two papers' four each, ten models measured on two devices, two of them in bf16 and one by layer, six transformers,
    // one of diffusion, and one training at two of its steps
    EXPECT_EQ(names.size(), 2U * 4 + 10 * 2 + 3 + 6 + 1 + 2);
    for (const auto& name : names)
    {
        std::ifstream file(folder + "/" + name + ".csv");
        std::stringstream text;
        text << file.rdbuf();
        EXPECT_EQ(FormatTrace(Shipped(name)), text.str()) << name;
        EXPECT_FALSE(Shipped(name).source.empty()) << name;
    }
}

} // namespace inca
