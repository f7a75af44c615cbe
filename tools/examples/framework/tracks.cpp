// SPDX-License-Identifier: GPL-2.0
/*
 * TrackFitter: fits tracks to measured points by least squares: a small system of linear
 * equations for each track.
 */
#include <array>
#include <cmath>

#include "factory.h"
#include "workload.h"

using namespace framework;

namespace
{

/* Of a polynomial through the points of a track. */
constexpr unsigned int NR_PARAMETERS = 5;
constexpr unsigned int NR_POINTS = 20;

using Row = std::array<double, NR_PARAMETERS>;

struct Equations {
	std::array<Row, NR_PARAMETERS> left;
	Row right;
};

/* Normal equations of points with a scatter around a parabola. */
void measure(Random &random, Equations &equations)
{
	equations = {};
	for (unsigned int point = 0; point < NR_POINTS; point++) {
		double z = (point + 0.5) / NR_POINTS;
		double x = 1 + 2 * z - z * z + 0.01 * random.uniform();
		Row powers;

		powers[0] = 1;
		for (unsigned int i = 1; i < NR_PARAMETERS; i++)
			powers[i] = powers[i - 1] * z;
		for (unsigned int i = 0; i < NR_PARAMETERS; i++) {
			for (unsigned int j = 0; j < NR_PARAMETERS; j++)
				equations.left[i][j] += powers[i] * powers[j];
			equations.right[i] += powers[i] * x;
		}
	}
}

/* By Cholesky's method, in place: the left side is positive definite. */
__attribute__((noinline)) void solve(Equations &equations)
{
	auto &[left, right] = equations;

	for (unsigned int i = 0; i < NR_PARAMETERS; i++) {
		for (unsigned int j = 0; j <= i; j++) {
			double sum = left[i][j];
			for (unsigned int k = 0; k < j; k++)
				sum -= left[i][k] * left[j][k];
			left[i][j] = i == j ? std::sqrt(sum) : sum / left[j][j];
		}
		for (unsigned int k = 0; k < i; k++)
			right[i] -= left[i][k] * right[k];
		right[i] /= left[i][i];
	}
	for (unsigned int i = NR_PARAMETERS; i-- > 0;) {
		for (unsigned int k = i + 1; k < NR_PARAMETERS; k++)
			right[i] -= left[k][i] * right[k];
		right[i] /= left[i][i];
	}
}

class TrackFitter : public Workload
{
public:
	TrackFitter() : Workload(100, "tracks to fit in each event") {}

protected:
	bool execute(Event &event) const override
	{
		Random numbers = random(event);
		Equations equations;
		double sum = 0;

		for (long track = amount(numbers); track > 0; track--) {
			measure(numbers, equations);
			solve(equations);
			sum += equations.right[0];
		}
		/* Digits that do not depend on how the compiler contracts operations. */
		event.checksum += static_cast<uint64_t>(std::lround(sum * 1000));
		return true;
	}
};

FRAMEWORK_COMPONENT(TrackFitter)

} /* namespace */
