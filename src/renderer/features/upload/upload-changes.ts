import { isSameAddress, type Dataset } from '../../../shared/datasets/datasets.ts';
import type { UploadTemplate } from '../../../shared/upload/templates.ts';
import { idle, loading } from '../../state/loadable.ts';
import { noChoices, valueChoices } from './columns/mapping-choices.ts';
import { withoutProposals } from './columns/fields.ts';
import { choicesInUnits } from './columns/templates.ts';
import type { FormatOptions } from './file/format-options.ts';
import { queuedChoices } from './queue/queued-file.ts';
import {
  fileName,
  emptyUpload,
  noMatch,
  noRun,
  type Offer,
  type UploadFile,
  type UploadTabState,
} from './upload-state.ts';

// What a person changes in an upload: functions from state to state. Its plan is made again after each of them.

/**
 * The state with another file: the dataset stays, choices are reset. A file with the name of a missing one
 * keeps its choices, and what was offered for them isn't offered again.
 */
export function withFile(current: UploadTabState, file: UploadFile): UploadTabState {
  const { dataset, isDatasetAssumed, reading, choices, existing, offers, origin, selectedWell } = current;
  const isPlaceholder = current.file.status === 'missing' || current.file.status === 'transferring';
  const isSame = isPlaceholder && fileName(current) === fileName({ file });
  return {
    ...emptyUpload,
    dataset,
    isDatasetAssumed,
    file,
    ...(isSame ? { reading, choices, existing, offers, origin, selectedWell } : {}),
  };
}

/** What was offered without these: they are offered again. */
const offeredBefore = ({ offers }: UploadTabState, ...again: readonly Offer[]): readonly Offer[] =>
  offers.filter((offer) => !again.includes(offer));

/**
 * The state whose file is read again, maybe with another format: what was said about its columns no longer applies.
 * What the user declined is offered again only with another format, which may show other columns.
 */
export const withReading = (current: UploadTabState, reading = current.reading): UploadTabState => ({
  ...current,
  reading,
  preview: loading,
  // A line of the file as it was read before.
  viewedLine: null,
  inspection: idle,
  match: noMatch,
  proposals: idle,
  fittingDatasets: idle,
  wellNames: idle,
  fileWell: idle,
  offers:
    reading === current.reading ? current.offers : offeredBefore(current, 'origin', 'sources', 'fields'),
  check: noRun,
});

/** The state with another format that the user set: another header row means other columns, so their choices are reset. */
export const withFormat = (current: UploadTabState, reading: FormatOptions): UploadTabState => ({
  ...withReading(current, reading),
  choices: { ...noChoices, ...valueChoices(current.choices) },
  earlierMapping: null,
  unitDifferences: [],
  offers: offeredBefore(current, 'origin', 'mapping', 'sources', 'fields'),
});

/** The state with another dataset. One of another type has other fields: a constant would be sent unseen. */
export function withDataset(current: UploadTabState, dataset: Dataset): UploadTabState {
  const isOther = current.dataset !== null && current.dataset.type !== dataset.type;
  const choices = withoutProposals(current.choices, current);
  return {
    ...current,
    dataset,
    isDatasetAssumed: false,
    match: noMatch,
    choices: isOther ? { ...choices, constants: {} } : choices,
    // Inserting all rows was decided for the records of that dataset.
    existing: current.dataset && isSameAddress(current.dataset, dataset) ? current.existing : 'skip',
    offers: offeredBefore(current, 'fields', ...(isOther ? (['mapping', 'sources'] as const) : [])),
    check: noRun,
  };
}

/** The state with the choices of a template, in the units of this file. @param connection that of this file */
export const withTemplate = (
  current: UploadTabState,
  template: UploadTemplate,
  connection: string,
): UploadTabState => ({
  ...current,
  ...choicesInUnits(template, current, connection),
  earlierMapping: { template: template.name, before: current.choices },
  check: noRun,
});

export const withoutEarlierMapping = (current: UploadTabState): UploadTabState => ({
  ...current,
  choices: current.earlierMapping?.before ?? current.choices,
  earlierMapping: null,
  unitDifferences: [],
  offers: offeredBefore(current, 'sources', 'fields'),
  check: noRun,
});

/** The state with the choices of the first file of a queue, and its own well. */
export const withQueuedChoices = (current: UploadTabState, first: UploadTabState): UploadTabState => ({
  ...current,
  dataset: first.dataset,
  isDatasetAssumed: false,
  choices: queuedChoices(first, current),
  existing: first.existing,
  earlierMapping: null,
  unitDifferences: [],
  match: noMatch,
  offers: [...offeredBefore(current, 'mapping', 'sources', 'fields'), 'mapping'],
  check: noRun,
});
