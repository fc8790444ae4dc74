import type { Plugin } from 'vite';
export function earlyParts(): Plugin;
