import { describe, expect, it } from 'vitest';
import { findCauses, createDiagnostics } from '../../../../src/renderer/features/connections/diagnostics.ts';
import {
  diagnosisEvent,
  diagnosisStep,
  type DiagnosisEvent,
} from '../../../../src/shared/contract/connections.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';

const step = (name: string): DiagnosisEvent =>
  diagnosisEvent.parse({
    kind: 'step',
    step: name,
    host: 'data.example.com:443',
    state: 'ok',
    ms: 1,
    found: 'It is there.',
    advice: null,
    code: null,
  });
const end: DiagnosisEvent = { kind: 'end', ok: true, report: 'all is well' };
const target = (id: string) => ({ id, name: id, subject: { connection: id } });

/** Diagnostics that read these streams in order. */
function withStreams(...streams: ((signal: AbortSignal) => AsyncGenerator<DiagnosisEvent>)[]) {
  const diagnose = async (_subject: unknown, { signal }: { signal: AbortSignal }) =>
    streams.shift()?.(signal);
  const diagnostics = createDiagnostics({ connections: { diagnose } } as never);
  const seen = () => {
    const { steps, end: now } = diagnostics.store.getState();
    return [...steps.map((one) => one.step), now.status];
  };
  return { ...diagnostics, seen };
}

async function* waitForAbort(signal: AbortSignal): AsyncGenerator<DiagnosisEvent> {
  yield step('name');
  await new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(new AppError('cancelled', {}))),
  );
}

describe('connection diagnostics in the window', () => {
  it('shows each step as it arrives, then the report', async () => {
    const release = Promise.withResolvers<void>();
    const diagnostics = withStreams(async function* () {
      yield step('name');
      await release.promise;
      yield step('tcp');
      yield end;
    });
    const looked = diagnostics.actions.start(target('north'));
    await expect.poll(diagnostics.seen).toEqual(['name', 'running']);
    release.resolve();
    await looked;
    expect(diagnostics.seen()).toEqual(['name', 'tcp', 'ended']);
    expect(diagnostics.store.getState().end).toMatchObject({ report: 'all is well' });
  });

  it('stops on request, and keeps its findings', async () => {
    const diagnostics = withStreams(waitForAbort);
    const looked = diagnostics.actions.start(target('north'));
    await expect.poll(diagnostics.seen).toEqual(['name', 'running']);
    diagnostics.actions.cancel();
    await looked;
    expect(diagnostics.seen()).toEqual(['name', 'cancelled']);
  });

  it('clears the results of a connection whose key changed, and of no other', async () => {
    const diagnostics = withStreams(async function* () {
      yield step('auth');
      yield end;
    });
    await diagnostics.actions.start(target('north'));
    diagnostics.actions.closeFor('south');
    expect(diagnostics.seen()).toEqual(['auth', 'ended']);
    diagnostics.actions.closeFor('north');
    expect(diagnostics.store.getState().target).toBeNull();
  });

  it('replaces one target by the next, and has none when it is closed', async () => {
    const diagnostics = withStreams(waitForAbort, async function* () {
      yield step('proxy');
      yield end;
    });
    const first = diagnostics.actions.start(target('north'));
    await expect.poll(diagnostics.seen).toEqual(['name', 'running']);
    await diagnostics.actions.start(target('south'));
    await first;
    expect(diagnostics.store.getState().target?.id).toBe('south');
    expect(diagnostics.seen()).toEqual(['proxy', 'ended']);
    diagnostics.actions.close();
    expect(diagnostics.store.getState().target).toBeNull();
  });

  it('reports why it could not run', async () => {
    const diagnostics = withStreams(async function* () {
      yield step('name');
      throw new AppError('connection_unknown', { connection: 'north' });
    });
    await diagnostics.actions.start(target('north'));
    expect(diagnostics.store.getState().end).toMatchObject({
      status: 'failed',
      error: { code: 'connection_unknown' },
    });
  });
});

it('each cause is named once, without those that an earlier cause explains', () => {
  const failed = (name: string, code: string) =>
    diagnosisStep.parse({ ...step(name), state: 'failed', code, found: 'No.', advice: 'Do it.' });
  const steps = [
    diagnosisStep.parse(step('name')),
    failed('tcp', 'unreachable'),
    failed('auth', 'not_authenticated'),
    failed('data', 'not_authenticated'),
    failed('platform', 'unreachable'),
  ];
  expect(findCauses(steps).map((one) => one.step)).toEqual(['tcp', 'auth', 'platform']);
});
