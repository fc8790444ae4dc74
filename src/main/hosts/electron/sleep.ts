import type { Pauses } from './pauses.ts';

const why = 'the machine sleeps';

/** Pauses jobs while the machine sleeps, and goes on with them when it wakes. */
export function pauseInSleep(
  power: { on(event: 'suspend' | 'resume', listener: () => void): unknown },
  pauses: Pauses,
): void {
  power.on('suspend', () => pauses.hold(why));
  power.on('resume', () => pauses.letGo(why));
}
