import type { Row } from './reservoir-unit-rows.ts';

const minute = 60;

/** Units of logs: radiation and resistivity, as in {@link unitRows}. */
export const loggingUnitRows = {
  gamma: [['gAPI', 1, 'api gapi apigr apiu']],
  count_rate: [
    ['counts/s', 1, 'cps count/s'],
    ['counts/min', 1 / minute, 'cpm count/min'],
  ],
  resistivity: [['ohm.m', 1, 'ohmm ohmmeter ohmmetre']],
  conductivity: [
    ['S/m', 1, 'mho/m'],
    ['mS/m', 0.001, 'mmho/m mmo/m'],
    ['uS/cm', 1e-4, 'umho/cm'],
    ['mS/cm', 0.1, 'mmho/cm'],
  ],
} as const satisfies Readonly<Record<string, readonly Row[]>>;
