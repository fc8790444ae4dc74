export function electronProgram(options?: { folder?: string; env?: NodeJS.ProcessEnv }): string | undefined;
export function electronProblem(options?: {
  platform?: NodeJS.Platform;
  env?: NodeJS.ProcessEnv;
  uid?: number;
}): string | undefined;
export function ensureElectron(options?: {
  folder?: string;
  memory?: string;
  env?: NodeJS.ProcessEnv;
  fetch?: (folder: string) => Promise<unknown>;
  announce?: () => void;
  now?: number;
}): Promise<{ program: string; reason?: undefined } | { program?: undefined; reason: string }>;
