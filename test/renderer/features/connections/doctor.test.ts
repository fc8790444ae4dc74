import { describe, expect, it } from 'vitest';
import { causesIn, createDoctor } from '../../../../src/renderer/features/connections/doctor.ts';
import {
  diagnosisEvent,
  diagnosisStep,
  type DiagnosisEvent,
} from '../../../../src/shared/connections/diagnosis.ts';
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
const patient = (of: string) => ({ of, name: of, subject: { connection: of } });

/** A doctor whose diagnoses come from these streams, one after the other. */
function withStreams(...streams: ((signal: AbortSignal) => AsyncGenerator<DiagnosisEvent>)[]) {
  const diagnose = async (_subject: unknown, { signal }: { signal: AbortSignal }) =>
    streams.shift()?.(signal);
  const doctor = createDoctor({ connections: { diagnose } } as never);
  const seen = () => {
    const { steps, end: now } = doctor.store.getState();
    return [...steps.map((one) => one.step), now.status];
  };
  return { ...doctor, seen };
}

async function* untilAborted(signal: AbortSignal): AsyncGenerator<DiagnosisEvent> {
  yield step('name');
  await new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(new AppError('cancelled', {}))),
  );
}

describe('the connectivity doctor of the window', () => {
  it('shows each step as it comes, then the report', async () => {
    const gate = Promise.withResolvers<void>();
    const doctor = withStreams(async function* () {
      yield step('name');
      await gate.promise;
      yield step('tcp');
      yield end;
    });
    const looked = doctor.actions.look(patient('north'));
    await expect.poll(doctor.seen).toEqual(['name', 'running']);
    gate.resolve();
    await looked;
    expect(doctor.seen()).toEqual(['name', 'tcp', 'ended']);
    expect(doctor.store.getState().end).toMatchObject({ report: 'all is well' });
  });

  it('stops when it is told to, and keeps what it has found', async () => {
    const doctor = withStreams(untilAborted);
    const looked = doctor.actions.look(patient('north'));
    await expect.poll(doctor.seen).toEqual(['name', 'running']);
    doctor.actions.cancel();
    await looked;
    expect(doctor.seen()).toEqual(['name', 'cancelled']);
  });

  it('drops what it showed of a connection that has another key now, and of no other', async () => {
    const doctor = withStreams(async function* () {
      yield step('auth');
      yield end;
    });
    await doctor.actions.look(patient('north'));
    doctor.actions.closeFor('south');
    expect(doctor.seen()).toEqual(['auth', 'ended']);
    doctor.actions.closeFor('north');
    expect(doctor.store.getState().patient).toBeNull();
  });

  it('leaves one patient for the next, and nobody when it is closed', async () => {
    const doctor = withStreams(untilAborted, async function* () {
      yield step('proxy');
      yield end;
    });
    const first = doctor.actions.look(patient('north'));
    await expect.poll(doctor.seen).toEqual(['name', 'running']);
    await doctor.actions.look(patient('south'));
    await first;
    expect(doctor.store.getState().patient?.of).toBe('south');
    expect(doctor.seen()).toEqual(['proxy', 'ended']);
    doctor.actions.close();
    expect(doctor.store.getState().patient).toBeNull();
  });

  it('says why it could not look', async () => {
    const doctor = withStreams(async function* () {
      yield step('name');
      throw new AppError('connection_unknown', { connection: 'north' });
    });
    await doctor.actions.look(patient('north'));
    expect(doctor.store.getState().end).toMatchObject({
      status: 'failed',
      error: { code: 'connection_unknown' },
    });
  });
});

it('names each cause once, and leaves out what a cause before it explains', () => {
  const failed = (name: string, code: string) =>
    diagnosisStep.parse({ ...step(name), state: 'failed', code, found: 'No.', advice: 'Do it.' });
  const steps = [
    diagnosisStep.parse(step('name')),
    failed('tcp', 'unreachable'),
    failed('auth', 'not_authenticated'),
    failed('data', 'not_authenticated'),
    failed('platform', 'unreachable'),
  ];
  expect(causesIn(steps).map((one) => one.step)).toEqual(['tcp', 'auth', 'platform']);
});
