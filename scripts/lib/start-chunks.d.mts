import type { Rolldown } from 'vite';

export function startChunks(main: string, workers: readonly string[]): Rolldown.CodeSplittingOptions;
export function questionChunk(main: string): Rolldown.CodeSplittingOptions;
