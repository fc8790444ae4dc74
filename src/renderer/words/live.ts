import { formatCount, formatDepth } from '../format/numbers.ts';

const seconds = (count: number): string =>
  count < 60
    ? `${formatCount(count)} s`
    : count === 60
      ? 'minute'
      : `${formatCount(Math.round(count / 60))} min`;

/** The words of following a dataset. */
export const live = {
  region: 'Live',
  /** By the title of a query of the same dataset and wells. */
  tab: (query: string) => `${query} · live`,
  follow: 'Follow live',
  starting: (dataset: string) => `Loading the newest records of ${dataset}…`,
  record: (number: number) => `Record ${formatCount(number)}`,
  none: 'No matching records yet. New records appear here.',
  noAnswer: 'Waiting for the service…',
  pace: 'Update interval',
  every: (count: number) => `every ${seconds(count)}`,
  pause: 'Pause',
  resume: 'Resume',
  status: { starting: 'starting', following: 'following', stopped: 'stopped' },
  paused: {
    person: 'paused',
    hidden: 'paused while hidden',
    offline: 'paused: offline',
  },
  isSilent: 'no response',
  silent: (time: string) => `no response for ${time}`,
  retry: 'Retry now',
  nextTry: (time: string) => `no response, retrying in ${time}`,
  stoppedWhy: (reason: string) => `Stopped updating. ${reason} Then select Resume.`,
  dropped: (most: number) => `showing the newest ${formatCount(most)}`,
  newest: (ago: string) => `newest record ${ago}`,
  upTo: (field: string, value: number) => `${field} up to ${formatDepth(value)}`,
  latest: 'Latest values',
  old: 'The newest record of this well has no value',
  well: 'Well',
  age: 'Newest record',
  state: 'State',
  ages: { fresh: 'current', late: 'late', silent: 'silent', unknown: 'time unknown' },
  noValue: 'no value',
  limits: {
    open: (channel: string) => `Limits of ${channel}`,
    min: (unit: string) => (unit === '' ? 'Below' : `Below (${unit})`),
    max: (unit: string) => (unit === '' ? 'Above' : `Above (${unit})`),
    text: 'A value beyond a limit is marked, and announced once, until a newer value is within the limits. The tab then loads records in the background, too.',
    problem: 'Enter a number such as 1,250.5, or leave it empty.',
    reversed: 'This limit must be above the other one.',
    set: 'Set limits',
    remove: 'Remove limits',
    sides: { above: 'above its limit', below: 'below its limit' },
    alarm: (well: string, channel: string, side: string) => `${well}: ${channel} is ${side}.`,
    pastAlarm: (well: string, channel: string, side: string) =>
      `${well}: ${channel} was ${side} between two updates.`,
    title: 'Live limit',
  },
  answered: (ago: string) => `updated ${ago}`,
};
