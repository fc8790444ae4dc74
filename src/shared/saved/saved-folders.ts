/** Whether a folder is another one, or lies in it. */
export const liesIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

/** The path after the folder `from` has become `to`. */
export const movedPath = (path: string, from: string, to: string): string =>
  liesIn(path, from) ? `${to}${path.slice(from.length)}` : path;
