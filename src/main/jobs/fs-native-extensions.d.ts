// The part of the package that we use; it brings no types of its own.
declare module 'fs-native-extensions' {
  /** Takes an exclusive lock on an open file, or answers false at once when another holder has it. */
  export function tryLock(fd: number): boolean;
}
