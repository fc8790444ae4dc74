import { basename, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Connection } from '../../../shared/connections/connections.ts';
import {
  type DatasetAddress,
  type DatasetType,
  datasetShapes,
  scopeFieldOf,
  isAssetPath,
  isSameAddress,
} from '../../../shared/datasets/datasets.ts';
import { AppError, invalidInput } from '../../../shared/errors/errors.ts';
import { withFieldUnits, type NumberColumn } from '../../../shared/upload/units.ts';
import { nullsOf } from '../../../shared/upload/null-tokens.ts';
import { withWellZone } from '../../../shared/upload/preview.ts';
import { isRejectsHeader } from '../../../shared/upload/templates.ts';
import type { RecordSpan, UploadedRecords, UploadOrigin } from '../../../shared/upload/result.ts';
import type { WarningCode } from '../../../shared/upload/warnings.ts';
import type { ColumnMapping, FileWarning, Mapping, UploadRequest } from '../../../shared/upload/upload.ts';
import { stat } from '../../world/files.ts';
import type { Files, SourcePlace } from '../files/files.ts';
import { checkOutput, checkIsNoInput } from '../files/output-file.ts';
import { plainName } from '../files/plain-name.ts';
import type { CallContext } from '../handlers.ts';
import type { JobStore, StoredJob } from '../jobs/jobs.ts';
import {
  asPoints,
  asTexts,
  scanWarnings,
  type ColumnFacts,
  type Layout,
  type Scan,
} from '../tables/tables.ts';
import {
  isInList,
  uploadPlan,
  type ColumnRule,
  type Conversion,
  type Rules,
  type UploadPlan,
} from './upload-plan.ts';
import { isDropped } from '../records/targets.ts';
import { getDataset } from '../datasets/definitions.ts';
import { readFields } from '../datasets/fields/fields.ts';
import type { CallOptions, PlatformService, Services } from '../wire/services/services.ts';
import { boundsOf } from './existing.ts';
import {
  noMapping,
  type Match,
  decideAll,
  itemPath,
  localTimes,
  requireRules,
  spanAt,
  type Decisions,
  type Knowledge,
} from './decisions.ts';
import { expectedIn } from './proposals.ts';
import type { FileScans, ScannedFile } from './source-file.ts';
import {
  checkWellOfAllRows,
  columnsOfWells,
  namingColumns,
  resolveAssets,
  assetsAt,
  severalWells,
  wellOfAllRows,
  wellsOfFile,
  zoneOfWells,
  zoneWarnings,
} from './wells.ts';

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
  { scan, values }: ScannedFile,
  mapping: Mapping,
  matches: readonly Match[],
  platform: PlatformService,
  options: CallOptions,
): Promise<FileWarning[]> {
  const well = wellOfAllRows(mapping, matches, scan.columns);
  if (!well) return severalWells(mapping, scan, matches);
  const { column } = well;
  // The ids in a column for the same path are the wells, whatever names are beside them.
  const named =
    column === null
      ? { scan, values }
      : { scan: { ...scan, distinct: { [column]: scan.distinct[column] ?? new Map() } }, values: [] };
  if (namingColumns(named.scan, named.values).length === 0) return [];
  const wells = await wellsOfFile(platform, mapping, named.scan, named.values, options);
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
  const definition = await getDataset(services.data, address, { signal });
  const { type } = definition;
  // Its requests take as long as the file on a slow link. An error is thrown where the result is used.
  const expecting = readFields(services.data, { ...address, definition }, signal).then((read) =>
    expectedIn(read, definition),
  );
  expecting.catch(() => undefined);
  const asGiven = given ?? noMapping;
  const nulls = nullsOf(asGiven);
  const asRead = await scans.read(source, reading, { nulls, distinct: columnsOfWells(asGiven) }, signal);
  const read = await inParent(asRead, source.name, asGiven, { address, type }, dependencies, signal);
  const { parent, scanned, knowledge } = read;
  const { file, scan } = scanned;
  const unclear = file.warnings.find(({ code }) => code === 'tables_unclear');
  if (unclear) throw invalidInput(unclear.message, { field: 'headerRow' });
  const sources = { platform: services.platform, expecting, scans, signal };
  const decided = await decideWithServices(scanned, read.mapping, knowledge, sources);
  const { mapping, rules, newUnits } = decided;
  const conversion = await conversionOf(file);
  return {
    connection: { id: connection.id, name: connection.name, dataUrl: connection.dataUrl },
    address,
    fileName: source.name,
    ...(parent.job ? { parent: { job: parent.job.id, file: parent.job.summary.file } } : {}),
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
    decimal: scan.notation.decimal,
    newline: newlineFor(scan),
    rules,
    newUnits,
    mapping,
    rows: knowledge.folding?.groups?.records ?? scan.rows,
    footerRows: scan.footer?.count ?? 0,
    bounds: boundsOf(rules, scan.columns, type),
    records: uploadedRecords(decided, scan, type),
    dryRun,
    existing,
    settleSeconds: request.settleSeconds,
    concurrency: request.concurrency,
    rejects,
    maxRejected: request.maxRejected ?? null,
    warnings: [...(parent.isUnclear ? [unclearRejects(scan)] : []), ...decided.warnings, ...file.warnings],
  };
}

