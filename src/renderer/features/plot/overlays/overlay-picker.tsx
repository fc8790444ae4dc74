import { useEffect, useMemo } from 'react';
import { addressOf, isSameAddress, datasetName, type Dataset } from '../../../../shared/datasets/datasets.ts';
import { maxOverlays, type PlotChoice, type PlotOverlay } from '../../../../shared/tabs/plot.ts';
import { useSessionState } from '../../../contexts.ts';
import { valueOr } from '../../../state/loadable.ts';
import { CheckBox } from '../../../ui/check-box.tsx';
import { ComboBox } from '../../../ui/combo-box.tsx';
import { SelectField } from '../../../ui/select-box.tsx';
import { Failed } from '../../../ui/view-states.tsx';
import { notesWords } from '../../../words/notes.ts';
import { plotWords } from '../../../words/plot.ts';
import { addressText, searchDatasets } from '../../datasets/search.ts';
import { useFields } from '../../datasets/field-catalogue.ts';
import { useSynonyms } from '../../settings/use-synonyms.ts';
import { lastName } from '../first-choice.ts';
import type { Plot } from '../plot.ts';
import type { OverlayAxis } from './chart-marks.ts';
import type { PlotOverlays } from './use-overlays.ts';
import { channelOf, isVerticalDepth, type Synonyms } from '../../../../shared/channels/channels.ts';
import type { DatasetField } from '../../../../shared/datasets/fields.ts';

type Field = Pick<DatasetField, 'path' | 'types' | 'values'>;

/** The last name of a path, in words: `data.formation_name` is `formation name`. */
const nameOf = (path: string): string =>
  lastName(path)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();

/** The first field whose name fits one of the patterns; earlier patterns come first. */
function firstOf(fields: readonly Field[], patterns: readonly RegExp[]): string | null {
  for (const pattern of patterns) {
    const field = fields.find(({ path }) => pattern.test(nameOf(path)));
    if (field) return field.path;
  }
  return null;
}

const namePatterns = [
  /formation name|surface name/, /^name$|^label$|^title$/, /formation|strat|horizon|marker|zone/, /name$/,
  /event|activity|operation|phase|section|stage|run|bit|casing|string/, /type|code|description|remark|comment/,
]; // oxfmt-ignore
/** Numbers that name the items of a list without texts. */
const numberPatterns = [/inclination|^incl?$/, /size|diameter|^od$/, /number|^no$|^id$|index/];
const topPatterns = [
  /^(top|from|start|upper)( measured)?( depth| md)?$/, /(top|start|from|upper)( measured)? (depth|md)/, /depth (in|from|top|start)$/,
  /perforation top|^perf top/, /^md( top)?$/, /^measured depth$/, /^(depth|dept|dep)$|shoe depth|set depth/, /^hole depth$|^bit depth$/,
]; // oxfmt-ignore
const bottomPatterns = [
  /^(bottom|base|to|end|lower|btm)( measured)?( depth| md)?$/, /(bottom|base|end|to|lower)( measured)? (depth|md)/,
  /depth (out|to|bottom|base|end)$/, /perforation bottom|^perf (bottom|base)/, /^md (base|bottom)$/,
]; // oxfmt-ignore
const startPatterns = [
  /^(start|begin|from)( time| date)?$/,
  /(start|begin)/,
  /^(timestamp|datetime|date ?time|time|date)$/,
];
const endPatterns = [/^(end|stop|finish|to)( time| date)?$/, /\b(end|stop)\b/];

const isText = ({ types }: Field): boolean => types.includes('string') && !types.includes('number');
const isNumber = ({ types }: Field): boolean => types.includes('number') || types.includes('integer');
const isTime = ({ path, types }: Field): boolean =>
  types.includes('date') || /^(timestamp|datetime)$/.test(path);
const envelope = /^(_id|version|asset_id|company_id|log_identifier|provider|collection|metadata\..*)$/;

/** The path of the innermost list that a field is in; empty: none. */
function listOf(path: string, fields: readonly Field[]): string {
  const lists = fields.filter(
    ({ path: list, types }) => types.includes('array') && path.startsWith(`${list}.`),
  );
  return lists.reduce((longest, { path: list }) => (list.length > longest.length ? list : longest), '');
}

interface OverlayFields {
  readonly names: readonly string[];
  readonly positions: readonly string[];
  /** Those of the positions that can be the end of a mark at the given one. */
  readonly ends: readonly string[];
}

/**
 * The fields of a dataset that can name marks, and those that can place them.
 * @param synonyms names of channels that the user has added
 * @param from the position of the marks, if it is known: names and ends are of the same list, or of the record around it
 * @returns their paths
 */
