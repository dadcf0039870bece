/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/codec-factory.h"

#include "base/errors.h"
#include "job/codec-coding.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <optional>

namespace inca
{

NS_OBJECT_ENSURE_REGISTERED(CodecFactory);

ns3::TypeId
CodecFactory::GetTypeId()
{
    static ns3::TypeId tid =
        ns3::TypeId("inca::CodecFactory")
            .SetParent<ns3::Object>()
            .SetGroupName("Inca")
            .AddConstructor<CodecFactory>()
            .AddAttribute("Name",
                          "of the catalogue of codecs (inca list codec)",
                          ns3::StringValue("none"),
                          ns3::MakeStringAccessor(&CodecFactory::m_name),
                          ns3::MakeStringChecker())
            .AddAttribute("Bound",
                          "B of the error bound 2^-B, of inceptionn and zfp",
                          ns3::UintegerValue(CodecSpec{}.bound),
                          ns3::MakeUintegerAccessor(&CodecFactory::m_bound),
                          ns3::MakeUintegerChecker<std::uint32_t>(1, 15))
            .AddAttribute("DropBits",
                          "low bits of each value that do not travel, of truncate: 16, 22 or 24",
                          ns3::UintegerValue(CodecSpec{}.dropBits),
                          ns3::MakeUintegerAccessor(&CodecFactory::m_dropBits),
                          ns3::MakeUintegerChecker<std::uint32_t>())
            .AddAttribute(
                "CastTo",
                "type of values as they travel, of cast",
                ns3::EnumValue(BF16),
                ns3::MakeAccessorHelper<decltype(ns3::EnumValue(BF16))>(&CodecFactory::m_castTo),
                ns3::MakeEnumChecker(BF16, "bf16", FP16, "fp16"))
            .AddAttribute(
                "Sum",
                "type in which hosts add, of cast: that of values, or that as which they travel",
                ns3::EnumValue(FP32),
                ns3::MakeAccessorHelper<decltype(ns3::EnumValue(FP32))>(&CodecFactory::m_sum),
                ns3::MakeEnumChecker(FP32, "fp32", WIRE, "wire"))
            .AddAttribute("Format",
                          "of block: a preset, or element/group/scale (inca list codec)",
                          ns3::StringValue(CodecSpec{}.format),
                          ns3::MakeStringAccessor(&CodecFactory::m_format),
                          ns3::MakeStringChecker())
            .AddAttribute("Grouping",
                          "what of values is put together, of netzip: none, byte or bit",
                          ns3::StringValue(NetzipSettings{}.grouping),
                          ns3::MakeStringAccessor(&CodecFactory::m_grouping),
                          ns3::MakeStringChecker())
            .AddAttribute(
                "Backend",
                "what compresses the grouped values, of netzip: lz4, zstd, zlib or snappy",
                ns3::StringValue(NetzipSettings{}.backend),
                ns3::MakeStringAccessor(&CodecFactory::m_backend),
                ns3::MakeStringChecker())
            .AddAttribute("Difference",
                          "what netzip codes: values, or how far they are above a percentile",
                          ns3::EnumValue(NONE),
                          ns3::MakeAccessorHelper<decltype(ns3::EnumValue(NONE))>(
                              &CodecFactory::m_difference),
                          ns3::MakeEnumChecker(NONE, "none", SHIFT, "shift"))
            .AddAttribute(
                "Placement",
                "where it runs: in NICs, on hosts, or where it usually does",
                ns3::EnumValue(USUAL),
                ns3::MakeAccessorHelper<decltype(ns3::EnumValue(USUAL))>(&CodecFactory::m_place),
                ns3::MakeEnumChecker(USUAL, "usual", IN_NIC, "nic", ON_HOST, "host"))
            .AddAttribute("MeanBits",
                          "bits that a value takes where only sizes travel; 0: as statistics tell",
                          ns3::DoubleValue(0),
                          ns3::MakeDoubleAccessor(&CodecFactory::m_meanBits),
                          ns3::MakeDoubleChecker<double>(0, 64));
    return tid;
}

MessageCoding
CodecFactory::MakeCoding(const GradientTrace* trace, bool carriesValues) const
{
    const auto& entry = FindCodec(m_name);
    if (entry.name == "none")
    {
        return {};
    }
    if (entry.unit == CodedUnit::BUCKET)
    {
        throw InputError("inca::CodecFactory::Name: " + m_name +
                         " codes whole buckets (MakeSketchCoding, JobChunk::coding)");
    }
    if (m_place == IN_NIC && !entry.RunsInNics())
    {
        throw InputError("inca::CodecFactory::Placement: " + m_name +
                         " codes whole messages, on hosts");
    }
    CodecSpec spec;
    spec.name = m_name;
    spec.bound = m_bound;
    spec.dropBits = m_dropBits;
    spec.castTo = m_castTo == BF16 ? "bf16" : "fp16";
    spec.sum = m_sum == FP32 ? "fp32" : "wire";
    spec.format = m_format;
    spec.netzip = {m_grouping, m_backend, m_difference == SHIFT};
    spec.valueBytes = trace != nullptr && trace->gradientType == "bf16" ? 2 : 4;
    const bool isUsuallyInNic = entry.placement == CodecPlacement::NIC;
    const bool isInNic = m_place == IN_NIC || (m_place == USUAL && isUsuallyInNic);
    return MessageCoding(MakeCodecCoding(
        entry,
        MakeCodec(spec),
        isInNic ? CodingPlace::ENGINE : CodingPlace::HOST,
        {carriesValues, m_meanBits > 0 ? std::optional(m_meanBits) : std::nullopt, trace}));
}

} // namespace inca
