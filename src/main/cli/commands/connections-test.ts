import type { Command } from 'commander';
import type { DiagnosisStep } from '../../../shared/connections/diagnosis.ts';
import type { Cli } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { chooseConnection, withApp } from '../session.ts';

interface Diagnosis {
  readonly steps: DiagnosisStep[];
  readonly report: string;
}

/** The exit code of what went wrong; a missing permission or a wrong key before anything else. */
function exitCodeOf(steps: readonly DiagnosisStep[]): ExitCode {
  const codes = steps
    .filter(({ state }) => state === 'failed')
    .map(({ code }): ExitCode => (code === null ? 1 : exitCodes[code]));
  return codes.find((code) => code === 4) ?? codes[0] ?? 0;
}

/** How it went with one service: what it answered, else the step before it that failed. */
function ofService(service: 'data' | 'platform', steps: readonly DiagnosisStep[]) {
  const own = steps.find(({ step }) => step === service);
  const failed = steps.find(
    ({ state, host }) => state === 'failed' && (host === null || host === (own?.host ?? null)),
  );
  const telling =
    own?.state === 'skipped' ? (failed ?? steps.find(({ step }) => step === 'auth') ?? own) : own;
  const { found = '', advice = null, code = null, ms = 0 } = telling ?? {};
  return { ok: own?.state === 'ok', ms, message: [found, advice ?? ''].join(' ').trim(), code };
}

function lineOf({ step, host, state, ms, found, advice }: DiagnosisStep): string {
  const about = host === null ? step : `${step} ${host}`;
  return `${about}: ${state} (${ms} ms). ${found}${advice ? ` ${advice}` : ''}`;
}

/** `connections test [NAME]`: each step of the way to the services, with what to do where one fails. */
export function defineTest(command: Command, cli: Cli): void {
  command
    .description('look at each step of the way to both services')
    .argument('[name]', 'default: the one of --connection or of the environment')
    .option('--report', 'write a report for the IT desk instead; no secret is in it')
    .action(
      cli.run(async (name: string | undefined, { report: asReport }: { report?: boolean }) => {
        const { steps, report } = await withApp(cli, async (session): Promise<Diagnosis> => {
          const connection = await chooseConnection(session, name ?? cli.connection);
          const found: DiagnosisStep[] = [];
          for await (const event of await session.client.connections.diagnose(
            { connection },
            session.options,
          )) {
            if (event.kind === 'end') return { steps: found, report: event.report };
            found.push(event);
            if (!cli.json && !asReport) await cli.out.lines([lineOf(event)]);
          }
          return { steps: found, report: '' };
        });
        if (asReport) await cli.out.write(report);
        const exitCode = exitCodeOf(steps);
        const services = { data: ofService('data', steps), platform: ofService('platform', steps) };
        return { summary: { ok: exitCode === 0, ...services, steps, report }, exitCode };
      }),
    );
}
