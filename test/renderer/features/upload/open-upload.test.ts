import { afterEach, describe, expect, it } from 'vitest';
import type { Session, SessionApp } from '../../../../src/renderer/contexts.ts';
import {
  addFiles,
  openGrantedFiles,
  openJob,
  openUpload,
  similarTo,
} from '../../../../src/renderer/features/upload/open-upload.ts';
import { uploadKind } from '../../../../src/renderer/features/upload/upload-kind.ts';
import { loaded } from '../../../../src/renderer/state/loadable.ts';
import type { Connection } from '../../../../src/shared/connections/connections.ts';
import { job as jobSchema, type Job } from '../../../../src/shared/jobs/jobs.ts';
import { fileWith } from '../../../main/features/upload/support/files.ts';
import { useApplication } from '../../app/support/application.ts';
import { sessionApp, sessionsOf } from '../../app/support/session.ts';
import { datasetOf } from './window.ts';

const time = datasetOf('time');
const startApplication = useApplication();
const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) {
    await session.close();
    await expect.poll(() => session.tabs.store.getState().tabs).toEqual([]);
  }
});

/** The uploads of a session over a real application. */
async function uploadsOf(app?: SessionApp, connection = 'c') {
  const parts = app ?? sessionApp((await startApplication()).application);
  const session = sessionsOf(parts, connection)();
  sessions.push(session);
  const models = () => session.tabs.store.getState().tabs.flatMap((tab) => uploadKind.of(tab) ?? []);
  const datasets = () => models().map(({ store }) => store.getState().dataset?.dataset ?? null);
  const active = () => {
    const { tabs, active: id } = session.tabs.store.getState();
    return tabs.findIndex((tab) => tab.id === id);
  };
  /** The files, and those that couldn't be transferred, once none is being transferred. */
  const files = () =>
    expect
      .poll(() => models().map(({ store }) => store.getState().nextFile?.status))
      .not.toContain('transferring')
      .then(() => models().map(({ store }) => store.getState().nextFile ?? store.getState().file));
  return { app: parts, session, models, datasets, active, files };
}

const job = (id: string, connection = 'c', connectionId?: string): Job =>
  jobSchema.parse({
    kind: 'upload',
    id,
    state: 'done',
    address: { provider: 'demo', dataset: time.dataset },
    connection,
    connectionId,
    file: 'rig.csv',
    started: '2026-11-21T06:00:00Z',
    updated: '2026-11-21T06:00:00Z',
    progress: { rows: 0, totalRows: null, bytes: 0, rate: 0, secondsLeft: null, nextTryMs: null },
    error: null,
    artifacts: [],
    result: null,
  });

