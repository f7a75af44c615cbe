// SPDX-License-Identifier: GPL-2.0
/* oneTBB, which marks its algorithms by ITT. */
#include <atomic>
#include <oneapi/tbb.h>

int main()
{
	std::atomic<long> sum{0};

	oneapi::tbb::parallel_for(0, 1000, [&](int i) { sum += i; });

	oneapi::tbb::flow::graph graph;
	oneapi::tbb::flow::function_node<int, int> node(graph, 1, [](int i) { return i; });

	node.try_put(1);
	graph.wait_for_all();
	return sum != 499500;
}
