import { convert, unitPair } from '../channels/units.ts';
import { type IndexKind, irregularWells, qualityReport, type QualityReport } from './quality-report.ts';
import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import { datasetAddress } from '../datasets/datasets.ts';
import { fileToken } from '../files/files.ts';
import { rowPlaces } from '../upload/formats.ts';
import { columnMapping, fileWarning, readingOptions } from '../upload/upload.ts';
import { defaultMinFlatRecords, defaultSpikeThreshold } from '../settings/settings.ts';
import { fieldPath } from '../query/question.ts';

const pattern = /^\s*(\d+(?:\.\d*)?|\.\d+)\s*(ms|s|min|m|h|d|ft)?\s*$/i;

const milliseconds: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Whether a text is a length of the index: `30s`, `2h`, `0.5ft`, or a number in its unit. */
export const isLength = (text: string): boolean => pattern.test(text) && Number.parseFloat(text) > 0;

/**
 * A length of the index from its text.
 * @param kind of the index: `1m` is a minute of time, and a meter of depth
 * @param unit of the index; times are in seconds
 * @returns milliseconds for times, else units of the index; null if the text doesn't suit the index
 */
export function lengthOf(text: string, kind: IndexKind, unit: string | null): number | null {
  const [, number = '', suffix = ''] = pattern.exec(text) ?? [];
  const value = Number(number);
  if (number === '' || !(value > 0)) return null;
  const written = suffix.toLowerCase();
  if (kind === 'time') {
    const factor = milliseconds[written === '' ? 's' : written];
    return factor === undefined ? null : value * factor;
  }
  if (written === '') return value;
  if (kind !== 'depth' || (written !== 'm' && written !== 'ft')) return null;
  const pair = unitPair(written, unit ?? written);
  return pair ? (convert(value, pair.from, pair.to) ?? null) : null;
}

const checkRequest = {
  /** The fields to check; empty: all. */
  fields: z.array(fieldPath).max(1000).default([]),
  /** The expected step, such as `1s` or `0.5ft`; absent: the most frequent one. */
  step: z.string().max(20).refine(isLength, 'Write a number with a unit, such as 1s or 0.5ft.').optional(),
  /** A spike deviates by more than this many robust standard deviations. */
  spikeThreshold: z.number().min(3).max(1000).default(defaultSpikeThreshold),
  /** The smallest number of equal values that can be a flat stretch. */
  minFlatRecords: z.int().min(5).max(1_000_000).default(defaultMinFlatRecords),
};

export const qualityRequest = datasetAddress.extend({
  connection: connectionId,
  /** Relaxed JSON. */
  query: z.string(),
  ...checkRequest,
  concurrency: z.int().min(1).max(16).default(8),
});

export const fileQualityRequest = z.object({
  source: fileToken,
  reading: readingOptions.prefault({}),
  /** How times are read as the user set it, by column; absent: as detected. */
  times: z.record(z.string(), columnMapping.pick({ format: true, join: true })).default({}),
  ...checkRequest,
});

/** The quality of a file, with what its inspection says about it. */
export const fileQualityReport = qualityReport.extend({
  warnings: z.array(fileWarning),
  /** What their lines count. */
  places: rowPlaces,
});

export const qualityResult = z.object({
  rows: z.int(),
  gaps: z.int(),
  /** Number of wells whose gaps aren't checked. */
  uncheckedGaps: z.int().default(0),
  missing: z.int(),
  duplicates: z.int(),
  disorder: z.int(),
  /** Number of fields with flat stretches, spikes, or values outside limits. */
  fields: z.int(),
});
type QualityResult = z.infer<typeof qualityResult>;

/** The headline of a report. */
export const summarize = (report: QualityReport): QualityResult => {
  const { rows, gapCount, missing, duplicates, disorder, fields, uncheckedWells } = report;
  return {
    rows,
    gaps: gapCount,
    uncheckedGaps: irregularWells(report).length + uncheckedWells,
    missing,
    duplicates,
    disorder,
    fields: fields.filter(({ flatCount, spikes, outside }) => flatCount + spikes + outside > 0).length,
  };
};
