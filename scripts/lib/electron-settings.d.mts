export function settingProblems(sources: readonly { path: string; text: string }[]): string[];
