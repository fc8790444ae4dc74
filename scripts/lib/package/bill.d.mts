import type { ShippedPackage } from '../licenses.mjs';

/** npm's description of the lockfile, of which only this project's own code reads more. */
export type LockedBill = Readonly<Record<string, unknown>>;
export function lockedBill(root: string): LockedBill;
export function billOfMaterials(
  locked: LockedBill,
  packages: readonly ShippedPackage[],
  project: { readonly name: string; readonly version: string },
  seconds: number,
): string;
