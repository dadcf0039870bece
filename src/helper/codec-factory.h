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
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    /**
     * @param trace whose statistics tell what a value takes; null: there are none
     * @param carriesValues whether values travel, which tell by themselves
     * @throws InputError if the codec or an argument is unknown, it codes whole buckets, or nothing tells what a value takes
     */
    MessageCoding MakeCoding(const GradientTrace* trace, bool carriesValues) const;

  private:
    /** Where the codec runs. */
    enum Place
    {
        USUAL,
        IN_NIC,
        ON_HOST,
    };

    /** Of values as they travel, or of sums. */
    enum FloatType
    {
        BF16,
        FP16,
        FP32,
        WIRE,
    };

    /** What is coded of values. */
    enum Difference
    {
        NONE,
        SHIFT,
    };

    std::string m_name;            ///< attribute Name
    std::uint32_t m_bound;         ///< attribute Bound
    std::uint32_t m_dropBits;      ///< attribute DropBits
    FloatType m_castTo{BF16};      ///< attribute CastTo
    FloatType m_sum{FP32};         ///< attribute Sum
    std::string m_format;          ///< attribute Format
    std::string m_grouping;        ///< attribute Grouping
    std::string m_backend;         ///< attribute Backend
    Difference m_difference{NONE}; ///< attribute Difference
    Place m_place{USUAL};          ///< attribute Placement
    double m_meanBits{0};          ///< attribute MeanBits
};

} // namespace inca

#endif // INCA_HELPER_CODEC_FACTORY_H
