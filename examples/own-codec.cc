/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A codec of one's own in NICs: the upper half of each fp32 value travels. Where ns-3 is built with
// logs, try LogComponentEnable("IncaEngine", LOG_LEVEL_INFO).
#include "ns3/inca-module.h"

#include <cstring>
#include <iostream>

class UpperHalf : public inca::Codec
{
  public:
    void Encode(const float* values,
                std::size_t count,
                std::vector<std::uint8_t>& stream) const override
    {
        for (std::size_t i = 0; i < count; ++i)
        {
            const auto* bytes = reinterpret_cast<const std::uint8_t*>(values + i);
            stream.insert(stream.end(), bytes + 2, bytes + 4); // of a little-endian machine
        }
    }

    void Decode(const std::uint8_t* stream,
                std::size_t bytes,
                float* values,
                std::size_t count) const override
    {
        for (std::size_t i = 0; i < count && 2 * i + 1 < bytes; ++i)
        {
            const std::uint8_t value[] = {0, 0, stream[2 * i], stream[2 * i + 1]};
            std::memcpy(values + i, value, sizeof(value));
        }
    }

    std::optional<double> MeanBits(const inca::ValueStatistics& /*any*/) const override
    {
        return 16; // of a value, where only sizes travel
    }

    bool IsLossless() const override
    {
        return false;
    }
};

int
main(int argc, char** argv)
{
    inca::SetPicosecondResolution();
    inca::RegisterCodec({"upper-half", "the upper half of each value", [](const auto&) {
                             return std::make_unique<UpperHalf>();
                         }});
    std::string trace = "tensor:10MB";
    ns3::CommandLine command(__FILE__);
    command.AddValue("trace", "what is trained", trace);
    command.Parse(argc, argv);

    inca::TrainingHelper training;
    training.SetAttribute("Trace", ns3::StringValue(trace));
    training.SetCodec("upper-half");
    const auto cluster = inca::StarHelper().Install(4);
    training.Install(cluster.hosts);
    ns3::Simulator::Run();
    const auto& sent = cluster.nics[0]->Compression()->Counters();
    std::cout << "all have the sum at " << ns3::Simulator::Now().As(ns3::Time::MS)
              << "; worker 0 sent " << sent.plainBytes << " bytes as " << sent.wireBytes << "\n";
    ns3::Simulator::Destroy();
}