export function overlayFields(
  fields: readonly Field[],
  along: PlotOverlay['along'],
  synonyms: Synonyms,
  from: string | null = null,
): OverlayFields {
  const dataFields = fields.filter(({ path }) => !envelope.test(path));
  const isPosition =
    along === 'depth' ? (field: Field) => isNumber(field) && !isVerticalDepth(nameOf(field.path)) : isTime;
  const list = from === null ? null : listOf(from, fields);
  const isNear = ({ path }: Field): boolean =>
    list === null || `${list}.`.startsWith(`${listOf(path, fields)}.`) || listOf(path, fields) === '';
  const positions = dataFields.filter(isPosition);
  const isStage = ({ path }: Field): boolean =>
    channelOf(path, { synonyms })?.channel.name === 'stage_number';
  // The items of a list often have numbers only, as stations and casings do.
  const isNumberOfList = (field: Field): boolean =>
    isNumber(field) && !isTime(field) && field.path !== from && listOf(field.path, fields) !== '';
  const names = [
    ...dataFields.filter((field) => isText(field) && !isTime(field)),
    ...dataFields.filter((field) => isStage(field) || isNumberOfList(field)),
  ].filter(isNear);
  const pathOf = ({ path }: Field) => path;
  return {
    names: names.map(pathOf),
    positions: positions.map(pathOf),
    ends: positions.filter((field) => isNear(field) && field.path !== from).map(pathOf),
  };
}

/** The field that probably names marks at a position: of the same item of a list, or else of the record around it. */
function proposedName(
  fields: readonly Field[],
  { along, from, to }: Pick<PlotOverlay, 'along' | 'from' | 'to'>,
  synonyms: Synonyms,
): string | undefined {
  const { names } = overlayFields(fields, along, synonyms, from);
  const near = fields.filter(({ path }) => names.includes(path) && path !== to);
  const list = listOf(from, fields);
  const ofList = near.filter(({ path }) => listOf(path, fields) === list);
  return (
    firstOf(ofList.filter(isText), namePatterns) ??
    ofList.find(isText)?.path ??
    firstOf(ofList, numberPatterns) ??
    firstOf(near.filter(isText), namePatterns) ??
    near[0]?.path
  );
}

/**
 * An overlay at another position. A name and an end that aren't beside it, such as those of another list, are replaced: its
 * marks would have none.
 */
export function overlayAt(
  overlay: PlotOverlay,
  from: string,
  fields: readonly Field[],
  synonyms: Synonyms,
): PlotOverlay {
  const { names, ends } = overlayFields(fields, overlay.along, synonyms, from);
  const to = overlay.to !== null && ends.includes(overlay.to) ? overlay.to : null;
  const name = names.includes(overlay.name)
    ? overlay.name
    : (proposedName(fields, { along: overlay.along, from, to }, synonyms) ?? overlay.name);
  return { ...overlay, from, to, name };
}

/**
 * The overlay that a dataset offers, by the names of its fields: of its records, or else of the items of a list in them.
 * @param along whether the plot's axis is a depth or a time
 * @param synonyms names of channels that the user has added
 * @returns null: it has no name, or no position along such an axis
 */
export function proposedOverlay(
  { provider, dataset }: Pick<Dataset, 'provider' | 'dataset'>,
  fields: readonly Field[],
  along: PlotOverlay['along'],
  synonyms: Synonyms,
): PlotOverlay | null {
  const [starts, ends] = along === 'depth' ? [topPatterns, bottomPatterns] : [startPatterns, endPatterns];
  const usable = overlayFields(fields, along, synonyms);
  const lists = Map.groupBy(usable.positions, (path) => listOf(path, fields));
  for (const [, paths] of [...lists].toSorted(([a], [b]) => a.length - b.length)) {
    const positions = fields.filter(({ path }) => paths.includes(path));
    const from = firstOf(positions, starts);
    if (from === null) continue;
    const end = firstOf(positions, ends);
    const to = end === from ? null : end;
    const name = proposedName(fields, { along, from, to }, synonyms);
    if (name !== undefined) return { provider, dataset, along, name, from, to };
  }
  return null;
}

/** What datasets of marks are called. */
const likely =
  /formation|tops?\b|marker|strat|section|casing|stage|event|activit|operation|bit|bha|run|perf|completion|shoe|survey|directional/i;

/** The datasets that probably have marks, by their names; those of reference data first. */
export const likelyDatasets = (datasets: readonly Dataset[], max: number): Dataset[] =>
  datasets
    .filter(
      ({ dataset, friendlyName, type }) =>
        type !== 'depth' && likely.test(`${friendlyName} ${dataset.replaceAll(/[._-]/g, ' ')}`),
    )
    .toSorted((a, b) => Number(b.type === 'reference') - Number(a.type === 'reference'))
    .slice(0, max);

export interface OverlayPickerProps {
  readonly plot: Plot;
  readonly choice: PlotChoice;
  readonly axis: OverlayAxis | null;
  readonly overlays: PlotOverlays;
}

/** The most datasets that are offered without a search. */
const maxOffered = 8;

