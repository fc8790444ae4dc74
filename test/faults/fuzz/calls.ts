import type * as z from 'zod';
import { contract } from '../../../src/shared/contract/contract.ts';

/** One entry of the contract: the target of a frame, and its input. */
export interface Entry {
  readonly path: string;
  readonly input: z.core.$ZodType | undefined;
}

/** Every call and every event of the contract. */
export const entries: readonly Entry[] = Object.entries(contract).flatMap(([room, names]) =>
  Object.entries(names).map(([name, procedure]) => ({
    path: `/${room}/${name}`,
    input: procedure['~orpc'].inputSchema as z.core.$ZodType | undefined,
  })),
);
