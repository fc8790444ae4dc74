export interface PackedFile {
  path: string;
  bytes: number;
  /** Whether it lies beside the archive. */
  unpacked: boolean;
}
export const workers: readonly string[];
export function listArchive(path: string): PackedFile[];
export function packedProblems(files: readonly PackedFile[]): string[];
export function sizes(files: readonly PackedFile[]): Record<string, number>;
export function lookAtPacked(resources: string): {
  problems: string[];
  sizes: Record<string, number>;
  archiveBytes: number;
};
