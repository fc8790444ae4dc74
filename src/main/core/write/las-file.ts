import { columnTexts, pathId } from '../../../shared/column-paths.ts';
import { depthPath, logPaths } from '../../../shared/datasets/datasets.ts';
import { envelopeFields } from '../../../shared/datasets/fields.ts';
import type { NullValues } from '../../../shared/export/export.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { valueOrNaN } from '../../../shared/upload/null-tokens.ts';
import { type Column, Columns, valueKinds } from '../records/columns.ts';
import { textOfJson } from '../records/json-text.ts';
import { TextBuffer } from '../records/text-buffer.ts';
import {
  createPathTree,
  type PathTree,
  leafFrom,
  leafTo,
  type ScannedPage,
  textIn,
} from '../records/scan.ts';
import { isNullAt } from '../records/null-values.ts';
import type { About } from '../records/about.ts';
import type { FinishSteps } from './sink.ts';
import type { SpooledFiles } from './export-worker.ts';
import type { WriterSpec } from './spec.ts';

export const nullText = '-999.25';

export interface LasCurve {
  readonly mnemonic: string;
  readonly unit: string;
  readonly description: string;
}

/** Depths as in the records, and the step; 0: there is no regular one. */
export interface LasRange {
  readonly start: string;
  readonly stop: string;
  readonly step: string;
}

interface LasContent {
  readonly range: LasRange;
  readonly curves: readonly LasCurve[];
  readonly identity: { readonly asset_id?: string; readonly log_identifier?: string };
  readonly warnings: readonly string[];
}

/** Text without the characters that end a line or a part of it. */
const plain = (text: string): string => text.replaceAll(/[\p{Cc}:]+/gu, ' ').trim();
/** A unit follows the point without blanks. */
const unitText = (unit: string): string => plain(unit).replaceAll(/\s+/g, '');

const headerLine = (mnemonic: string, unit: string, value: string, description: string): string =>
  `${`${mnemonic.padEnd(4)}.${unitText(unit)}`.padEnd(16)} ${plain(value).padEnd(28)}: ${plain(description)}`;

function lasHeader(about: About, { range, curves, identity, warnings }: LasContent): string {
  const depthUnit = about.columns[depthPath]?.unit ?? '';
  const well = (name: string): string => about.well?.[name] ?? '';
  const lines = [
    '~Version information',
    headerLine('VERS', '', '2.0', 'CWLS LOG ASCII STANDARD - VERSION 2.0'),
    headerLine('WRAP', '', 'NO', 'ONE LINE PER DEPTH STEP'),
    '~Well information',
    headerLine('STRT', depthUnit, range.start, 'START DEPTH'),
    headerLine('STOP', depthUnit, range.stop, 'STOP DEPTH'),
    headerLine('STEP', depthUnit, range.step, range.step === '0' ? 'STEP, IRREGULAR' : 'STEP'),
    headerLine('NULL', '', nullText, 'NULL VALUE'),
    headerLine('COMP', '', well('company'), 'COMPANY'),
    headerLine('WELL', '', well('name'), 'WELL'),
    headerLine('FLD', '', well('field'), 'FIELD'),
    headerLine('LOC', '', well('location'), 'LOCATION'),
    headerLine('SRVC', '', '', 'SERVICE COMPANY'),
    headerLine('DATE', '', about.started.slice(0, 10), 'DATE OF EXPORT'),
    headerLine('API', '', well('api'), 'API NUMBER'),
    '~Curve information',
    headerLine('DEPT', depthUnit, '', 'Measured depth'),
    ...curves.map(({ mnemonic, unit, description }) => headerLine(mnemonic, unit, '', description)),
    '~Parameter information',
    headerLine('ASST', '', identity.asset_id ?? '', 'ASSET ID'),
    headerLine('LOGI', '', identity.log_identifier ?? '', 'LOG IDENTIFIER'),
    '~Other information',
    ...[
      // The file goes to others: the address of the service and the query are in the manifest beside it only.
      `Exported by Wellbench ${about.version} from ${about.dataset}`,
      ...(depthUnit === '' ? ['The unit of the depths is not in the definition of the dataset'] : []),
      ...warnings,
    ].map((line) => line.replaceAll(/\p{Cc}+/gu, ' ')),
    '~ASCII',
  ];
  return `${lines.join('\r\n')}\r\n`;
}

