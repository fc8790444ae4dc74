import { resolve } from 'node:path';
import type { Connection } from '../../../shared/connections/connections.ts';
import { AppError, invalidInput, isAppError } from '../../../shared/errors/errors.ts';
import type { RawLine } from '../../../shared/upload/preview.ts';
import { withFieldUnits, type NumberColumn } from '../../../shared/upload/field-units.ts';
import { nullsOf } from '../../../shared/upload/null-tokens.ts';
import type { FileWarning, Mapping, UploadRequest } from '../../../shared/upload/upload.ts';
import type { Files, SourcePlace } from '../files/files.ts';
import { checkOutput } from '../files/output-file.ts';
import { plainName } from '../files/plain-name.ts';
import { checkIsNoInput } from '../files/same-file.ts';
import type { CallContext } from '../handlers.ts';
import type { JobStore } from '../jobs/jobs.ts';
import type { CallOptions, PlatformService, Services } from '../wire/services/services.ts';
import type { FileScans } from './file-scans.ts';
import { boundsOf } from './existing/survey.ts';
import { columnsOfWells, resolveAssets } from './assets.ts';
import { checkWellOfAllRows, namingColumns, severalWells, wellOfAllRows, wellsOfFile } from './file-wells.ts';
import { expectedOf } from './matching/proposals.ts';
import { localTimes } from './local-times.ts';
import { noMapping } from './match.ts';
import { openWarnings } from './open-warnings.ts';
import { planRules } from './plan-rules.ts';
import { parentOf } from './parent.ts';
import { type Scan, type Layout, converterVersion, type ColumnFacts } from '../tables/tables.ts';
import type { UploadPlan, Rules } from './plan.ts';
import { columnUnit } from '../../../shared/channels/header.ts';
import type { ReadableFile } from './readable-file.ts';
import type { DatasetType } from '../../../shared/datasets/datasets.ts';
import { datasetShapes } from '../../../shared/datasets/shapes.ts';
import type { RecordSpan, UploadedRecords } from '../../../shared/upload/result.ts';
import { spanOf } from './column-examples.ts';
import { stat } from '../../world/files.ts';
import type { Well } from '../../../shared/wells/wells.ts';
import { toWell } from '../wells/well.ts';
import { isZone } from './zones.ts';
import { assetPaths } from '../records/targets.ts';

/** Maximum number of wells whose time zone is looked up. */
const maxWells = 200;

const assetIdIn = (text: string): number[] => (/^\d{1,15}$/.test(text) ? [Number(text)] : []);

/** The asset ids of the rows; empty: unknown, or too many. */
function assetsOf(rules: Rules, { layout, distinct }: Pick<Scan, 'layout' | 'distinct'>): number[] {
  const isOfWell = ({ path }: { readonly path: readonly string[] }) => assetPaths.includes(path.join('.'));
  const constantIds = rules.constants.filter(isOfWell).flatMap(({ json }) => assetIdIn(json));
  const named = rules.columns.filter(isOfWell).map(({ index, conversion }) => {
    if (conversion.kind === 'asset') return Object.values(conversion.ids);
    const values = distinct[layout.columns[index]?.key ?? ''];
    return [...(values?.keys() ?? [])].flatMap(assetIdIn);
  });
  if (named.some((ids) => ids.length === 0)) return [];
  const all = [...new Set([...constantIds, ...named.flat()])];
  return all.length > maxWells ? [] : all;
}

/** The wells of asset ids; none if the user may not read them. @throws other errors of the platform service */
async function wellsOf(
  platform: PlatformService,
  assets: readonly number[],
  options: CallOptions,
): Promise<Well[]> {
  try {
    const wells = (await platform.list('wells', { asset_id: [...assets] }, options)).map(toWell);
    return wells.filter(({ assetId }) => assetId !== null && assets.includes(assetId));
  } catch (error) {
    if (isAppError(error, 'forbidden') || isAppError(error, 'not_found')) return [];
    throw error;
  }
}

/** The common time zone of wells; null: there are several, or a well has none. */
function commonZone(wells: readonly Well[], asked: number): string | null {
  const zones = new Set(wells.map(({ timeZone }) => timeZone));
  const [zone = null] = zones;
  return wells.length >= asked && zones.size === 1 && zone !== null && isZone(zone) ? zone : null;
}

interface ZonedMapping {
  readonly mapping: Mapping;
  /** The columns that are read in the time zone of their wells; empty: none. */
  readonly warnings: readonly FileWarning[];
}

/**
 * Adds the time zone of the wells to a mapping for local times without a zone, as the window does. The mapping is
 * unchanged if the wells have several zones or none.
 * @param planned the columns for which UTC would be assumed
 * @throws errors of the platform service, except for wells that the user may not read
 */