interface Parent {
  /** Undefined: none, or several with other choices may be it. */
  readonly job: StoredJob | undefined;
  /** What the plans of all jobs that may be it say about the file; undefined: there is no such job. */
  readonly facts: ParentFacts | undefined;
  /** Whether it is a file of rejected rows, and no plan says anything about it, or several say different things. */
  readonly isUnclear: boolean;
}

/** The upload to a dataset whose rejects file a file is. */
async function parentOf(
  { file, scan }: ScannedFile,
  name: string,
  { provider, dataset }: DatasetAddress,
  store: Pick<JobStore, 'related' | 'plan'>,
): Promise<Parent> {
  const original = { path: file.original.path, name };
  const all = await uploadsOf(original, scan.layout, store);
  const uploads = (all ?? []).filter(({ job: { summary } }) =>
    isSameAddress(summary.address, { provider, dataset }),
  );
  const { facts, isUnclear } = factsOf(uploads.flatMap(({ plan }) => plan ?? []));
  return { job: onlyOne(uploads)?.job, facts, isUnclear: isUnclear || (all !== null && !facts) };
}

const unclearRejects = ({ rows }: Scan): FileWarning => ({
  code: 'rejects_unclear',
  message:
    'The units, types, places, and time formats of these rejected rows are detected in these rows alone: no listed job for this dataset wrote a file with this name, or several did with different ones. Upload the file under its original name from the folder where its upload wrote it, or set units, types, and formats for its columns.',
  line: null,
  count: rows,
});

/** Whether a column of numbers and texts is read as texts. */
const isText = ({ conversion }: ColumnRule): boolean => conversion.kind === 'string' && conversion.json;

/** What uploads agree on about the rows that they rejected; undefined: they say nothing, or differ. */
interface ParentFacts {
  readonly decimal: UploadPlan['decimal'] | undefined;
  readonly constants: readonly Mapping['constants'][];
  /** By the key of a column. */
  readonly columns: ReadonlyMap<
    string,
    {
      readonly unit: string | null | undefined;
      readonly isText: boolean | undefined;
      readonly type: Layout['columns'][number]['type'];
      readonly to: string | undefined;
      readonly decided: Pick<ColumnMapping, 'format' | 'zone' | 'type'>;
    }
  >;
}

function factsOf(plans: readonly UploadPlan[]): Pick<Parent, 'facts' | 'isUnclear'> {
  let isUnclear = false;
  const common = <T>(values: readonly T[]): T | undefined => {
    if (areAlike(values)) return values[0];
    isUnclear = true;
    return undefined;
  };
  const named = plans.flatMap(({ layout }) => layout.columns);
  const rules = plans.flatMap((plan) => plan.rules.columns);
  const rulesOf = Map.groupBy(rules, ({ column }) => column);
  const columns = [...Map.groupBy(named, ({ key }) => key)].map(([key, units]) => {
    const ruled = rulesOf.get(key) ?? [];
    const decisions = ruled.map((rule) => decidedColumn(rule));
    const format = common(decisions.map((decision) => decision?.format));
    const zone = common(decisions.map((decision) => decision?.zone));
    const type = common(decisions.map((decision) => decision?.type));
    const facts = {
      unit: common(units.map(({ unit }) => unit)),
      isText: common(ruled.map(isText)),
      // Plans of earlier versions have none.
      type: common(units.flatMap(({ type = [] }) => type)),
      to: common(ruled.map(({ path }) => path.join('.'))),
      decided: { ...(format && { format }), ...(zone && { zone }), ...(type && { type }) },
    };
    return [key, facts] as const;
  });
  const decimal = common(plans.map((plan) => plan.decimal));
  const constants = plans.map(({ mapping }) => mapping.constants);
  return {
    facts: plans.length === 0 ? undefined : { decimal, constants, columns: new Map(columns) },
    isUnclear,
  };
}

/**
 * The mapping for a file of rejected rows with what all rows of their file decided about columns that go to the same
 * field, where the mapping says nothing else.
 */
