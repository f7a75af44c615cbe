// SPDX-License-Identifier: GPL-2.0
/*
 * A kernel of OpenCL, which pocl compiles and runs in threads of this process. With an
 * argument it then waits for a signal.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <unistd.h>

#define ITEMS	4096

static const char *const source =
	"__kernel void square(__global int *a)"
	"{ int i = get_global_id(0); a[i] = i * i; }";

int main(int argc, char **argv)
{
	const size_t items = ITEMS;
	static cl_int out[ITEMS];
	cl_platform_id platform;
	cl_command_queue queue;
	cl_device_id device;
	cl_context context;
	cl_program program;
	cl_kernel kernel;
	cl_mem buffer;
	int i;

	if (clGetPlatformIDs(1, &platform, NULL) ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
		return 77;	/* none is installed */
	context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = clCreateCommandQueue(context, device, 0, NULL);
	program = clCreateProgramWithSource(context, 1, (const char **)&source,
					    NULL, NULL);
	if (clBuildProgram(program, 1, &device, "", NULL, NULL))
		return 98;
	kernel = clCreateKernel(program, "square", NULL);
	buffer = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof(out), NULL,
				NULL);
	if (clSetKernelArg(kernel, 0, sizeof(buffer), &buffer) ||
	    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0,
				   NULL, NULL) ||
	    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(out), out, 0,
				NULL, NULL))
		return 97;
	for (i = 0; i < ITEMS; i++)
		if (out[i] != i * i)
			return 96;
	puts("squares");
	if (argc > 1) {
		puts(argv[1]);
		fflush(stdout);
		pause();
	}
	return 0;
}
