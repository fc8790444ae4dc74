// What Vite resolves and TypeScript can't see; `vite/client` would bring Node's types along.
declare module '*.css';
declare module '*.md?raw' {
  const text: string;
  export default text;
}
declare module '*.css?inline' {
  const text: string;
  export default text;
}
