export function firstScripts(renderer: string): string[];
export function checkSize(renderer: string): 0 | 1;
