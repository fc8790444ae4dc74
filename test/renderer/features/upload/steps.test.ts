import { describe, expect, it } from 'vitest';
import {
  shownStep,
  stepStatuses,
  type UploadProgress,
} from '../../../../src/renderer/features/upload/upload-state.ts';

const initial: UploadProgress = { isRead: false, isMatched: false, isReady: false, job: null };
const reachable = (progress: Partial<UploadProgress>) =>
  stepStatuses({ ...initial, ...progress })
    .filter((step) => step.isReachable)
    .map(({ step }) => step);

describe('the steps of an upload', () => {
  it('open one after another: once the file is read, matched, and nothing is missing', () => {
    expect(reachable({})).toEqual(['file']);
    expect(reachable({ isRead: true })).toEqual(['file']);
    expect(reachable({ isRead: true, isMatched: true })).toEqual(['file', 'columns']);
    expect(reachable({ isRead: true, isMatched: true, isReady: true })).toEqual(['file', 'columns', 'check']);
  });

  it('can’t be reopened once rows are being sent', () => {
    const ready = { read: true, matched: true, ready: true };
    expect(reachable({ ...ready, job: 'running' })).toEqual(['send']);
    expect(reachable({ ...ready, job: 'waiting' })).toEqual(['send']);
    for (const job of ['done', 'failed', 'cancelled', 'interrupted'] as const)
      expect(reachable({ ...ready, job })).toEqual(['ledger']);
  });

  it('show the selected one while it is open, and the job as soon as it exists', () => {
    const ready: UploadProgress = { isRead: true, isMatched: true, isReady: true, job: null };
    expect(shownStep('check', ready)).toBe('check');
    expect(shownStep('check', { ...ready, isReady: false })).toBe('file');
    expect(shownStep('check', { ...ready, job: 'running' })).toBe('send');
    expect(shownStep('check', { ...ready, job: 'cancelled' })).toBe('ledger');
    expect(shownStep('file', { ...initial, job: 'done' })).toBe('ledger');
  });
});
