/** A package that is distributed, and where it is. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly author: string;
  readonly folder: string;
}
export function bundledPackages(root: string): ShippedPackage[];
export function licensesText(packages: readonly ShippedPackage[]): string;
export function readPackage(folder: string): ShippedPackage;
