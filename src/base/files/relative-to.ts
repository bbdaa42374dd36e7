/**
 * Returns a path relative to the folder `root`. A path outside of it, or any path without a root, is returned
 * as it is.
 */
export const relativeTo = (root: string | null, path: string): string =>
  root !== null && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
