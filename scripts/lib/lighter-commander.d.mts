import type { Plugin } from 'vite';

export function lighterCommander(): Plugin;
