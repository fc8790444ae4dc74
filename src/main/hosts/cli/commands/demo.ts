import * as z from 'zod';
import { aborted } from '../../../../shared/abort.ts';
import { withoutUndefined } from '../../../../shared/json.ts';
import { invalidInput } from '../../../../shared/errors/errors.ts';
import type { Faults } from '../../../../demo/index.ts';
import { command, flag, option } from '../command.ts';
import { portOption, whole } from '../options.ts';

const count = whole.pipe(z.int().min(0)).optional();

/** `demo`: both demo services on one port, in this process, until it is interrupted. */
export const demo = command({
  arguments: {},
  options: {
    ...portOption('port for both services; 0: a free port'),
    seed: option(whole.default(1), '<n>', 'the same seed gives the same wells, records, and keys'),
    wells: option(count, '<n>', 'number of wells; default: 30'),
    records: option(count, '<n>', 'total number of records; default: 200000'),
    datasets: option(count, '<n>', 'number of datasets; additional datasets are empty'),
    fault: option(z.array(z.string()).default([]), '<name=value>', 'a fault to simulate; repeatable'),
    admin: flag('allow changing faults over HTTP'),
    live: flag('create records up to now, and new ones every second'),
  },
  async run({ fault, ...values }, cli) {
    const { parseFault, startDemo } = await import('../../../../demo/index.ts');
    const faults = fault.map(parseFault).reduce<Partial<Faults>>((all, next) => ({ ...all, ...next }), {});
    const services = await startDemo({ ...withoutUndefined(values), faults }).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
        throw invalidInput(`Port ${values.port} is in use. Choose another.`, { field: 'port' });
      throw error;
    });
    try {
      const { dataUrl, platformUrl, apiKeys, login } = services;
      await cli.out.lines([JSON.stringify({ dataUrl, platformUrl, apiKeys, login })]);
      await aborted(cli.signal);
    } finally {
      await services.close();
    }
    return {};
  },
});
