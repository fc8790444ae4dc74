import { useEffect, useMemo } from 'react';
import { addressOf, isSameAddress, datasetName, type Dataset } from '../../../../shared/datasets/datasets.ts';
import { maxOverlays, type PlotChoice, type PlotOverlay } from '../../../../shared/tabs/plot.ts';
import { useApp, useAppState, useSessionState } from '../../../contexts.ts';
import { valueOr } from '../../../state/loadable.ts';
import { CheckBox } from '../../../ui/check-box.tsx';
import { ComboBox } from '../../../ui/combo-box.tsx';
import { SelectField } from '../../../ui/select-box.tsx';
import { Failed } from '../../../ui/view-states.tsx';
import { plotWords } from '../../../words/plot.ts';
import { addressText } from '../../datasets/search.ts';
import { useSynonyms } from '../../settings/use-synonyms.ts';
import { lastName } from '../first-choice.ts';
import type { Plot } from '../plot.ts';
import type { OverlayAxis } from './chart-marks.ts';
import { likelyDatasets, overlayAt, overlayFields, proposedOverlay } from './proposal.ts';
import type { PlotOverlays } from './use-overlays.ts';

export interface OverlayPickerProps {
  readonly connection: string;
  readonly plot: Plot;
  readonly choice: PlotChoice;
  readonly axis: OverlayAxis | null;
  readonly overlays: PlotOverlays;
}

/** The most datasets that are offered without a search. */
const maxOffered = 8;

/** The datasets with marks for a plot: each is drawn while it is selected, with the fields that its names suggest. */
export function OverlayPicker({ connection, plot, choice, axis, overlays }: OverlayPickerProps) {
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
      {shown.map((dataset) => (
        <OverlayRow
          key={addressText(dataset)}
          connection={connection}
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
            all
              .filter((other) => !shown.includes(other))
              .map((dataset) => ({
                id: addressText(dataset),
                text: datasetName(dataset),
                note: addressText(dataset),
              }))
              .filter(({ text, note }) =>
                `${text} ${note}`.toLowerCase().includes(typed.trim().toLowerCase()),
              )
              .slice(0, 50)
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
  readonly connection: string;
  readonly dataset: Dataset;
  readonly axis: OverlayAxis;
  /** Null: it isn't selected. */
  readonly overlay: PlotOverlay | null;
  readonly isFull: boolean;
  readonly onChange: (overlay: PlotOverlay | null) => void;
}

function OverlayRow({ connection, dataset, axis, overlay, isFull, onChange }: OverlayRowProps) {
  const { actions } = useApp().fields;
  const synonyms = useSynonyms();
  useEffect(() => actions.load(connection, addressOf(dataset)), [actions, connection, dataset]);
  const datasetFields = useAppState('fields', (state) => actions.of(state, connection, addressOf(dataset)));
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
  const hasUnit =
    axis.along === 'time' ||
    (datasetFields?.fields.some(({ path, unit }) => path === overlay?.from && unit !== undefined) ?? true);
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
        <div className="overlay-fields">
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
      {overlay && !isOpen && !hasUnit && (
        <p className="field-note">{plotWords.overlays.noUnit(lastName(overlay.from))}</p>
      )}
    </div>
  );
}
