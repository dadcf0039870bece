/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_CODEC_FACTORY_H
#define INCA_HELPER_CODEC_FACTORY_H

#include "inca/codec/codec-catalog.h"
#include "inca/job/message-coding.h"
#include "inca/trace/gradient-trace.h"

#include "ns3/object.h"

#include <cstdint>
#include <string>

namespace inca
{

/**
 * @ingroup inca
 *
 * A codec, said by attributes: which one, with which arguments, where it runs, and what a value takes where only sizes travel.
 * It makes the one MessageCoding that a job, its NICs and its transports go by.
 */
class CodecFactory : public ns3::Object
{
  public:
    static ns3::TypeId GetTypeId();

    /**
     * @param trace whose statistics tell what a value takes; null: there are none
     * @param carriesValues whether values travel, which tell by themselves
     * @throws InputError if the codec or an argument is unknown, it codes whole buckets, or nothing tells what a value takes
     */
    MessageCoding MakeCoding(const GradientTrace* trace, bool carriesValues) const;

  private:
    enum Place
    {
        USUAL,
        IN_NIC,
        ON_HOST,
    };

    enum FloatType
    {
        BF16,
        FP16,
        FP32,
        WIRE,
    };

    std::string m_name;
    std::uint32_t m_bound;
    std::uint32_t m_dropBits;
    FloatType m_castTo{BF16};
    FloatType m_sum{FP32};
    std::string m_format;
    Place m_place{USUAL};
    double m_meanBits{0};
};

} // namespace inca

#endif // INCA_HELPER_CODEC_FACTORY_H
