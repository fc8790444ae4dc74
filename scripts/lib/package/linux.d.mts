import type { Entry } from './archive.mjs';

export function desktopEntry(program: string): string;
export const mimeTypes: string;
export function portableLinux(
  root: string,
  contents: readonly Entry[],
  project: { readonly version: string },
  texts: { readonly licenses: string; readonly bill: string },
  seconds: number,
): Buffer;
export function debianPackage(
  root: string,
  contents: readonly Entry[],
  project: { readonly version: string },
  texts: { readonly licenses: string; readonly bill: string },
  seconds: number,
): Buffer;
