import type { Command } from 'commander';
import * as z from 'zod';
import { invalidInput } from '../../../shared/errors/errors.ts';
import type { Faults } from '../../../demo/index.ts';
import type { Cli } from '../context.ts';
import { gather, parseOptions, whole } from '../options.ts';
import { waitUntilStopped } from '../session.ts';

const count = whole.pipe(z.int().min(0));
const typedOptions = z.object({
  port: whole.pipe(z.int().min(0).max(65_535)),
  seed: whole,
  wells: count.optional(),
  records: count.optional(),
  datasets: count.optional(),
  fault: z.array(z.string()).default([]),
  admin: z.boolean().default(false),
  live: z.boolean().default(false),
});

/** Starts the demo. @throws AppError invalid_input for an unknown fault, and for a port that is in use */
async function start({ fault, ...options }: z.infer<typeof typedOptions>) {
  const { parseFault, startDemo } = await import('../../../demo/index.ts');
  const faults = fault.map(parseFault).reduce<Partial<Faults>>((all, one) => ({ ...all, ...one }), {});
  const definedOptions = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  );
  return startDemo({ ...definedOptions, faults }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw invalidInput(`Port ${options.port} is in use. Choose another.`, { field: 'port' });
    throw error;
  });
}

/** `demo`: both demo services on one port, in this process, until it is interrupted. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--port <n>', 'port for both services; 0: any free one', '0')
    .option('--seed <n>', 'the same seed gives the same wells, records, and keys', '1')
    .option('--wells <n>', 'number of wells; default: 30')
    .option('--records <n>', 'total number of records; default: 200000')
    .option('--datasets <n>', 'number of datasets; additional ones are empty')
    .option('--fault <name=value>', 'a fault to simulate; repeatable', gather)
    .option('--admin', 'allow changing faults over HTTP')
    .option('--live', 'records up to now, with new ones every second')
    .action(
      cli.run(async (typed: unknown) => {
        const demo = await start(parseOptions(typedOptions, typed));
        try {
          const { dataUrl, platformUrl, apiKeys, login } = demo;
          await cli.out.lines([JSON.stringify({ dataUrl, platformUrl, apiKeys, login })]);
          await waitUntilStopped(cli.signal);
        } finally {
          await demo.close();
        }
        return {};
      }),
    );
}