describe('uploads of a window', () => {
  it('use the dataset in view unless another is named', async () => {
    const { session, datasets } = await uploadsOf();
    openUpload(session);
    openUpload(session, time);
    openUpload(session);
    expect(datasets()).toEqual([null, time.dataset, time.dataset]);
    session.tabs.actions.clear();
    openUpload(session);
    expect(datasets()).toEqual([null]);
  });

  it('open for each dropped file, the first of them in a tab without a file', async () => {
    const { session, models, files } = await uploadsOf();
    openUpload(session, time);
    addFiles(session, [new File(['a'], '/missing/first.csv'), new File(['b'], '/missing/second.csv')]);
    expect(models()).toHaveLength(2);
    // The next dropped file finds no tab without a file.
    addFiles(session, [new File(['c'], '/missing/third.csv')]);
    const all = await files();
    expect(all.map((file) => file.status)).toEqual(['failed', 'failed', 'failed']);
    expect(all.map((file) => 'name' in file && file.name)).toEqual(
      ['first', 'second', 'third'].map((name) => `/missing/${name}.csv`),
    );
  });

  it('leave a tab alone whose missing file is being selected again', async () => {
    const { session, models, files } = await uploadsOf();
    openUpload(session, time);
    const [first] = models();
    const file = { token: 'first'.padEnd(24, 'x'), name: 'first.csv', bytes: 1 };
    first?.store.setState({ file: { status: 'missing', file, error: null } });
    void first?.actions.addFile(new File(['a'], '/missing/first.csv'));
    addFiles(session, [new File(['b'], '/missing/second.csv')]);
    const [tab] = session.tabs.store.getState().tabs;
    if (tab) session.tabs.actions.show(tab.id);
    addFiles(session, [new File(['c'], '/missing/third.csv')]);
    expect(first?.store.getState().nextFile).toMatchObject({ name: '/missing/first.csv' });
    expect((await files()).map((each) => 'name' in each && each.name)).toEqual(
      ['first', 'second', 'third'].map((name) => `/missing/${name}.csv`),
    );
    expect(first?.store.getState()).toMatchObject({ file: { file }, nextFile: { status: 'failed' } });
  });

  it('open for each file beyond the first when several were selected at once', async () => {
    const { session, datasets, files } = await uploadsOf();
    const granted = ['b.csv', 'c.csv'].map((name) => ({ token: name.padEnd(24, 'x'), name, bytes: 1 }));
    openGrantedFiles(session, granted, time);
    expect(datasets()).toEqual([time.dataset, time.dataset]);
    expect(await files()).toMatchObject(granted.map((file) => ({ file })));
  });

  it('list the others whose files have the same header', async () => {
    const { session, models } = await uploadsOf();
    const paths = await Promise.all(['t,x\n1,2\n', 't,x\n3,4\n', 'other\n1\n'].map((text) => fileWith(text)));
    for (const path of paths) {
      openUpload(session, time);
      await models().at(-1)?.actions.addFile(new File([], path));
    }
    await expect
      .poll(() => models().map(({ store }) => store.getState().inspection.status))
      .toEqual(['loaded', 'loaded', 'loaded']);
    const [first, second, third] = models();
    if (!first || !third) throw new Error('the uploads are not open');
    expect(similarTo(session, first)).toEqual([second]);
    expect(similarTo(session, third)).toEqual([]);
  });

  it('of a job open once, and are shown again after that', async () => {
    const { session, models, active } = await uploadsOf();
    openJob(session, job('job-00000001'));
    openJob(session, job('job-00000002'));
    expect(active()).toBe(1);
    openJob(session, job('job-00000001'));
    expect(active()).toBe(0);
    expect(models()).toHaveLength(2);
    // A tab of before a restart isn't loaded until it is shown.
    const state = { dataset: null, job: 'job-00000003', draft: null };
    const stored = { id: 'stored', kind: 'upload', title: '', name: null, scope: [], state };
    session.tabs.actions.restore({ open: [stored], closed: [], active: null, neighbor: null, preview: null });
    openJob(session, job(state.job));
    expect(session.tabs.store.getState()).toMatchObject({ active: 'stored', tabs: { length: 3 } });
    // It was discarded before the restart.
    const sends = () => models().map(({ store }) => store.getState().send);
    await expect.poll(sends).toContainEqual({ status: 'started', job: state.job, isDiscarded: true });
  });

  it('of a job of before a restart list it: it may be older than those listed', async () => {
    const { app, session } = await uploadsOf();
    const old = job('job-00000004');
    const { upload } = app.api;
    const api = { upload, jobs: { show: async () => old } } as never;
    const state = { dataset: null, job: old.id, draft: null };
    await uploadKind.restore(state, { ...session, app: { ...app, api } });
    expect(app.jobs.store.getState().jobs).toEqual([old]);
  });

  it.each([
    ['of a job of another connection open there', 'There', undefined, [0, 1]],
    ['of a job of another connection open there after that got another name', 'Once', 'd', [0, 1]],
    ['of a job open here if another connection got its name', 'There', 'c', [1, 0]],
  ] as const)('%s', async (_, name, id, expected) => {
    const here = await uploadsOf();
    const there = await uploadsOf(here.app, 'd');
    const { connections, sessions: open } = here.app;
    const connection = { id: 'd', name: 'There' } as Connection;
    connections.store.setState({ list: loaded([connection]) });
    open.setState({ current: there.session });
    openJob(here.session, job('job-00000003', name, id));
    await there.session.tabStorage.restored;
    expect([here.models(), there.models()].map(({ length }) => length)).toEqual(expected);
    if (expected[1] === 1) expect(connections.store.getState().current?.id).toBe('d');
  });

  it('of a job are shown in their tab of before a restart, also on a connection that isn’t open yet', async () => {
    const here = await uploadsOf();
    const start = sessionsOf(here.app, 'd');
    const before = start();
    await before.tabStorage.restored;
    openJob(before, job('job-00000003'));
    await before.close();
    const after = start();
    sessions.push(after);
    here.app.connections.store.setState({ list: loaded([{ id: 'd', name: 'There' } as Connection]) });
    here.app.sessions.setState({ current: after });
    openJob(here.session, job('job-00000003', 'There', 'd'));
    await after.tabStorage.restored;
    expect(after.tabs.store.getState().tabs).toHaveLength(1);
    expect(after.tabs.store.getState().active).toBe(after.tabs.store.getState().tabs[0]?.id);
  });

  it('of a job of another connection don’t open once the user shows another one', async () => {
    const here = await uploadsOf();
    const there = await uploadsOf(here.app, 'd');
    const { connections, sessions: open } = here.app;
    connections.store.setState({ list: loaded([{ id: 'd', name: 'There' } as Connection]) });
    open.setState({ current: there.session });
    openJob(here.session, job('job-00000003', 'There', 'd'));
    connections.store.setState({ current: { id: 'c', name: 'Here' } as Connection });
    open.setState({ current: here.session });
    await there.session.tabStorage.restored;
    expect([here.models(), there.models(), open.getState().current]).toEqual([[], [], here.session]);
    expect(connections.store.getState().current?.id).toBe('c');
  });
});
