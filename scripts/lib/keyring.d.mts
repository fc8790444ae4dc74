export function hasKeyring(): boolean;
export function ensureKeyring(): Promise<boolean>;
