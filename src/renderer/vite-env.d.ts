// What Vite resolves and TypeScript can't see; `vite/client` would bring Node's types along.
declare module '*.css';
declare module '*.css?inline' {
  const text: string;
  export default text;
}
interface ImportMeta {
  /** The texts of files, by their paths from this file. */
  glob<T>(
    patterns: readonly string[],
    options: { readonly query: '?raw'; readonly import: 'default'; readonly eager: true },
  ): Record<string, T>;
}
