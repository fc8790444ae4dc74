import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { pauseOffline, createPauses, pauseInSleep } from '../../../../src/main/hosts/electron/pauses.ts';
import type { JobRunner } from '../../../../src/main/core/jobs/jobs.ts';
import type { Job, JobState, JobWait } from '../../../../src/shared/jobs/jobs.ts';

/** The part of a job that is in use. */
const job = (id: string, state: JobState, waitsFor: JobWait | null = null) =>
  ({ id, state, waitsFor, connection: id }) as Job;

function machine(started: Job[], elsewhere: string[] = []) {
  const jobs = new Map(started.map((one) => [one.id, one]));
  const setState = (id: string, state: JobState, waitsFor: JobWait | null = null) =>
    jobs.set(id, job(id, state, waitsFor));
  const power = new EventEmitter();
  const current = new Map<string, object>();
  const done: string[] = [];
  const logged: string[] = [];
  let online = true;
  const runner: Pick<JobRunner, 'running' | 'pause' | 'resume'> = {
    running: async () => [...jobs.values()],
    pause(id) {
      if (elsewhere.includes(id)) throw new Error('it runs elsewhere');
      done.push(`pause ${id}`);
      setState(id, 'waiting', { for: 'resume' });
      const pause = {};
      current.set(id, pause);
      return pause;
    },
    resume: async (id, pause) => {
      if (id === 'gone') throw new Error('it is gone');
      if (pause && current.get(id) !== pause) return;
      current.delete(id);
      done.push(`resume ${id}`);
      setState(id, 'running');
    },
  };
  const pauses = createPauses({ runner, log: (sentence) => logged.push(sentence) });
  pauseInSleep(power, pauses);
  const isElsewhere = async ({ connection }: Job) => connection !== 'sample';
  const look = pauseOffline(runner, pauses, () => online, isElsewhere);
  return {
    power,
    done,
    logged,
    runner,
    setState,
    network(there: boolean) {
      online = there;
      look();
    },
  };
}

describe('while the machine sleeps', () => {
  it('running jobs are paused, and only those resume when it wakes', async () => {
    const { power, done, logged } = machine(
      [job('a', 'running'), job('b', 'waiting'), job('c', 'done'), job('d', 'running')],
      ['d'],
    );
    power.emit('suspend');
    power.emit('suspend');
    power.emit('resume');
    power.emit('resume');
    power.emit('suspend');
    await expect.poll(() => done).toEqual(['pause a', 'resume a', 'pause a']);
    expect(logged[0]).toBe('Jobs paused: 1, because the machine sleeps.');
  });

  it('a job that can’t resume is reported, and the others resume', async () => {
    const { power, done, logged } = machine([job('gone', 'running'), job('b', 'running')]);
    power.emit('suspend');
    power.emit('resume');
    await expect.poll(() => done).toEqual(['pause gone', 'pause b', 'resume b']);
    expect(logged.join()).toContain('it is gone');
  });
});

describe('while there is no network', () => {
  it('jobs of remote services are paused, and resume with the network', async () => {
    const { network, done } = machine([job('a', 'running'), job('sample', 'running')]);
    network(true);
    network(false);
    network(false);
    network(true);
    await expect.poll(() => done).toEqual(['pause a', 'resume a']);
  });

  it('jobs that lost their connection are retried immediately when it is back', async () => {
    const lost = job('lost', 'waiting', { for: 'link' });
    const { network, done } = machine([lost, job('b', 'waiting', { for: 'login' })]);
    network(false);
    network(true);
    await expect.poll(() => done).toEqual(['resume lost']);
  });

  it('a job that the user cancels meanwhile stays canceled', async () => {
    const { network, done, setState } = machine([job('a', 'running'), job('b', 'running')]);
    network(false);
    await expect.poll(() => done).toEqual(['pause a', 'pause b']);
    setState('a', 'cancelled');
    network(true);
    await expect.poll(() => done).toEqual(['pause a', 'pause b', 'resume b']);
  });

  it('a job that the user resumes meanwhile is paused when the machine sleeps', async () => {
    const { power, network, done, setState } = machine([job('a', 'running')]);
    network(false);
    await expect.poll(() => done).toEqual(['pause a']);
    setState('a', 'running');
    power.emit('suspend');
    await expect.poll(() => done).toEqual(['pause a', 'pause a']);
  });

  it('a job that the user resumes and pauses meanwhile stays paused', async () => {
    const { power, network, done, runner } = machine([job('a', 'running'), job('b', 'running')]);
    network(false);
    await expect.poll(() => done).toEqual(['pause a', 'pause b']);
    await runner.resume('a');
    runner.pause('a');
    done.length = 0;
    power.emit('suspend');
    power.emit('resume');
    network(true);
    await expect.poll(() => done).toEqual(['resume b']);
    await setImmediate();
    expect(done).toEqual(['resume b']);
  });

  it('a job that the user resumes meanwhile continues when the machine wakes', async () => {
    const { power, network, done, runner } = machine([job('a', 'running')]);
    network(false);
    await expect.poll(() => done).toEqual(['pause a']);
    await runner.resume('a');
    power.emit('suspend');
    power.emit('resume');
    await expect.poll(() => done).toEqual(['pause a', 'resume a', 'pause a', 'resume a']);
  });

  it('waking up doesn’t start a job', async () => {
    const { power, network, done } = machine([job('a', 'running')]);
    power.emit('suspend');
    network(false);
    power.emit('resume');
    // No step here waits longer than one turn.
    await setImmediate();
    expect(done).toEqual(['pause a']);
    network(true);
    await setImmediate();
    expect(done).toEqual(['pause a', 'resume a']);
  });
});
