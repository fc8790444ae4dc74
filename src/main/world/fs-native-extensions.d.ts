// The part of the package that is used here; it has no types.
declare module 'fs-native-extensions' {
  /** Takes an exclusive lock on an open file; false at once if another holder has it. */
  export function tryLock(fd: number): boolean;
}
