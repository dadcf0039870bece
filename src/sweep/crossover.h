/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_CROSSOVER_H
#define INCA_SWEEP_CROSSOVER_H

#include "inca/record/run-record.h"
#include "inca/scenario/keys.h"
#include "inca/scenario/sweep-spec.h"
#include "inca/sweep/scenario-variants.h"

#include <cstddef>
#include <functional>
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

    /** @return the value in the middle, or nothing if they differ by g_crossoverTolerance at most, or are neighbours */
    std::optional<ScaledValue> Between(const ScaledValue& low, const ScaledValue& high) const;

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

/** By how much the time @p a is better than @p b: 0.25 is 1.25 times as fast; below 0 it takes that much longer. */
double Advantage(double a, double b);

/** Two systems at one value of the key. */
struct CrossoverSample
{
    ScaledValue value;
    std::optional<double> a; ///< its iteration time in seconds; nothing if it was refused
    std::optional<double> b;
    bool isOpen{false};  ///< a calibrated preset leaves open which is faster
    std::string refusal; ///< why one of them is missing

    bool IsWhole() const
    {
        return a && b;
    }
};

/** Compares two systems at a value. */
using Comparer = std::function<CrossoverSample(const ScaledValue&)>;

/** Who is better. */
enum class Winner
{
    A,
    B,
    NEITHER, ///< they are the same
    OPEN,    ///< the ranges of a calibrated preset overlap
};

/** @param sample a whole one */
Winner WinnerOf(const CrossoverSample& sample);

/** Neighbouring values of which the same system is better. */
struct Stretch
{
    Winner winner;
    CrossoverSample first;
    CrossoverSample last;
    bool narrowed; ///< whether it begins there; false: something was refused before it
};

struct Crossover
{
    std::vector<CrossoverSample> scan;
    std::vector<Stretch> stretches; ///< ascending; the winner changes between two of them
};

/** How many values are looked at before crossings are narrowed. */
constexpr std::size_t g_crossoverScan = 17;

/** The ends of a crossing differ by at most so much, relative to the larger. */
constexpr double g_crossoverTolerance = 0.01;

/**
 * Looks where the better of two systems changes: at g_crossoverScan values of @p scale, then by bisection
 * wherever the winner changes between two of them. Two crossings between neighbouring values are missed.
 */
Crossover FindCrossover(const KeyScale& scale, const Comparer& compare);

/**
 * The label of one of @p systems, or "label: key=value, key=value"; without "label:" the settings are the
 * label. "label:" alone is the scenario as it is.
 * @param option "--a", for complaints
 * @param systems that the scenario's file brings along
 * @throws InputError
 */
System ParseComparedSystem(const std::string& text,
                           const std::string& option,
                           const std::vector<System>& systems = {});

/** What `inca crossover` is asked. */
struct CrossoverQuestion
{
    std::vector<std::string> settings; ///< of --set, for both systems, which may change them
    System a;
    System b;
    std::string over; ///< "cluster.bandwidth=1Gbps..400Gbps"
};

/** Its answer, and what it was compared by. */
struct CrossoverAnswer
{
    CrossoverQuestion question;
    Crossover crossover;
    std::vector<std::string> warnings; ///< of points, each once, with the first that it is said of
};

/**
 * Runs both systems at as many values as it takes.
 * @throws InputError if the question makes no sense, or no value can be compared
 */
CrossoverAnswer AnswerCrossover(const CrossoverQuestion& question,
                                ScenarioVariants& variants,
                                const PointRunner& run);

} // namespace inca

#endif // INCA_SWEEP_CROSSOVER_H
