import { depthPath } from '../../../shared/datasets/shapes.ts';
import type { About } from '../records/about.ts';

/** Means null in the file. */
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

/** The sections of a LAS 2.0 file up to its data. */
export function lasHeader(about: About, { range, curves, identity, warnings }: LasContent): string {
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
