// SPDX-License-Identifier: GPL-2.0
/* oneDNN, which marks its primitives by ITT. */
#include <dnnl.hpp>

int main()
{
	using namespace dnnl;
	engine cpu(engine::kind::cpu, 0);
	stream work(cpu);
	memory::desc layout({ 16, 16 }, memory::data_type::f32, memory::format_tag::ab);
	memory a(layout, cpu), b(layout, cpu), c(layout, cpu);
	matmul multiply(matmul::primitive_desc(matmul::desc(layout, layout, layout), cpu));

	multiply.execute(work, { { DNNL_ARG_SRC, a }, { DNNL_ARG_WEIGHTS, b },
				 { DNNL_ARG_DST, c } });
	work.wait();
}
