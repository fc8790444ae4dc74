export interface Entry {
  readonly path: string;
  readonly bytes: Buffer;
  readonly mode: number;
}
export function tar(entries: readonly Entry[], seconds: number): Buffer;
export function tarGz(entries: readonly Entry[], seconds: number): Buffer;
export function ar(files: readonly Pick<Entry, 'path' | 'bytes'>[], seconds: number): Buffer;
export function zip(entries: readonly Entry[], seconds: number): Buffer;
