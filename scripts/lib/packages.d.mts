/** What is wrong with the packages of the lockfile in a folder, in sentences. */
export function packageProblems(folder: string): string[];
/** Gives 0 when nothing is wrong with them, 1 when something is. */
export function checkPackages(folder: string): number;
