// SPDX-License-Identifier: GPL-2.0
// Five bodies that attract each other: double precision in JIT-compiled code.
const bodies = [];
for (let i = 0; i < 5; i++)
	bodies.push({ at: [i + 0.1, (i * i) % 3, i % 2], v: [0, 0.1 * i, 0] });
for (let step = 0; step < 6000; step++) {
	for (const one of bodies)
		for (const other of bodies) {
			const [x, y, z] = one.at.map((value, axis) => other.at[axis] - value);
			const square = x * x + y * y + z * z + 0.01;
			const pull = 1e-3 / (square * Math.sqrt(square));
			one.v[0] += x * pull;
			one.v[1] += y * pull;
			one.v[2] += z * pull;
		}
	for (const { at, v } of bodies)
		for (let axis = 0; axis < 3; axis++)
			at[axis] += 1e-3 * v[axis];
}
console.log(bodies[0].at);
