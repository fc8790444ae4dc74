import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { pauseInSleep } from '../../../../src/main/hosts/electron/sleep.ts';
import type { JobRunner } from '../../../../src/main/jobs/runner.ts';
import type { Job, JobState } from '../../../../src/shared/jobs.ts';

/** As much of a job as is looked at. */
const job = (id: string, state: JobState) => ({ id, state }) as Job;

function machine(jobs: Job[], elsewhere: string[] = []) {
  const power = new EventEmitter();
  const done: string[] = [];
  const logged: string[] = [];
  const runner: Pick<JobRunner, 'list' | 'pause' | 'resume'> = {
    list: async () => jobs,
    pause(id) {
      if (elsewhere.includes(id)) throw new Error('it runs elsewhere');
      done.push(`pause ${id}`);
    },
    resume: async (id) => {
      if (id === 'gone') throw new Error('it is gone');
      done.push(`resume ${id}`);
    },
  };
  pauseInSleep({ power, runner, log: (sentence) => logged.push(sentence) });
  return { power, done, logged };
}

describe('while the machine sleeps', () => {
  it('running jobs are paused, and they alone go on when it wakes', async () => {
    const { power, done } = machine(
      [job('a', 'running'), job('b', 'waiting'), job('c', 'done'), job('d', 'running')],
      ['d'],
    );
    power.emit('suspend');
    power.emit('suspend');
    power.emit('resume');
    await expect.poll(() => done).toEqual(['pause a', 'resume a']);
    power.emit('resume');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(done).toEqual(['pause a', 'resume a']);
  });

  it('a job that can’t go on is told of, and the others go on', async () => {
    const { power, done, logged } = machine([job('gone', 'running'), job('b', 'running')]);
    power.emit('suspend');
    power.emit('resume');
    await expect.poll(() => done).toEqual(['pause gone', 'pause b', 'resume b']);
    expect(logged.join()).toContain('it is gone');
  });
});
