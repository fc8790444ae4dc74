import type { Faults, ShareFault } from './faults.ts';
import { hashText, unit } from './random.ts';

/** Decides when faults occur: the same requests in the same order meet the same faults. */
export class FaultDice {
  readonly #seed: number;
  readonly #faults: Faults;
  readonly #throws = new Map<string, number>();
  #hits = 0;

  constructor(seed: number, faults: Faults) {
    this.#seed = seed;
    this.#faults = faults;
  }

  /** Whether a fault occurs for this request. */
  shouldFail(name: ShareFault | 'late_commit_ms'): boolean {
    const share = Math.min(1, this.#faults[name]);
    if (share <= 0) return false;
    const value = this.next(name);
    if ((this.#throws.get(name) ?? 0) <= this.#faults.fault_after) return false;
    if (this.#faults.fault_times > 0 && this.#hits >= this.#faults.fault_times) return false;
    if (value >= share) return false;
    this.#hits += 1;
    return true;
  }

  /** The next number, from 0 to 1, of the named sequence. */
  next(name: string): number {
    const throws = (this.#throws.get(name) ?? 0) + 1;
    this.#throws.set(name, throws);
    return unit(this.#seed, hashText(name), throws);
  }
}
