export interface LockedPackage {
  readonly place: string;
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}
export function nativePackages(root: string, platform: 'linux' | 'win32'): LockedPackage[];
export function nodePackage(root: string, platform: 'linux' | 'win32'): LockedPackage;
export function fetchPackage(root: string, locked: LockedPackage): Promise<string>;
export function verifyPackage(locked: LockedPackage, bytes: Buffer): void;