function mappingInParent(
  scan: Scan,
  mapping: Mapping,
  knowledge: Knowledge,
  parent: ParentFacts | undefined,
): Mapping {
  if (!parent) return mapping;
  const columns = { ...mapping.columns };
  for (const { column, path } of decideAll(scan, mapping, knowledge).matched.matches) {
    const wanted = columns[column];
    const facts = parent.columns.get(column);
    const into = wanted ? undefined : mapping.fold?.into.split('.');
    // Texts that differ within the records of the file can be equal in the rejected ones.
    const paths = into ? [path, itemPath(path, into)] : [path];
    const to = paths.map((names) => names.join('.')).find((target) => target === facts?.to);
    if (!facts || to === undefined || wanted?.type === 'auto') continue;
    // Beside a listed column, a constant fills blanks. If it isn't that of the upload, wells in the column contradict it.
    const isItem = to !== path.join('.');
    const isListed = isAssetPath(to)
      ? parent.constants.every((constants) => constants[to] === mapping.constants[to])
      : isItem || Object.keys(facts.decided).length > 0;
    if (isListed) columns[column] = { ...facts.decided, to, ...wanted };
  }
  return { ...mapping, columns };
}

/**
 * A file of rejected rows with what only all rows of their file say: the units below the names, the decimal signs, and
 * which columns are of numbers or texts.
 * @param parent absent: it is no such file
 */
function asInParent(scanned: ScannedFile, parent: ParentFacts | undefined, mapping: Mapping): ScannedFile {
  if (!parent) return scanned;
  const { scan } = scanned;
  const { layout, notation } = scan;
  const columnInParent = (facts: ColumnFacts, key = ''): ColumnFacts => {
    const { isText: areTexts, type } = parent.columns.get(key) ?? {};
    if (areTexts === true && mapping.columns[key]?.type === undefined) return asTexts(facts);
    return type === 'number' ? asPoints(facts) : facts;
  };
  const columns = layout.columns.map((column) => {
    const { unit = null, type } = parent.columns.get(column.key) ?? {};
    return { ...column, unit: column.unit ?? unit, type: column.type ?? type };
  });
  return {
    ...scanned,
    scan: {
      ...scan,
      layout: { ...layout, columns },
      notation: { ...notation, decimal: notation.decimal ?? parent.decimal ?? null },
      columns: scan.columns.map((facts, at) => columnInParent(facts, columns[at]?.key)),
    },
  };
}

/**
 * A file and its mapping with what all rows of its file say, if it has those that an upload rejected.
 * @param name of the file
 * @throws AppError as reading the file
 */
export async function inParent(
  asRead: ScannedFile,
  name: string,
  asGiven: Mapping,
  about: Omit<Knowledge, 'folding'>,
  { scans, store }: Pick<PlanDependencies, 'scans' | 'store'>,
  signal: AbortSignal | undefined,
) {
  const parent = await parentOf(asRead, name, about.address, store);
  const scanned = asInParent(asRead, parent.facts, asGiven);
  const knowledge = { ...about, folding: await scans.groups(scanned, asGiven.fold, signal) };
  const mapping = mappingInParent(scanned.scan, asGiven, knowledge, parent.facts);
  return { parent, scanned, knowledge, mapping };
}

/**
 * Decides the columns of a file, asks the services and the order of rows for what these decisions still need, and
 * decides the columns that needed it.
 * @param expecting what the dataset says about new records
 * @returns the mapping with zones and units, the rules, and all warnings about them
 * @throws AppError invalid_input with all errors of the mapping, before a service is asked for wells; errors of the
 *   services
 */
async function decideWithServices(
  scanned: ScannedFile,
  asGiven: Mapping,
  knowledge: Knowledge,
  {
    platform,
    expecting,
    scans,
    signal,
  }: {
    readonly platform: PlatformService;
    readonly expecting: Promise<ReturnType<typeof expectedIn>>;
    readonly scans: FileScans;
    readonly signal: AbortSignal | undefined;
  },
) {
  const { scan } = scanned;
  // The mapping's own errors come first.
  const expected = await expecting.catch(() => null);
  const open = requireRules(decideAll(scan, asGiven, { ...knowledge, ...expected }));
  const { storedUnits } = await expecting;
  const { assets, warnings: unresolved } = await resolveAssets(platform, asGiven, scan.distinct, { signal });
  const zone = await zoneOfWells(asGiven, scan, open.columns, assets, platform, { signal });
  const zoned = zone ? withWellZone(asGiven, zone) : asGiven;
  const mapping = withFieldUnits(zoned, numberColumns(open), storedUnits);
  const answers = { ...knowledge, ...expected, assets };
  const unordered = decideAll(scan, mapping, answers);
  const repeatedTimes = await scans.repeatedTimes(scanned, localTimes(unordered), nullsOf(asGiven), signal);
  const decided = requireRules(
    repeatedTimes.length > 0 ? decideAll(scan, mapping, { ...answers, repeatedTimes }) : unordered,
  );
  const { rules, newUnits, matched, warnings } = decided;
  const wells = await wellWarnings(scanned, asGiven, matched.matches, platform, { signal });
  return {
    mapping,
    columns: decided.columns,
    assets,
    rules,
    newUnits,
    warnings: [
      ...wells,
      ...unresolved,
      ...(zone ? zoneWarnings(open.columns, zone) : []),
      ...warnings,
      ...openWarnings(scan, mapping, decided),
    ],
  };
}

