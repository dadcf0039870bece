/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "codec/codec-catalog.h"

#include "fuzz/input.h"

namespace
{

std::vector<std::unique_ptr<inca::Codec>>
AllCodecs()
{
    std::vector<std::unique_ptr<inca::Codec>> codecs;
    for (const auto& entry : inca::CodecCatalog())
    {
        for (const auto& spec : inca::UsualSpecs(entry))
        {
            codecs.push_back(inca::MakeCodec(spec));
        }
    }
    return codecs;
}

} // namespace

/* Any codec reads any stream: whether it comes from an encoder or not. What it reads it can write again. */
int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace inca;
    static const auto codecs = AllCodecs();
    Input input(data, size);
    const auto& codec = *codecs[input.Byte() % codecs.size()];
    const auto count = input.Number(2);
    const auto stream = input.Bytes(size);
    std::vector<float> values(count);
    try
    {
        codec.Decode(stream.data(), stream.size(), values.data(), count);
        std::vector<std::uint8_t> again;
        codec.Encode(values.data(), count, again);
        Require(again.size() == codec.CountBytes(values.data(), count));
        codec.Decode(again.data(), again.size(), values.data(), count);
        codec.RoundSum(values.data(), count);
    }
    catch (const InputError&)
    {
    }
    return 0;
}
