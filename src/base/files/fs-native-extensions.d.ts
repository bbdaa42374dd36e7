declare module 'fs-native-extensions' {
  /** Takes an exclusive lock on an open file. Returns false when another process holds it. */
  export function tryLock(fd: number): boolean;
}
