/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/step-fit.h"

#include "base/random.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace inca
{

namespace
{

constexpr std::size_t g_mostPieces = 8;
constexpr std::size_t g_fewestSizes = 2; ///< of a piece
constexpr double g_least = 0.005;        ///< what a relative error is at least taken for: nobody measures better
constexpr int g_weighings = 8;              ///< of weighing
constexpr double g_huber = 1.345;        ///< times the scale: 95 % as efficient as least squares without outliers
constexpr double g_madToDeviation = 1.4826;

using Points = std::vector<FitPoint>;
using Costs = std::array<double, StepCosts::COUNT>;

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
        equations.columns.row(i) << 1 / point.seconds, point.messages / point.seconds,
            point.messageBytes / point.seconds;
        equations.wanted(i) = 1 - point.fixedSeconds / point.seconds;
    }
    return equations;
}

/** The constants that may be told apart: messages and bytes before the start, which a single count of ranks hides. */
std::vector<std::size_t>
Independent(const Eigen::MatrixXd& columns)
{
    constexpr double least = 1e-3; // of a column's length that others do not explain
    std::vector<std::size_t> chosen;
    for (const std::size_t column : {1U, 2U, 0U})
    {
        const auto c = columns.col(static_cast<Eigen::Index>(column));
        Eigen::VectorXd rest = c;
        if (!chosen.empty())
        {
            Eigen::MatrixXd others(columns.rows(), static_cast<Eigen::Index>(chosen.size()));
            for (std::size_t i = 0; i < chosen.size(); ++i)
            {
                others.col(static_cast<Eigen::Index>(i)) =
                    columns.col(static_cast<Eigen::Index>(chosen[i]));
            }
            rest -= others * others.colPivHouseholderQr().solve(c);
        }
        if (rest.norm() > least * c.norm())
        {
            chosen.push_back(column);
        }
    }
    return chosen;
}

