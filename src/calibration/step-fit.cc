/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/step-fit.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace inca
{

namespace
{

constexpr std::size_t g_fewestSizes = 2; ///< of exchanges in a piece
constexpr double g_least =
    0.005; ///< what a relative error is at least taken for: nobody measures better
constexpr int g_weighings = 8; ///< of weighing
constexpr double g_huber =
    1.345; ///< times the scale: 95 % as efficient as least squares without outliers
constexpr double g_madToDeviation = 1.4826;

using Points = std::vector<FitPoint>;
using Costs = std::array<double, StepCosts::COUNT>;
using CostVector = Eigen::Map<const Eigen::Vector3d>; ///< the same to Eigen

/** The columns of the constants, relative to the measured times; and what they are to give. */
struct Equations
{
    Eigen::MatrixXd columns;
    Eigen::VectorXd wanted;
};

Equations
EquationsOf(const FitPoint* begin, const FitPoint* end)
{
    const auto count = end - begin;
    Equations equations{{count, StepCosts::COUNT}, Eigen::VectorXd(count)};
    for (Eigen::Index i = 0; i < count; ++i)
    {
        const auto& point = begin[i];
        equations.columns.row(i) << point.starts / point.seconds, point.messages / point.seconds,
            point.messageBytes / point.seconds;
        equations.wanted(i) = 1 - point.fixedSeconds / point.seconds;
    }
    return equations;
}

/** Some of the constants, as bits. */
using Subset = unsigned;

constexpr Subset g_allSubsets = 1U << StepCosts::COUNT;

/** The columns of a subset, each of length 1, and what they had. */
struct ScaledColumns
{
    Eigen::MatrixXd columns;
    Eigen::VectorXd lengths;
};

ScaledColumns
ColumnsOf(const Eigen::MatrixXd& all, Subset subset)
{
    std::vector<Eigen::Index> used;
    for (Eigen::Index i = 0; i < all.cols(); ++i)
    {
        if ((subset >> static_cast<unsigned>(i)) % 2 == 1)
        {
            used.push_back(i);
        }
    }
    ScaledColumns scaled{{all.rows(), static_cast<Eigen::Index>(used.size())}, {}};
    for (std::size_t i = 0; i < used.size(); ++i)
    {
        scaled.columns.col(static_cast<Eigen::Index>(i)) = all.col(used[i]);
    }
    scaled.lengths = scaled.columns.colwise().norm().cwiseMax(1e-300);
    scaled.columns *= scaled.lengths.cwiseInverse().asDiagonal();
    return scaled;
}

Eigen::ColPivHouseholderQR<Eigen::MatrixXd>
Decomposed(const Eigen::MatrixXd& columns)
{
    constexpr double least = 1e-3; // of a column's length that others do not explain
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> decomposed;
    decomposed.setThreshold(least);
    decomposed.compute(columns);
    return decomposed;
}

/** @return the constants of the subset that give @p wanted with the least squares; nothing if points do not tell them apart */
std::optional<Costs>
SolveSubset(const Eigen::MatrixXd& columns, const Eigen::VectorXd& wanted, Subset subset)
{
    const auto scaled = ColumnsOf(columns, subset);
    const auto decomposed = Decomposed(scaled.columns);
    if (decomposed.rank() < scaled.columns.cols())
    {
        return std::nullopt;
    }
    const Eigen::VectorXd solved = decomposed.solve(wanted).cwiseQuotient(scaled.lengths);
    Costs costs{};
    Eigen::Index next = 0;
    for (std::size_t i = 0; i < costs.size(); ++i)
    {
        costs[i] = (subset >> i) % 2 == 1 ? solved(next++) : 0;
    }
    return costs;
}

/** The same where none of the constants counts less than nothing: the best of all subsets of @p subset. */
Costs
SolveFromZero(const Eigen::MatrixXd& columns, const Eigen::VectorXd& wanted, Subset subset)
{
    Costs best{};
    double least = wanted.squaredNorm();
    for (auto part = subset; part > 0; part = (part - 1) & subset)
    {
        const auto solved = SolveSubset(columns, wanted, part);
        if (!solved || *std::min_element(solved->begin(), solved->end()) < 0)
        {
            continue;
        }
        const double squares = (wanted - columns * CostVector(solved->data())).squaredNorm();
        if (squares < least)
        {
            least = squares;
            best = *solved;
        }
        if (part == subset)
        {
            break; // nothing is nearer than what has no bound
        }
    }
    return best;
}

double
MedianOf(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/** One piece's constants, and how far off they are. */
struct Solved
{
    Costs costs{};
    Eigen::VectorXd errors; ///< relative, of each point
};

/** @return Huber's: 0.5 squares near 0, straight beyond @param scale of errors of measurements @param most of each error */
double
LossOf(const Eigen::VectorXd& errors, double scale, double most)
{
    const auto lossOf = [most](double e) {
        return std::min(most, e < g_huber ? e * e / 2 : g_huber * (e - g_huber / 2));
    };
    return (errors.array().abs() / scale).unaryExpr(lossOf).sum();
}

Solved
Solve(const Equations& equations, Subset subset)
{
    const auto& [columns, wanted] = equations;
    Solved solved;
    Eigen::VectorXd weights = Eigen::VectorXd::Ones(wanted.size());
    auto& errors = solved.errors;
    for (int round = 0; round < g_weighings; ++round)
    {
        const auto before = solved.costs;
        solved.costs =
            SolveFromZero(weights.asDiagonal() * columns, weights.cwiseProduct(wanted), subset);
        if (round > 0 && solved.costs == before)
        {
            break;
        }
        errors = columns * CostVector(solved.costs.data()) - wanted;
        std::vector<double> sizes(errors.data(), errors.data() + errors.size());
        std::for_each(sizes.begin(), sizes.end(), [](double& size) { size = std::abs(size); });
        const auto most =
            g_huber * std::max(g_least, g_madToDeviation * MedianOf(std::move(sizes)));
        weights = errors.unaryExpr([most](double error) {
            return std::abs(error) <= most ? 1 : std::sqrt(most / std::abs(error));
        });
    }
    return solved;
}

/** Where each distinct size begins among sorted points, and the end. */
std::vector<std::size_t>
BeginsOfSizes(const Points& points)
{
    std::vector<std::size_t> begins;
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        if (i == 0 || points[i].partBytes != points[i - 1].partBytes)
        {
            begins.push_back(i);
        }
    }
    begins.push_back(points.size());
    return begins;
}

/** What measurements are off: how far repetitions of a size are from their median, in the median. */
double
ScaleOf(const Points& points)
{
    std::map<std::tuple<std::uint64_t, std::uint32_t, double>, std::vector<double>> repetitions;
    for (const auto& point : points)
    {
        repetitions[{point.bytes, point.ranks, point.starts}].push_back(point.seconds);
    }
    std::vector<double> spreads{0};
    for (const auto& [place, seconds] : repetitions)
    {
        for (std::size_t i = 0; seconds.size() > 1 && i < seconds.size(); ++i)
        {
            spreads.push_back(std::abs(seconds[i] / MedianOf(seconds) - 1));
        }
    }
    return std::max(g_least, g_madToDeviation * MedianOf(std::move(spreads)));
}

/** The best way to cut the first sizes into pieces. */
struct Cut
{
    double loss{std::numeric_limits<double>::infinity()}; ///< with what its pieces cost
    std::size_t from{0}; ///< the size with which its last piece begins
};

/** @return the sizes with which pieces begin: dynamic programming over all cuts, of which BIC takes one */
std::vector<std::size_t>
BestCuts(const Points& points, const std::vector<std::size_t>& begins)
{
    const auto sizes = begins.size() - 1;
    const auto scale = ScaleOf(points);
    const auto perConstant = std::log(static_cast<double>(points.size())) / 2;
    std::vector<Cut> cuts(sizes + 1);
    cuts[0].loss = 0;
    for (std::size_t end = 1; end <= sizes; ++end)
    {
        for (std::size_t from = 0; from < end; ++from)
        {
            const auto* const first = points.data() + begins[from];
            const auto* const last = points.data() + begins[end];
            const auto isOther = [first](const auto& point) { return point.bytes != first->bytes; };
            if (end - from < std::min(g_fewestSizes, sizes) && std::none_of(first, last, isOther))
            {
                continue;
            }
            const auto equations = EquationsOf(first, last);
            const auto errors = Solve(equations, g_allSubsets - 1).errors;
            const auto toldApart =
                Decomposed(ColumnsOf(equations.columns, g_allSubsets - 1).columns).rank();
            const auto price = perConstant * static_cast<double>(toldApart + 1);
            const auto loss = cuts[from].loss + price +
                              LossOf(errors, scale, 2 * price); // one odd time buys no two pieces
            if (loss < cuts[end].loss)
            {
                cuts[end] = {loss, from};
            }
        }
    }
    std::vector<std::size_t> from;
    for (auto end = sizes; end > 0;)
    {
        end = cuts[end].from;
        from.insert(from.begin(), end);
    }
    return from;
}

/** What explains the points as well as all constants together do, each by other constants. */
std::vector<StepCosts>
CornersOf(const Points& points)
{
    const auto equations = EquationsOf(points.data(), points.data() + points.size());
    const auto best = Solve(equations, g_allSubsets - 1);
    const auto likelihood = [&](const Eigen::VectorXd& errors) {
        return static_cast<double>(points.size()) *
               std::log(std::max(LossOf(errors, g_least, INFINITY), 1.0));
    };
    constexpr double significant = 3.84; // chi-squared of one constant less, at 95 %
    const Eigen::Vector3d most = equations.columns.colwise().maxCoeff().transpose();
    const auto isSame = [&most](const Costs& one, const Costs& other) {
        constexpr double hardly = 1e-3; // of a measured time
        return (CostVector(one.data()) - CostVector(other.data()))
                   .cwiseAbs()
                   .cwiseProduct(most)
                   .maxCoeff() <= hardly;
    };
    std::vector<Costs> corners{best.costs};
    for (Subset subset = 1; subset < g_allSubsets; ++subset)
    {
        const auto one = Solve(equations, subset);
        const bool isKnown = std::any_of(corners.begin(), corners.end(), [&](const auto& corner) {
            return isSame(one.costs, corner);
        });
        if (!isKnown && likelihood(one.errors) - likelihood(best.errors) <= significant)
        {
            corners.push_back(one.costs);
        }
    }
    std::vector<StepCosts> costs;
    std::transform(corners.begin(), corners.end(), std::back_inserter(costs), StepCosts::Of);
    return costs;
}

/** Where a library that picks the faster of two pieces goes from one to the other, between the sizes that it had. */
std::uint64_t
Border(const FitPoint& last,
       const FitPoint& first,
       const FittedPiece& lower,
       const FittedPiece& upper)
{
    const auto gain = [&](const FitPoint& at) {
        return at.PredictedSeconds(lower.costs) - at.PredictedSeconds(upper.costs);
    };
    const auto before = gain(last);
    const auto after = gain(first);
    const auto between = static_cast<double>(first.partBytes - last.partBytes);
    const auto share = before >= 0 ? 0 : after <= 0 ? 1 : before / (before - after);
    constexpr double nearly = 0.999; // the first size of the upper piece is of that
    return last.partBytes + static_cast<std::uint64_t>(std::min(share, nearly) * between);
}

FittedPiece
PieceOfPoints(const Points& points)
{
    FittedPiece piece{points.back().partBytes, {}, CornersOf(points)};
    Costs middle{};
    for (const auto& corner : piece.corners)
    {
        for (std::size_t i = 0; i < middle.size(); ++i)
        {
            middle[i] += corner.Values()[i] / static_cast<double>(piece.corners.size());
        }
    }
    piece.costs = StepCosts::Of(middle);
    return piece;
}

} // namespace

std::array<double, StepCosts::COUNT>
StepCosts::Values() const
{
    return {startSeconds, messageSeconds, byteSeconds};
}

StepCosts
StepCosts::Of(const std::array<double, COUNT>& values)
{
    return {values[0], values[1], values[2]};
}

double
FitPoint::PredictedSeconds(const StepCosts& costs) const
{
    return fixedSeconds + starts * costs.startSeconds + messages * costs.messageSeconds +
           messageBytes * costs.byteSeconds;
}

std::vector<FittedPiece>
FitPieces(std::vector<FitPoint> points)
{
    std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) {
        return a.partBytes < b.partBytes;
    });
    const auto begins = BeginsOfSizes(points);
    auto from = BestCuts(points, begins);
    from.push_back(begins.size() - 1);
    const auto pointAt = [&](std::size_t piece) {
        return points.begin() + static_cast<std::ptrdiff_t>(begins[from[piece]]);
    };
    std::vector<FittedPiece> pieces;
    for (std::size_t i = 0; i + 1 < from.size(); ++i)
    {
        pieces.push_back(PieceOfPoints({pointAt(i), pointAt(i + 1)}));
        if (i > 0)
        {
            pieces[i - 1].upToBytes =
                Border(*(pointAt(i) - 1), *pointAt(i), pieces[i - 1], pieces[i]);
        }
    }
    return pieces;
}

FitErrors
ErrorsOf(std::vector<double> relative)
{
    if (relative.empty())
    {
        return {};
    }
    std::sort(relative.begin(), relative.end());
    constexpr double most = 0.9;
    const auto count = relative.size();
    const auto p90 = static_cast<std::size_t>(std::ceil(most * static_cast<double>(count))) - 1;
    return {count, relative[count / 2], relative[p90], relative.back()};
}

} // namespace inca
