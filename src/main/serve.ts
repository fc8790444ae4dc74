import { fileURLToPath } from 'node:url';

// The browser host alone, the same as `cli.js serve`, which is beside this file in the source and in the
// build.
const commandLine = fileURLToPath(import.meta.url.replace(/serve\.(js|ts)$/, 'cli.$1'));
process.argv.splice(1, 1, commandLine, 'serve');
await import('./cli.ts');
