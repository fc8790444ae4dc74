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
  tab: (dataset: string) => `${dataset} · live`,
  follow: 'Follow live',
  loading: 'Loading the live view…',
  starting: (dataset: string) => `Asking ${dataset} for its newest records…`,
  record: (number: number) => `No. ${formatCount(number)} of those that came`,
  none: 'No record matches yet. New ones are shown as they come.',
  noAnswer: 'The service has not answered yet.',
  pace: 'How often new records are asked for',
  every: (count: number) => `every ${seconds(count)}`,
  pause: 'Pause',
  resume: 'Go on',
  status: { starting: 'starting', following: 'following', stopped: 'stopped' },
  paused: {
    person: 'paused',
    hidden: 'paused while it is out of view',
    offline: 'paused: this machine is offline',
  },
  nextTry: (time: string) => `no answer, next try in ${time}`,
  stoppedWhy: (reason: string) => `Stopped asking. ${reason} Then press “Go on”.`,
  dropped: (most: number) => `the newest ${formatCount(most)} are kept`,
  newest: (ago: string) => `newest record ${ago}`,
  upTo: (field: string, value: number) => `${field} up to ${formatDepth(value)}`,
  answered: (ago: string) => `last answer ${ago}`,
};
