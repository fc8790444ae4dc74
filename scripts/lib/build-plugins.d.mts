import type { Plugin } from 'vite';

export declare const layers: readonly string[];
export declare function layerOf(path: string): string | null;
export declare const cssLayers: (root: string) => Plugin;
export declare const earlyParts: () => Plugin;
export declare function listBundledPackages(file: string): Plugin;
