// SPDX-License-Identifier: GPL-2.0
/** A loop that Java's virtual machine compiles; with an argument it then waits for a signal. */
class Kind {
	public static void main(String[] words) throws InterruptedException {
		long sum = 0;

		for (int round = 0; round < 200; round++)
			for (int i = 0; i < 1000; i++)
				sum += i % 7;
		System.out.println(sum);
		if (words.length > 0) {
			System.out.println(words[0]);
			Thread.sleep(100000);
		}
	}
}
