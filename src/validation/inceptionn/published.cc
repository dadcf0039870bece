/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/inceptionn/published.h"

namespace inca
{

namespace
{

/** A column as it is printed: seconds per 100 iterations. */
StepSeconds
PerHundred(const StepSeconds& printed)
{
    constexpr double iterations = 100;
    return {printed.forward / iterations,
            printed.backward / iterations,
            printed.copy / iterations,
            printed.sum / iterations,
            printed.communication / iterations,
            printed.update / iterations,
            printed.total / iterations};
}

InceptionnModel
AlexNet()
{
    InceptionnModel model;
    model.name = "alexnet";
    model.gradientMegabytes = 233;
    model.steps = PerHundred({3.13, 16.22, 5.68, 8.94, 148.71, 13.67, 196.35});
    model.bars = {{{.247, .753, 1}, {.247, .542, .789}, {.147, .337, .484}, {.147, .174, .321}}};
    model.ringTotalCutPercent = 52;
    model.ringCommunicationCutPercent = 55;
    model.widthPercent = {74.9, 3.9, 21.1, 0.1};
    model.ratio = 5.43;
    model.stepsLimit = 0.05;
    model.barsLimit = 0.15;
    return model;
}

InceptionnModel
Hdc()
{
    InceptionnModel model;
    model.name = "hdc";
    model.gradientMegabytes = 2.5;
    model.steps = PerHundred({0.08, 0.07, 0, 0.09, 1.36, 0.09, 1.7});
    model.bars = {{{.200, .800, 1}, {.200, .574, .774}, {.132, .489, .621}, {.132, .226, .358}}};
    model.ringTotalCutPercent = 38;
    model.ringCommunicationCutPercent = 39;
    model.widthPercent = {92.0, 6.5, 1.5, 0.0};
    model.ratio = 11.51;
    model.barsLimit = 0.20; // printed with two digits
    return model;
}

InceptionnModel
ResNet50()
{
    InceptionnModel model;
    model.name = "resnet-50";
    model.gradientMegabytes = 98;
    model.steps = PerHundred({2.63, 4.87, 2.24, 3.68, 60.58, 1.55, 75.55});
    model.ringTotalCutPercent = 49;
    model.ringCommunicationCutPercent = 58;
    model.widthPercent = {81.6, 17.9, 0.5, 0.0};
    model.ratio = 9.00;
    model.stepsLimit = 0.05;
    return model;
}

/** An outlier in all its communication: no common link speed fits it and the others. */
InceptionnModel
Vgg16()
{
    InceptionnModel model;
    model.name = "vgg-16";
    model.gradientMegabytes = 525;
    // The paper prints 32.25 s forward; only 35.25 makes the column add up.
    model.steps = PerHundred({35.25, 142.34, 12.09, 19.89, 583.58, 30.50, 823.65});
    model.ringTotalCutPercent = 31;
    model.ringCommunicationCutPercent = 36;
    model.widthPercent = {94.2, 0.9, 4.9, 0.0};
    model.ratio = 11.27;
    return model;
}

} // namespace

const char*
SystemName(InceptionnSystem system)
{
    constexpr PerSystem<const char*> names{"WA", "WA+C", "INC", "INC+C"};
    return names[IndexOf(system)];
}

bool
IsRing(InceptionnSystem system)
{
    return system == InceptionnSystem::RING || system == InceptionnSystem::RING_COMPRESSED;
}

bool
IsCompressed(InceptionnSystem system)
{
    return system == InceptionnSystem::WA_COMPRESSED || system == InceptionnSystem::RING_COMPRESSED;
}

const std::vector<InceptionnModel>&
InceptionnModels()
{
    static const std::vector<InceptionnModel> models{AlexNet(), Hdc(), ResNet50(), Vgg16()};
    return models;
}

double
TableThreeRatio(const InceptionnModel& model)
{
    constexpr double plainBits = 32;
    constexpr std::array<double, 4> widthBits{2, 10, 18, 34};
    double percent = 0;
    double bits = 0;
    for (std::size_t i = 0; i < widthBits.size(); ++i)
    {
        percent += model.widthPercent[i];
        bits += model.widthPercent[i] * widthBits[i];
    }
    return plainBits * percent / bits;
}

} // namespace inca
