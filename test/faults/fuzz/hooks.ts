import { registerHooks } from 'node:module';

// Threads start from the build, as in other tests (vitest.config.ts): a thread from source compiles the application again.

const builtWorkers = new URL('../../support/built-workers.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    return resolved.url.endsWith('/src/main/world/workers.ts')
      ? { ...resolved, url: builtWorkers }
      : resolved;
  },
});