/** The datasets with marks for a plot: each is drawn while it is selected, with the fields that its names suggest. */
export function OverlayPicker({ plot, choice, axis, overlays }: OverlayPickerProps) {
  const datasets = useSessionState('datasets', ({ list }) => list);
  const all = useMemo(() => valueOr(datasets, []), [datasets]);
  const chosen = choice.overlays ?? [];
  const offered = useMemo(() => likelyDatasets(all, maxOffered), [all]);
  if (!axis) return <p className="field-note">{plotWords.overlays.noAxis}</p>;
  const selected = chosen.filter(({ along }) => along === axis.along);
  const selectedDatasets = all.filter((dataset) =>
    selected.some((overlay) => isSameAddress(overlay, dataset)),
  );
  const shown = [...new Set([...selectedDatasets, ...offered])];
  const set = (next: readonly PlotOverlay[]) => plot.actions.choose({ ...choice, overlays: [...next] });
  const add = (id: string) => {
    const dataset = all.find((dataset) => addressText(dataset) === id);
    if (dataset) set([...chosen, { ...addressOf(dataset), along: axis.along, ...unknownFields }]);
  };
  const isFull = chosen.length >= maxOverlays;
  return (
    <div className="stack">
      {overlays.error && <Failed error={overlays.error} />}
      {overlays.wells.length > 0 && (
        <CheckBox
          label={notesWords.heading}
          checked={choice.hasNotes ?? true}
          note={notesWords.about}
          onChange={(hasNotes) => plot.actions.choose({ ...choice, hasNotes })}
        />
      )}
      {shown.map((dataset) => (
        <OverlayRow
          key={addressText(dataset)}
          dataset={dataset}
          axis={axis}
          overlay={selected.find((overlay) => isSameAddress(overlay, dataset)) ?? null}
          isFull={isFull}
          onChange={(next) => {
            const otherOverlays = chosen.filter(
              (overlay) => overlay.along !== axis.along || !isSameAddress(overlay, dataset),
            );
            set(next ? [...otherOverlays, next] : otherOverlays);
          }}
        />
      ))}
      {!isFull && (
        <ComboBox
          label={plotWords.overlays.other}
          placeholder={plotWords.overlays.other}
          isLabelHidden
          value={null}
          text=""
          find={(typed) =>
            searchDatasets(all, typed, 'all')
              .filter((other) => !shown.includes(other))
              .slice(0, 50)
              .map((dataset) => ({
                id: addressText(dataset),
                text: datasetName(dataset),
                note: addressText(dataset),
              }))
          }
          onSelect={add}
        />
      )}
    </div>
  );
}

/** Fields by their last names, or by their paths where two have the same. */
const asOptions = (paths: readonly string[]) =>
  paths.map((id) => {
    const isOnly = paths.filter((path) => lastName(path) === lastName(id)).length === 1;
    return { id, text: isOnly ? lastName(id) : id };
  });

/** Of a dataset whose fields aren't loaded yet. */
const unknownFields = { name: '', from: '', to: null };

interface OverlayRowProps {
  readonly dataset: Dataset;
  readonly axis: OverlayAxis;
  /** Null: it isn't selected. */
  readonly overlay: PlotOverlay | null;
  readonly isFull: boolean;
  readonly onChange: (overlay: PlotOverlay | null) => void;
}

function OverlayRow({ dataset, axis, overlay, isFull, onChange }: OverlayRowProps) {
  const synonyms = useSynonyms();
  const datasetFields = useFields(dataset);
  const proposal = useMemo(
    () => datasetFields && proposedOverlay(dataset, datasetFields.fields, axis.along, synonyms),
    [dataset, datasetFields, axis.along, synonyms],
  );
  // A dataset that the user searched gets its fields as soon as they are loaded.
  const isOpen = overlay !== null && overlay.from === '';
  useEffect(() => {
    if (isOpen && proposal) onChange(proposal);
  });
  if (!overlay && !proposal) return null;
  const fields =
    datasetFields && overlayFields(datasetFields.fields, axis.along, synonyms, overlay?.from ?? null);
  return (
    <div>
      <CheckBox
        label={datasetName(dataset)}
        checked={overlay !== null}
        isDisabled={isFull && overlay === null}
        note={
          isOpen && datasetFields && !proposal
            ? plotWords.overlays.noFields
            : proposal && !overlay
              ? plotWords.overlays.fields(proposal.name, proposal.from, proposal.to)
              : addressText(dataset)
        }
        onChange={(isSelected) => onChange(isSelected ? (proposal ?? null) : null)}
      />
      {overlay && !isOpen && fields && (
        <div className="overlay-fields gap-2">
          <SelectField
            label={plotWords.overlays.name}
            value={overlay.name}
            options={asOptions(fields.names)}
            onChange={(name) => onChange({ ...overlay, name })}
          />
          <SelectField
            label={plotWords.overlays.from}
            value={overlay.from}
            options={asOptions(fields.positions)}
            onChange={(from) => onChange(overlayAt(overlay, from, datasetFields.fields, synonyms))}
          />
          <SelectField
            label={plotWords.overlays.to}
            value={overlay.to ?? ''}
            options={[{ id: '', text: plotWords.overlays.noEnd }, ...asOptions(fields.ends)]}
            onChange={(to) => onChange({ ...overlay, to: to === '' ? null : to })}
          />
        </div>
      )}
    </div>
  );
}