/** Warnings about times in a column, which the column's format settles. */
const ofTimes: ReadonlySet<WarningCode> = new Set([
  'serial_dates',
  'ambiguous_dates',
  'mixed_dates',
] as const);

/** Whether the format of a column settles a warning about it. */
function isAnswered(
  { code, digits }: FileWarning,
  conversion: Conversion,
  mapping: Mapping,
  column: string,
): boolean {
  // The column's own issues mention the assumption of UTC, and times that are stored as text.
  if (code === 'zone_missing') return true;
  if (ofTimes.has(code)) return conversion.kind === 'time';
  if (code === 'lost_zeros')
    return (
      // Wells are looked up with the zeros, too, and ids have none.
      conversion.kind === 'asset' ||
      conversion.kind === 'integer' ||
      (conversion.kind === 'string' && conversion.digits === digits)
    );
  // The user set the type of the column, and cells of another type are rejected.
  return (
    (code === 'mixed_types' || code === 'type_exceptions') && mapping.columns[column]?.type !== undefined
  );
}

/** The warnings about a file that still apply to the decisions, without those of skipped columns. */
export function openWarnings(
  scan: Scan,
  mapping: Mapping,
  { columns }: Pick<Decisions, 'columns'>,
): FileWarning[] {
  const conversions = new Map(columns.map(({ column: { key }, conversion }) => [key, conversion]));
  return scanWarnings(scan, mapping.exceptionShare).filter((warning) => {
    if (warning.column === undefined) return true;
    const conversion = conversions.get(warning.column);
    return conversion != null && !isAnswered(warning, conversion, mapping, warning.column);
  });
}

/** The columns whose cells become numbers, with their paths and the units that the mapping or else the file says. */
const numberColumns = ({ columns }: Pick<Decisions, 'columns'>): NumberColumn[] =>
  columns.flatMap(({ match, conversion }) =>
    match && conversion?.kind === 'number'
      ? [{ column: match.column, to: match.path.join('.'), unit: match.wanted.unit ?? match.unit }]
      : [],
  );

/** The conversion that the job uses; null: the file is read directly. */
async function conversionOf({
  conversion,
  original,
}: ScannedFile['file']): Promise<UploadPlan['conversion'] | null> {
  if (!conversion) return null;
  const { facts, original: digest } = conversion.converted;
  const { mtimeMs } = await stat(original.path);
  return {
    version: conversion.version,
    format: facts.format,
    compression: facts.compression,
    places: facts.places,
    placesFile: conversion.places,
    original: { place: original.place, path: original.path, mtimeMs, ...digest },
  };
}

/** How the records of a file are found in its dataset, as far as it is known from the first pass over the file. */
function uploadedRecords(
  decided: Awaited<ReturnType<typeof decideWithServices>>,
  scan: Scan,
  type: DatasetType | null,
): UploadedRecords {
  const { rules, assets } = decided;
  const shape = type === null ? null : datasetShapes[type];
  const scope = scopeFieldOf(type);
  const paths = [scope, shape?.indexScope ?? null, shape?.indexField ?? null].filter((path) => path !== null);
  const isAt = (path: string) => (rule: { readonly path: readonly string[] }) => rule.path.join('.') === path;
  const spans = paths.flatMap((path): RecordSpan[] => {
    const constant = rules.constants.find(isAt(path));
    if (constant && !rules.columns.some(isAt(path)))
      return [{ path, from: constant.json, to: constant.json }];
    const span = spanAt(path, decided);
    return span ? [span] : [];
  });
  return { spans, assets: assetsAt(scope, decided, scan, assets) };
}

const rejectsOf = ({ summary }: StoredJob): string[] =>
  summary.artifacts.filter(({ kind }) => kind === 'rejects').map(({ path }) => path);