/** Steps differ by less than this part of a step in a regular log. */
const stepTolerance = 1e-4;
const payload = 'data.';
/**
 * Writes spooled records of a depth dataset as LAS 2.0: the header, and a row for each depth. Range, step, and curves are
 * known only after the last record.
 */
export function* writeLas(
  { file, spool }: SpooledFiles,
  { fields, calculation, about, nullValues }: WriterSpec,
): FinishSteps {
  const tree = createPathTree();
  const columns = new Columns(tree, fields, { isTyped: true });
  const depths = new DepthSurvey(tree);
  for (const page of spool.pages(tree)) {
    for (let record = 0; record < page.count; record += 1) {
      columns.addRecord(page, record);
      depths.add(page, record);
    }
    yield;
  }
  const range = depths.range();
  const calculated = calculation?.columns.map(({ name }) => pathId([name]));
  const all = valueColumns(columns.inOrder(), new Set(calculated));
  const numeric = all.filter(isNumeric);
  const curves = curvesOf(numeric, about);
  const warnings = [
    ...depths.warnings(),
    ...(numeric.length === all.length ? [] : [skippedWarning(all.filter((column) => !isNumeric(column)))]),
  ];
  file.cutTo(0);
  file.append(lasHeader(about, { range, curves, identity: depths.identity, warnings }));
  const paths = [depthPath, ...numeric.map(({ path }) => path)];
  const positions = new Map(paths.map((path, position) => [path, position]));
  const row = { positions, tree, nullValues };
  const lines = new TextBuffer();
  for (const page of spool.pages(tree)) {
    for (let record = 0; record < page.count; record += 1) addRow(lines, page, record, row);
    file.append(lines.take());
    yield;
  }
  return { columns: paths, warnings };
}

/** The paths that identify a record instead of holding a measurement. A stage number also counts as a value. */
const recordPaths = new Set(
  envelopeFields('depth').flatMap(({ path, types }) =>
    types.includes('object') || path === 'stage_number' ? [] : path,
  ),
);

/** The columns with values: those of a record's payload and calculated ones, or those of a table without a payload. */
function valueColumns(all: readonly Column[], calculated: ReadonlySet<string>): readonly Column[] {
  const isOfPayload = ({ path }: Column): boolean => path.startsWith(payload) || calculated.has(path);
  return all.filter(
    all.some(({ path }) => path.startsWith(payload)) ? isOfPayload : ({ path }) => !recordPaths.has(path),
  );
}

const isNumeric = ({ kinds }: Column): boolean => {
  const { integer, number, inexact, huge } = valueKinds;
  return kinds !== 0 && (kinds & ~(integer | number | inexact | huge)) === 0;
};

const skippedWarning = (columns: readonly Column[]): string =>
  `LAS files contain only numbers. Fields without numbers are not in the file: ${columnTexts(columns.map(({ path }) => path)).join(', ')}.`;

/** Mnemonics without points, blanks, and colons, which separate the parts of a header line; each is distinct. */
function curvesOf(columns: readonly Column[], { columns: facts }: About): LasCurve[] {
  const used = new Set(['DEPT']);
  const names = columnTexts(columns.map(({ path }) => path));
  return columns.map(({ path }, at) => {
    const name = names[at] ?? path;
    const base = name
      .slice(path.startsWith(payload) ? payload.length : 0)
      .replaceAll(/[^A-Za-z0-9_-]/g, '_')
      .toUpperCase();
    let mnemonic = base;
    for (let number = 2; used.has(mnemonic); number += 1) mnemonic = `${base}_${number}`;
    used.add(mnemonic);
    const { unit = '', description = '' } = facts[path] ?? {};
    return { mnemonic, unit, description: description === '' ? name : description };
  });
}

