// The page's policy allows no code made from text, which zod would otherwise try at the first schema. It looks here when it
// is loaded, which is after the first screen: importing it to tell it so would load it before.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
