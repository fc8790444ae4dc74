// Runs a built main script with the stand-in in place of `electron`: `node run.ts <main script>`. The test that
// started it can evaluate functions in it, as Playwright does in Electron's main process.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';

const standIn = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'electron/main'
      ? { url: standIn, shortCircuit: true }
      : next(specifier, context),
});

const [, , script] = process.argv;
if (!script) throw new Error('Which main script?');

const electron = await import('./electron.ts');
const { host } = await import('./host.ts');
await import(pathToFileURL(script).href);
await electron.app.becomeReady();

const question = z.object({ id: z.number(), source: z.string(), argument: z.unknown().optional() });

/** Evaluates a test's function, passed as source, with the `electron` module and an argument. */
async function evaluate(source: string, argument: unknown): Promise<unknown> {
  // oxlint-disable-next-line no-implied-eval -- the test's own function, written in the test
  const wanted = new Function(`return (${source});`)() as (
    module: typeof electron,
    given: unknown,
  ) => unknown;
  return wanted(electron, argument);
}

// The process that started this one has disconnected.
process.on('disconnect', () => electron.app.exit(1));
process.on('message', (message) => {
  const { id, source, argument } = question.parse(message);
  evaluate(source, argument).then(
    (value) => process.send?.({ id, ok: true, value: value ?? null }),
    (error: unknown) => process.send?.({ id, ok: false, value: String(error) }),
  );
});
process.send?.({ endpoint: (await host.chromium).endpoint });
