/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A codec of one's own in NICs: the upper half of each fp32 value travels. Where ns-3 is built with logs, try
//   LogComponentEnable("IncaEngine", LOG_LEVEL_INFO).
#include "ns3/inca-module.h"

#include <cstring>
#include <iostream>

namespace
{

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
        if (bytes != 2 * count)
        {
            throw inca::InputError("a stream of another number of values");
        }
        for (std::size_t i = 0; i < count; ++i)
        {
            const std::uint8_t value[] = {0, 0, stream[2 * i], stream[2 * i + 1]};
            std::memcpy(values + i, value, sizeof(value));
        }
    }

    std::optional<double> MeanBits(const inca::ValueStatistics& /*statistics*/) const override
    {
        return 16; // of a value, whatever it is: runs in which only sizes travel need it
    }

    bool IsLossless() const override
    {
        return false;
    }
};

} // namespace

int
main(int argc, char** argv)
{
    inca::SetPicosecondResolution();
    inca::RegisterCodec({"upper-half", "the upper half of each value", [](const auto&) {
                             return std::make_unique<UpperHalf>();
                         }});
    std::string codec = "upper-half";
    ns3::CommandLine command(__FILE__);
    command.AddValue("codec", "what NICs code gradients with", codec);
    command.Parse(argc, argv);

    inca::TrainingHelper training;
    training.SetAttribute("Trace", ns3::StringValue("tensor:10MB"));
    training.SetCodec(codec);
    const auto cluster = inca::StarHelper().Install(4);
    const auto ranks = training.Install(cluster.hosts);
    ns3::Simulator::Run();
    const auto& sent = cluster.nics[0]->Compression()->Counters();
    std::cout << "all have the sum after " << ns3::Simulator::Now().As(ns3::Time::MS) << "; "
              << sent.plainBytes << " bytes of worker 0 became " << sent.wireBytes << "\n";
    ns3::Simulator::Destroy();
}