/** Least squares of @p wanted by some columns, of which none counts less than nothing: the best of all their subsets. */
Costs
SolveFromZero(const Eigen::MatrixXd& columns,
              const Eigen::VectorXd& wanted,
              const std::vector<std::size_t>& usable)
{
    Costs best{};
    double least = wanted.squaredNorm();
    for (unsigned subset = 1; subset < 1U << usable.size(); ++subset)
    {
        std::vector<std::size_t> used;
        for (std::size_t i = 0; i < usable.size(); ++i)
        {
            if ((subset >> i) % 2 == 1)
            {
                used.push_back(usable[i]);
            }
        }
        Eigen::MatrixXd part(columns.rows(), static_cast<Eigen::Index>(used.size()));
        for (std::size_t i = 0; i < used.size(); ++i)
        {
            part.col(static_cast<Eigen::Index>(i)) =
                columns.col(static_cast<Eigen::Index>(used[i]));
        }
        const Eigen::VectorXd scales = part.colwise().norm().cwiseMax(1e-300);
        const Eigen::VectorXd solved =
            (part * scales.cwiseInverse().asDiagonal()).colPivHouseholderQr().solve(wanted).cwiseQuotient(scales);
        const double squares = (wanted - part * solved).squaredNorm();
        if (solved.minCoeff() >= 0 && squares < least)
        {
            least = squares;
            best = {};
            for (std::size_t i = 0; i < used.size(); ++i)
            {
                best[used[i]] = solved(static_cast<Eigen::Index>(i));
            }
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

/** One piece's constants, and how far off they are in all. */
struct Solved
{
    Costs costs{};
    std::vector<std::size_t> usable;
    double loss{0}; ///< Huber's, with a scale of g_least: 0.5 squares near 0, straight beyond
};

double
LossOf(const Eigen::VectorXd& errors)
{
    double loss = 0;
    for (const auto error : errors)
    {
        const auto scaled = std::abs(error) / g_least;
        loss += scaled < g_huber ? scaled * scaled / 2 : g_huber * (scaled - g_huber / 2);
    }
    return loss;
}

Solved
Solve(const FitPoint* begin, const FitPoint* end)
{
    const auto [columns, wanted] = EquationsOf(begin, end);
    Solved solved;
    solved.usable = Independent(columns);
    Eigen::VectorXd weights = Eigen::VectorXd::Ones(wanted.size());
    Eigen::VectorXd errors;
    for (int round = 0; round < g_weighings; ++round)
    {
        solved.costs = SolveFromZero(
            weights.asDiagonal() * columns, weights.cwiseProduct(wanted), solved.usable);
        errors = columns * Eigen::Map<const Eigen::Vector3d>(solved.costs.data()) - wanted;
        std::vector<double> sizes(errors.data(), errors.data() + errors.size());
        std::for_each(sizes.begin(), sizes.end(), [](double& size) { size = std::abs(size); });
        const auto most =
            g_huber * std::max(g_least, g_madToDeviation * MedianOf(std::move(sizes)));
        weights = errors.unaryExpr([most](double error) {
            return std::abs(error) <= most ? 1 : std::sqrt(most / std::abs(error));
        });
    }
    solved.loss = LossOf(errors);
    return solved;
}

/** Where each distinct size begins among sorted points, and the end. */
std::vector<std::size_t>
BeginsOfSizes(const Points& points)
{
    std::vector<std::size_t> begins;
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        if (i == 0 || points[i].bytes != points[i - 1].bytes)
        {
            begins.push_back(i);
        }
    }
    begins.push_back(points.size());
    return begins;
}

/** The way to cut the first sizes into so many pieces. */
struct Cut
{
    double loss{std::numeric_limits<double>::infinity()};
    std::size_t parameters{0};
    std::size_t from{0}; ///< the size with which its last piece begins
};

/** @return the sizes with which pieces begin: dynamic programming over all cuts, of which BIC takes one */
std::vector<std::size_t>
BestCuts(const Points& points, const std::vector<std::size_t>& begins)
{
    const auto sizes = begins.size() - 1;
    const auto most = std::max<std::size_t>(1, std::min(g_mostPieces, sizes / g_fewestSizes));
    std::vector<std::vector<Cut>> cuts(most + 1, std::vector<Cut>(sizes + 1));
    cuts[0][0].loss = 0;
    for (std::size_t end = 1; end <= sizes; ++end)
    {
        for (std::size_t from = 0; from < end; ++from)
        {
            if (end - from < std::min(g_fewestSizes, sizes))
            {
                continue;
            }
            const auto solved =
                Solve(points.data() + begins[from], points.data() + begins[end]);
            for (std::size_t pieces = 1; pieces <= most; ++pieces)
            {
                const auto& before = cuts[pieces - 1][from];
                auto& cut = cuts[pieces][end];
                if (before.loss + solved.loss < cut.loss)
                {
                    cut = {before.loss + solved.loss,
                           before.parameters + solved.usable.size() + 1,
                           from};
                }
            }
        }
    }
    const auto count = static_cast<double>(points.size());
    std::size_t best = 1;
    const auto bic = [&](std::size_t pieces) {
        const auto& cut = cuts[pieces][sizes];
        return count * std::log(std::max(cut.loss, 1.0) / count) +
               static_cast<double>(cut.parameters) * std::log(count);
    };
    for (std::size_t pieces = 2; pieces <= most; ++pieces)
    {
        best = std::isfinite(cuts[pieces][sizes].loss) && bic(pieces) < bic(best) ? pieces : best;
    }
    std::vector<std::size_t> from;
    for (auto end = sizes; best > 0; --best)
    {
        end = cuts[best][end].from;
        from.insert(from.begin(), end);
    }
    return from;
}

void
SortBySize(Points& points)
{
    std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) {
        return a.bytes < b.bytes;
    });
}