export async function withWellZone(
  mapping: Mapping,
  scan: Scan,
  { rules, warnings: planned }: { readonly rules: Rules; readonly warnings: readonly FileWarning[] },
  platform: PlatformService,
  options: CallOptions,
): Promise<ZonedMapping> {
  const assumed = planned.filter(({ code }) => code === 'zone_assumed');
  const assets = assumed.length === 0 ? [] : assetsOf(rules, scan);
  if (assets.length === 0) return { mapping, warnings: [] };
  const wells = await wellsOf(platform, assets, options);
  const zone = commonZone(wells, assets.length);
  if (zone === null) return { mapping, warnings: [] };
  const whose = wells.length === 1 ? (wells[0]?.name ?? '') : `${wells.length} wells`;
  const columns = { ...mapping.columns };
  const warnings: FileWarning[] = [];
  for (const warning of assumed) {
    const rule = rules.columns.find(({ column }) => column === warning.column);
    if (!rule) continue;
    columns[rule.column] = { to: rule.path.join('.'), ...mapping.columns[rule.column], zone };
    warnings.push({
      ...warning,
      code: 'zone_of_well',
      message: `Column “${rule.column}” has times without a time zone; they are read in ${zone}, the time zone of ${whose}. If they aren't, set "zone" in a mapping.`,
    });
  }
  return { mapping: { ...mapping, columns }, warnings };
}

/** What the plan of an upload is made with. */
export interface PlanDependencies {
  readonly connections: {
    services(connectionId: string): Services;
    get(connectionId: string): Connection;
  };
  readonly files: Pick<Files, 'source' | 'target' | 'endTarget'>;
  readonly store: Pick<JobStore, 'related' | 'plan'>;
  readonly scans: FileScans;
}

const newlines = { LF: '\n', CRLF: '\r\n', CR: '\r' } as const;

function newlineFor({ endings }: Scan): UploadPlan['newline'] {
  const { LF, CRLF, CR } = endings;
  if (CRLF >= LF && CRLF >= CR && CRLF > 0) return newlines.CRLF;
  return CR > LF ? newlines.CR : newlines.LF;
}

/** The default name of the rejects file: derived from the file's name, so that the user recognizes it. */
function rejectsName(fileName: string): string {
  const name = plainName(fileName).replace(/\.(?:gz|zip)$/i, '');
  const ending = /\.(?:ndjson|jsonl)$/i.exec(name)?.[0] ?? '.csv';
  return `${name.replace(/\.[^.]{1,6}$/, '')}.rejects${ending}`;
}

/** @throws AppError file_exists, file_unwritable, disk_full; invalid_input if it is the uploaded file */
async function placeOfRejects(
  request: UploadRequest,
  files: PlanDependencies['files'],
  source: SourcePlace,
): Promise<UploadPlan['rejects']> {
  if (request.rejects === undefined) return { place: 'job', name: rejectsName(source.name) };
  const target = files.target(request.rejects);
  if (target.place === 'job') return { place: 'job', name: target.name };
  const output = { path: resolve(target.path), replaces: target.replaces };
  await checkIsNoInput(output.path, [source.path]);
  await checkOutput(output);
  return { place: 'path', ...output };
}

/**
 * Warnings about the well that all rows are given.
 * @throws AppError invalid_input if the file names other wells without the user's confirmation
 */
async function wellWarnings(
  scan: Scan,
  lines: readonly RawLine[],
  mapping: Mapping,
  platform: PlatformService,
  options: CallOptions,
): Promise<FileWarning[]> {
  const well = wellOfAllRows(mapping, scan);
  if (!well) return severalWells(mapping, scan);
  if (namingColumns(scan, lines).length === 0) return [];
  const wells = await wellsOfFile(platform, mapping, scan, lines, options);
  return checkWellOfAllRows(mapping, well, wells, scan.layout.placeKind);
}

/**
 * All decisions about an upload before its job starts. Nothing has been sent when this throws.
 * @throws AppError connection_read_only, invalid_input, file_unreadable, file_unsuitable; file_exists, file_unwritable,
 *   disk_full for the rejects file; errors of the services
 */
