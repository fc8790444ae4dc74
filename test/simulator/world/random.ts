import type * as Real from '../../../src/main/world/random.ts';
import { Process } from './machine.ts';

// Takes the place of `src/main/world/random.ts`.

const chance = () => Process.caller().computer.world.chance;

export const randomNumber: typeof Real.randomNumber = () => chance().next();

const bytes = (length: number): Buffer => chance().bytes(length);

/** With a callback, which nobody uses, it has another signature. */
export const randomBytes = bytes as typeof Real.randomBytes;

export const randomUUID: typeof Real.randomUUID = () => {
  const hex = bytes(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
};