/** Draws the points again, so many times, and takes what is left of each constant without its extremes. */
void
AddInterval(const Points& points, FittedPiece& piece)
{
    constexpr std::size_t draws = 200;
    constexpr std::size_t beyond = 5; // on either side: 2.5 %
    std::array<std::vector<double>, StepCosts::COUNT> drawn;
    RandomStream random(1, points.front().bytes);
    for (std::size_t draw = 0; draw < draws; ++draw)
    {
        Points again;
        for (std::size_t i = 0; i < points.size(); ++i)
        {
            again.push_back(points[random.Bits() % points.size()]);
        }
        const auto solved = Solve(again.data(), again.data() + again.size());
        for (std::size_t i = 0; i < drawn.size(); ++i)
        {
            drawn[i].push_back(solved.costs[i]);
        }
    }
    Costs low{};
    Costs high{};
    for (std::size_t i = 0; i < drawn.size(); ++i)
    {
        std::sort(drawn[i].begin(), drawn[i].end());
        low[i] = drawn[i][beyond];
        high[i] = drawn[i][draws - 1 - beyond];
    }
    piece.low = StepCosts::Of(low);
    piece.high = StepCosts::Of(high);
}

/** Where a library that picks the faster of two pieces goes from one to the other, between the sizes that it had. */
std::uint64_t
Border(const FitPoint& last, const FitPoint& first, const FittedPiece& lower, const FittedPiece& upper)
{
    const auto gain = [&](const FitPoint& at) {
        return at.PredictedSeconds(lower.costs) - at.PredictedSeconds(upper.costs);
    };
    const auto before = gain(last);
    const auto after = gain(first);
    const auto between = static_cast<double>(first.bytes - last.bytes);
    const auto share = before >= 0 ? 0 : after <= 0 ? 1 : before / (before - after);
    constexpr double nearly = 0.999; // the first size of the upper piece is of that
    return last.bytes + static_cast<std::uint64_t>(std::min(share, nearly) * between);
}

FittedPiece
PieceOfPoints(const Points& points)
{
    const auto solved = Solve(points.data(), points.data() + points.size());
    FittedPiece piece;
    piece.upToBytes = points.back().bytes;
    piece.costs = StepCosts::Of(solved.costs);
    for (const auto constant : solved.usable)
    {
        piece.isKnown[constant] = true;
    }
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
    return fixedSeconds + costs.startSeconds + messages * costs.messageSeconds +
           messageBytes * costs.byteSeconds;
}

std::vector<FittedPiece>
FitPieces(std::vector<FitPoint> points)
{
    SortBySize(points);
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
            pieces[i - 1].upToBytes = Border(*(pointAt(i) - 1), *pointAt(i), pieces[i - 1], pieces[i]);
        }
    }
    return pieces;
}

void
AddIntervals(std::vector<FitPoint> points, std::vector<FittedPiece>& pieces)
{
    SortBySize(points);
    for (auto& piece : pieces)
    {
        Points own;
        std::copy_if(points.begin(), points.end(), std::back_inserter(own), [&](const auto& point) {
            return &PieceOf(pieces, point.bytes) == &piece;
        });
        AddInterval(own, piece);
    }
}

const FittedPiece&
PieceOf(const std::vector<FittedPiece>& pieces, std::uint64_t bytes)
{
    const auto found = std::find_if(pieces.begin(), pieces.end() - 1, [bytes](const auto& piece) {
        return bytes <= piece.upToBytes;
    });
    return *found;
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

FitErrors
ErrorsOf(const std::vector<FittedPiece>& pieces, const std::vector<FitPoint>& points)
{
    std::vector<double> relative;
    for (const auto& point : points)
    {
        const auto predicted = point.PredictedSeconds(PieceOf(pieces, point.bytes).costs);
        relative.push_back(std::abs(predicted / point.seconds - 1));
    }
    return ErrorsOf(std::move(relative));
}

} // namespace inca
