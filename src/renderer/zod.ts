export {};

declare global {
  // oxlint-disable-next-line no-var -- a property of the global object, and only `var` declares one
  var __zod_globalConfig: { jitless?: boolean } | undefined;
}

// The page's policy allows no code made from text, which zod would otherwise try at the first schema. It looks here, and
// is loaded after the first screen: importing it to tell it so would load it before.
globalThis.__zod_globalConfig = Object.assign(globalThis.__zod_globalConfig ?? {}, { jitless: true });
