// Loaded before a process starts: the library of DuckDB isn't there, as on a computer that it isn't built for.
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@duckdb/node-bindings')) throw new Error(`Cannot find package '${specifier}'`);
    return next(specifier, context);
  },
});
