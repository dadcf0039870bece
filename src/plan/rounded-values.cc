/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/rounded-values.h"

#include <utility>

namespace inca
{

namespace
{

class RoundedValues : public ValueSource
{
  public:
    RoundedValues(std::shared_ptr<const ValueSource> values, GradientType type)
        : m_values(std::move(values)),
          m_type(std::move(type))
    {
    }

  private:
    void DoFill(std::uint32_t worker,
                std::uint64_t begin,
                std::uint64_t count,
                float* out) const override
    {
        m_values->Fill(worker, begin, count, out);
        m_type.Round(out, count);
    }

    std::shared_ptr<const ValueSource> m_values;
    GradientType m_type;
};

} // namespace

std::shared_ptr<const ValueSource>
MakeRoundedValues(std::shared_ptr<const ValueSource> values, const GradientType& type)
{
    return type.narrow ? std::make_shared<const RoundedValues>(std::move(values), type) : values;
}

} // namespace inca
