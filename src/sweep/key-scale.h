/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_KEY_SCALE_H
#define INCA_SWEEP_KEY_SCALE_H

#include "scenario/key.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** A value of a key: the number of its column of a result row, in that one's unit, and the text that sets it. */
struct ScaledValue
{
    double number;
    std::string text;
};

/**
 * The values of a key between two: numbers, quantities with a unit, bounds. Where the larger is at least
 * ten times the smaller, they are spaced by factors, else by differences. Values are rounded to four
 * digits, to whole numbers where the key takes only those, and sizes to whole fp32 values.
 */
class KeyScale
{
  public:
    /**
     * @param range "1Gbps..400Gbps"
     * @throws UnitError if it has another form, or the key's values have no order: names, true or false,
     *         a few numbers
     */
    KeyScale(const Key& key, const std::string& range);

    /** @return up to @p count values, at least 2, ascending, each once, with both ends */
    std::vector<ScaledValue> Points(std::size_t count) const;

    /** @return the value in the middle, or nothing if they differ by @p tolerance at most, or are neighbours */
    std::optional<ScaledValue> Between(const ScaledValue& low,
                                       const ScaledValue& high,
                                       double tolerance) const;

  private:
    ScaledValue ValueOf(const std::string& text) const;
    ScaledValue At(double share, const ScaledValue& low, const ScaledValue& high) const;
    std::optional<ScaledValue> Valued(double number) const;

    const Key* m_key;
    std::string m_prefix; ///< "2^-" of a bound
    std::string m_unit;   ///< of the key's column; empty where the key takes plain numbers
    ScaledValue m_low{};
    ScaledValue m_high{};
    bool m_byFactors{false};
};

} // namespace inca

#endif // INCA_SWEEP_KEY_SCALE_H