export async function planUpload(
  request: UploadRequest,
  dependencies: PlanDependencies,
  { signal }: CallContext,
): Promise<UploadPlan> {
  const { connections, files, scans } = dependencies;
  const { provider, dataset, reading, mapping: given, dryRun, existing } = request;
  const connection = connections.get(request.connection);
  if (connection.readOnly && !dryRun)
    throw new AppError('connection_read_only', { connection: connection.name });
  const source = files.source(request.source);
  const rejects = await placeOfRejects(request, files, source);
  const services = connections.services(request.connection);
  const address = { provider, dataset };
  const { type } = await services.data.dataset(address, { signal });
  // Its requests take as long as the file on a slow link. An error is thrown where the result is used.
  const expecting = expectedOf(services, address, type, signal);
  expecting.catch(() => undefined);
  const asGiven = given ?? noMapping;
  const distinct = columnsOfWells(asGiven);
  const nulls = nullsOf(asGiven);
  const scanned = await scans.read(source, reading, { nulls, distinct }, signal);
  const { file, scan, lines } = scanned;
  const folding = await scans.groups(scanned, asGiven.fold, signal);
  const unclear = file.warnings.find(({ code }) => code === 'tables_unclear');
  if (unclear) throw invalidInput(unclear.message, { field: 'headerRow' });
  // Errors of the mapping come before the lookup of wells, which can take long.
  planRules({ scan, mapping: asGiven, address, type, assets: {}, folding });
  const { assets, warnings: unresolved } = await resolveAssets(services.platform, asGiven, scan.distinct, {
    signal,
  });
  const planned = planRules({ scan, mapping: asGiven, address, type, assets, folding });
  const zones = await withWellZone(asGiven, scan, planned, services.platform, { signal });
  const columns = numberColumns(planned.rules, asGiven, scan.layout);
  const expected = await expecting;
  const mapping = withFieldUnits(zones.mapping, columns, expected.storedUnits);
  const times = localTimes({ scan, mapping, type, folding });
  const repeatedTimes = await scans.repeatedTimes(scanned, times, nulls, signal);
  const { rules, warnings, newUnits } = planRules({
    scan,
    mapping,
    address,
    type,
    assets,
    folding,
    ...expected,
    repeatedTimes,
  });
  const wells = await wellWarnings(scan, lines, asGiven, services.platform, { signal });
  const parent = await parentOf(
    { path: file.original.path, name: source.name },
    scan.layout,
    address,
    dependencies.store,
  );
  const conversion = await conversionOf(file);
  return {
    connection: { id: connection.id, name: connection.name, dataUrl: connection.dataUrl },
    address,
    fileName: source.name,
    ...(parent ? { parent } : {}),
    type,
    source: {
      place: file.conversion ? 'converted' : source.place,
      path: file.path,
      bytes: scan.bytes,
      mtimeMs: scan.mtimeMs,
      sha256: scan.sha256,
    },
    ...(conversion ? { conversion } : {}),
    layout: { ...scan.layout, columns: [...scan.layout.columns] },
    newline: newlineFor(scan),
    rules,
    newUnits,
    mapping,
    rows: folding?.groups?.records ?? scan.rows,
    footerRows: scan.footer?.count ?? 0,
    bounds: boundsOf(rules, scan.columns, type),
    records: uploadedRecords(rules, scan.columns, type),
    dryRun,
    existing,
    settleSeconds: request.settleSeconds,
    concurrency: request.concurrency,
    rejects,
    maxRejected: request.maxRejected ?? null,
    warnings: [
      ...wells,
      ...unresolved,
      ...zones.warnings,
      ...warnings,
      ...openWarnings(scan, rules, mapping),
      ...file.warnings,
    ],
  };
}

/** The columns whose cells become numbers, with their paths and the units that the mapping or else the file says. */
const numberColumns = (
  { columns }: Rules,
  mapping: Mapping,
  layout: Pick<Layout, 'columns'>,
): NumberColumn[] =>
  columns.flatMap(({ index, column, path, conversion }) => {
    const layoutColumn = layout.columns[index];
    if (!layoutColumn || conversion.kind !== 'number') return [];
    const wanted = Object.hasOwn(mapping.columns, column) ? mapping.columns[column] : undefined;
    return [{ column, to: path.join('.'), unit: wanted?.unit ?? columnUnit(layoutColumn) }];
  });

/** The conversion that the job uses; null: the file is read directly. */
async function conversionOf({
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

/** Wells beyond these aren't listed. */
const maxAssets = 200;

/** How the records of a file are found in its dataset, as far as it is known from the first pass over the file. */
function uploadedRecords(
  rules: Rules,
  columns: readonly ColumnFacts[],
  type: DatasetType | null,
): UploadedRecords {
  const shape = type === null ? null : datasetShapes[type];
  const scope = shape?.scopeField ?? 'asset_id';
  const paths = [scope, shape?.indexScope ?? null, shape?.indexField ?? null].filter((path) => path !== null);
  const isAt = (path: string) => (rule: { readonly path: readonly string[] }) => rule.path.join('.') === path;
  const spans = paths.flatMap((path): RecordSpan[] => {
    const constant = rules.constants.find(isAt(path));
    const [column, ...more] = rules.columns.filter(isAt(path));
    if (constant) return column ? [] : [{ path, from: constant.json, to: constant.json }];
    const facts = column && columns[column.index];
    if (!facts || more.length > 0 || column.join) return [];
    const span = spanOf(facts, column.conversion);
    return span ? [{ path, ...span }] : [];
  });
  const named = rules.columns
    .filter(isAt(scope))
    .flatMap(({ conversion }) => (conversion.kind === 'asset' ? Object.values(conversion.ids) : []));
  const assets = [...new Set(named)].toSorted((a, b) => a - b);
  return { spans, assets: assets.length > maxAssets ? [] : assets };
}
