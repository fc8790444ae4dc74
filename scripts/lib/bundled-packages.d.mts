import type { Plugin } from 'vite';
export function listBundledPackages(file: string): Plugin;
