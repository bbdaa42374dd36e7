/** Returns a path as it is named within the folder `root`; one outside of it, or without a root, as it is. */
export const relativeTo = (root: string | null, path: string): string =>
  root !== null && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
