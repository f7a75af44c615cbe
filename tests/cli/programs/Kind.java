// SPDX-License-Identifier: GPL-2.0
/** A loop that the virtual machine of Java finds worth compiling. */
class Kind {
	public static void main(String[] words) {
		long sum = 0;

		for (int round = 0; round < 200; round++)
			for (int i = 0; i < 1000; i++)
				sum += i % 7;
		System.out.println(sum);
	}
}
