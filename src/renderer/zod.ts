// The page's policy allows no code made from text, which zod would otherwise try at the first schema. It looks for this
// name, and is loaded after the first screen: importing it to tell it so would load it before.
const zodLooksAt = '__zod_globalConfig';
const zodKnows: unknown = Reflect.get(globalThis, zodLooksAt);
const zodSettings = typeof zodKnows === 'object' && zodKnows !== null ? zodKnows : {};
Reflect.set(globalThis, zodLooksAt, Object.assign(zodSettings, { jitless: true }));