/** Whether the JSON of a value is a depth; text is none, and neither is a null value. */
const isDepth = (json: string | undefined): boolean =>
  json !== undefined && Number.isFinite(valueOrNaN(Number(json)));

interface RowOptions {
  readonly positions: ReadonlyMap<string, number>;
  readonly tree: PathTree;
  readonly nullValues: NullValues;
}

function addRow(
  lines: TextBuffer,
  page: ScannedPage,
  record: number,
  { positions, tree, nullValues }: RowOptions,
): void {
  const values: string[] = [];
  const to = leafTo(page, record);
  for (let leaf = leafFrom(page, record); leaf < to; leaf += 3) {
    const start = page.leaves[leaf + 1] ?? 0;
    const position = positions.get(tree.nodes[page.leaves[leaf] ?? 0]?.path ?? '');
    if (position === undefined || page.bytes[start] === 110) continue;
    const end = page.leaves[leaf + 2] ?? 0;
    // The header names one null value.
    if (nullValues === 'keep' || !isNullAt(page, start, end)) values[position] = textIn(page, start, end);
  }
  // The depth is first.
  if (!isDepth(values[0])) return;
  const cells = Array.from(positions.values(), (position) => (values[position] ?? nullText).padStart(12));
  lines.text(`${cells.join(' ')}\r\n`);
}

/** The range and step of the depths, and the well and log that they belong to. */
class DepthSurvey {
  readonly identity: Partial<Record<(typeof logPaths)[number], string>> = {};
  readonly #tree: PathTree;
  #first: string | null = null;
  #last: string | null = null;
  #step: number | null = null;
  #isRegular = true;
  #rows = 0;
  #missing = 0;

  constructor(tree: PathTree) {
    this.#tree = tree;
  }

  /** @throws AppError `invalid_input` for a record of another well or log */
  add(page: ScannedPage, record: number): void {
    let depth: string | null = null;
    const to = leafTo(page, record);
    for (let leaf = leafFrom(page, record); leaf < to; leaf += 3) {
      const path = this.#tree.nodes[page.leaves[leaf] ?? 0]?.path ?? '';
      const start = page.leaves[leaf + 1] ?? 0;
      const name = logPaths.find((logPath) => logPath === path);
      if ((path !== depthPath && !name) || page.bytes[start] === 110) continue;
      const json = textIn(page, start, page.leaves[leaf + 2] ?? 0);
      if (path === depthPath && isDepth(json)) depth = json;
      if (name) this.#identify(name, textOfJson(json));
    }
    if (depth === null) {
      this.#missing += 1;
      return;
    }
    if (this.#last !== null) {
      const step = Number(depth) - Number(this.#last);
      this.#step ??= step;
      if (Math.abs(step - this.#step) > Math.abs(this.#step) * stepTolerance) this.#isRegular = false;
    }
    this.#first ??= depth;
    this.#last = depth;
    this.#rows += 1;
  }

  range(): LasRange {
    const step = this.#isRegular && this.#step !== null ? Number(this.#step.toPrecision(12)) : 0;
    return { start: this.#first ?? '0', stop: this.#last ?? '0', step: String(step) };
  }

  warnings(): string[] {
    return [
      ...(this.#isRegular || this.#rows < 2
        ? []
        : ['The depths have no regular step, so STEP is 0. Programs that need one must resample the log.']),
      ...(this.#missing === 0 ? [] : [`Records without a depth are not in the file: ${this.#missing}.`]),
    ];
  }

  #identify(name: (typeof logPaths)[number], value: string): void {
    const earlier = this.identity[name];
    if (earlier === undefined) this.identity[name] = value;
    else if (earlier !== value)
      throw invalidInput(
        `A LAS file contains one log of one well, but the records have ${name} ${earlier} and ${value}. Filter by asset_id and log_identifier.`,
        { field: 'query' },
      );
  }
}
