import { stat } from 'node:fs/promises';
import { converterVersion } from '../tables/conversion/converted-table.ts';
import type { UploadPlan } from '../tables/model/plan.ts';
import type { ReadableFile } from './readable-file.ts';

/** The conversion that the job uses; null: the file is read directly. */
export async function conversionOf({
  conversion,
  original,
}: ReadableFile): Promise<UploadPlan['conversion'] | null> {
  if (!conversion) return null;
  const { facts, original: digest } = conversion.converted;
  const { mtimeMs } = await stat(original.path);
  return {
    version: converterVersion,
    format: facts.format,
    compression: facts.compression,
    places: facts.places,
    placesFile: conversion.places,
    original: { place: original.place, path: original.path, mtimeMs, ...digest },
  };
}
