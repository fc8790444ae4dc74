import type { Plugin } from 'vite';

export function questionBuild(main: string, out: string, external: readonly string[]): Plugin;