/** An entry of a mapping with what was decided for its column; null: the mapping says all of it. */
function decidedColumn(
  { path, conversion }: ColumnRule,
  given?: ColumnMapping,
  fold?: Rules['fold'],
): ColumnMapping | null {
  const to = path.join('.');
  if (conversion.kind === 'time') return { format: conversion.format, zone: conversion.zone, to, ...given };
  // Beside a column that is listed, a constant fills blanks, even if no row has any.
  if (isAssetPath(to)) return { to, ...given };
  const isOpen = path.length > 1 && (given?.type ?? 'auto') === 'auto';
  if (isOpen && (conversion.kind === 'number' || conversion.kind === 'boolean'))
    return { to, ...given, type: conversion.kind };
  return fold && isInList(path, fold) ? { to, ...given } : null;
}

/**
 * The mapping of an upload with what all rows of its file decided: the rejected ones alone can be ambiguous, such as
 * 03/04/2026, or have no number at all. Columns that were left out are listed: the window sends the rest to fields.
 */
function decidedMapping({
  mapping,
  rules,
  layout,
}: Pick<UploadPlan, 'mapping' | 'rules' | 'layout'>): Mapping {
  const columns = { ...mapping.columns };
  const used = new Set(rules.columns.flatMap(({ index, join = [] }) => [index, ...join]));
  const skip = layout.columns.filter(({ name }, index) => !used.has(index) && !isDropped(name));
  for (const rule of rules.columns) {
    const decided = decidedColumn(rule, columns[rule.column], rules.fold);
    if (decided) columns[rule.column] = decided;
  }
  return { ...mapping, columns, ...(skip.length > 0 ? { skip: skip.map(({ key }) => key) } : {}) };
}

/** A job with a file of rejected rows, with its plan; undefined: the plan can't be read. */
interface RejectingJob {
  readonly job: StoredJob;
  readonly plan: UploadPlan | undefined;
}

/** The choices of an upload, for its rejected rows. */
const choicesOf = ({ job, plan }: RejectingJob) => ({
  ...job.summary.address,
  connection: plan?.connection.id,
  mapping: plan ? decidedMapping(plan) : null,
  existing: plan?.existing ?? ('skip' as const),
});

const areAlike = ([first, ...others]: readonly unknown[]): boolean =>
  others.every((other) => isDeepStrictEqual(other, first));

/**
 * The jobs whose rejects file a file may be: the newest with this rejects file, or all with its name, because a browser
 * passes a copy, and with its columns, if any has them. Empty: the jobs no longer exist; null: it isn't a rejects file.
 */
async function uploadsOf(
  file: { readonly path: string; readonly name: string },
  { columns }: Pick<Layout, 'columns'>,
  store: Pick<JobStore, 'related' | 'plan'>,
): Promise<readonly RejectingJob[] | null> {
  if (!isRejectsHeader(columns.map(({ name }) => name))) return null;
  // An upload must not fail because earlier jobs can't be read.
  const jobs = await store.related('rejects', file.name, basename(file.path)).catch(() => []);
  const exact = jobs.findLast((job) => rejectsOf(job).includes(file.path));
  const candidates = exact
    ? [exact]
    : jobs.filter((job) => rejectsOf(job).some((path) => basename(path) === file.name));
  const uploads = await Promise.all(
    candidates.map(async (job) => ({
      job,
      plan: uploadPlan.safeParse(await store.plan(job.id).catch(() => null)).data,
    })),
  );
  const namesOf = (all: Layout['columns'] = []) => all.flatMap(({ name }) => (isDropped(name) ? [] : [name]));
  const ofFile = uploads.filter(({ plan }) => areAlike([namesOf(plan?.layout.columns), namesOf(columns)]));
  return ofFile.length === 0 ? uploads : ofFile;
}

/** The newest of jobs with the same choices; undefined: there is none, or their choices differ. */
const onlyOne = (uploads: readonly RejectingJob[]): RejectingJob | undefined =>
  areAlike(uploads.map(choicesOf)) ? uploads.at(-1) : undefined;

/** The upload whose rejects file a file is, with its options; null: none, or several with other choices. */
export async function originOf(
  file: { readonly path: string; readonly name: string },
  layout: Pick<Layout, 'columns'>,
  store: Pick<JobStore, 'related' | 'plan'>,
): Promise<UploadOrigin | null> {
  const uploads = await uploadsOf(file, layout, store);
  const upload = onlyOne((uploads ?? []).filter(({ job }) => job.kind === 'upload'));
  return upload ? { ...choicesOf(upload), job: upload.job.id, file: upload.job.summary.file } : null;
}
