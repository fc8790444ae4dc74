import { Random as Numbers } from '../../../src/demo/random.ts';

/** Random numbers, and choices by them. */
export class Random extends Numbers {
  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[Math.floor(this.next() * choices.length)] ?? choices[0];
  }
}
